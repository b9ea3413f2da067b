//! Decides how many solutions a puzzle has: none, one, several, or unknown within the budget.

use super::{
    board::{Digit, Puzzle},
    core,
    layout::{Direction, Layout},
    notation::text::{write, write_board},
    solver,
};
use crate::shared::{solvers::Solvers, step::Cell, text::Verdict};

/// The kind's own solver and the constraint core.
pub(super) const SOLVERS: Solvers<Puzzle, Vec<Digit>> = Solvers {
    kind: |_| "kakuro",
    own: solver::solutions,
    core: core::solutions,
    contradiction,
    text: write,
    filled: write_board,
    cell: |puzzle, place| puzzle.layout().cells()[place],
};

/// Finds a connected part of the white cells whose sums across and down differ, which rules out a solution. A part that has a run
/// without a clue has no such sums.
fn contradiction(puzzle: &Puzzle) -> Option<Verdict> {
    let layout = puzzle.layout();
    let is_whole =
        |part: &[usize]| part.iter().all(|&white| layout.runs_of(white).map(|run| puzzle.has_clue(run)) == [true; 2]);
    parts(layout).into_iter().filter(|part| is_whole(part)).find_map(|part| {
        let total = |direction: Direction| -> u32 {
            let runs = layout.runs().iter().zip(puzzle.sums()).filter(|(run, _)| run.direction == direction);
            runs.filter(|(run, _)| part.contains(&usize::from(run.whites()[0]))).map(|(_, &sum)| u32::from(sum)).sum()
        };
        let [across, down] = [Direction::Across, Direction::Down].map(total);
        (across != down).then(|| {
            let first = layout.name(*part.iter().min().unwrap_or(&0));
            let cells: Vec<Cell> = part.iter().map(|&white| layout.cells()[white]).collect();
            let reason = format!("the cells around {first} add up to {across} across but to {down} down");
            Verdict::Contradiction { cells, reason }
        })
    })
}

/// The connected parts of the white cells, each in reading order.
fn parts(layout: &Layout) -> Vec<Vec<usize>> {
    let mut seen = vec![false; layout.cells().len()];
    let mut parts = Vec::new();
    for first in 0..seen.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&white) = part.get(next) {
            for run in layout.runs_of(white) {
                for &other in layout.runs()[run].whites() {
                    if !std::mem::replace(&mut seen[usize::from(other)], true) {
                        part.push(usize::from(other));
                    }
                }
            }
            next += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text::parse;
    use crate::shared::{
        budget::{Budget, OutOfBudget},
        tries::Disagreement,
    };

    fn check(text: &str, nodes_max: u64, expected: &Verdict) {
        let verdict = SOLVERS.verdict(&parse(text).unwrap(), &mut Budget::of_nodes(nodes_max));
        assert_eq!(&verdict, expected, "{text}");
    }

    #[test]
    fn verdict_on_a_unique_puzzle_has_its_solution() {
        let solution = "# \\4 \\3\n3\\ 1 2\n4\\ 3 1".to_owned();
        check("# \\4 \\3\n3\\ . .\n4\\ . .", 100, &Verdict::Unique { solution });
    }

    #[test]
    fn several_solutions_are_shown_as_two_with_the_cells_that_differ() {
        let text = "# # # #\n# # \\3 \\3\n# 3\\ . .\n# 3\\ . .";
        let solutions = [["1 2", "2 1"], ["2 1", "1 2"]];
        let solutions = solutions.map(|[one, two]| format!("# # # #\n# # \\3 \\3\n# 3\\ {one}\n# 3\\ {two}"));
        check(text, 100, &Verdict::Several { solutions, common: text.to_owned(), differ: vec![10, 11, 14, 15] });
    }

    #[test]
    fn different_sums_across_and_down_are_a_contradiction() {
        let reason = "the cells around r2c2 add up to 7 across but to 8 down".to_owned();
        check("# \\4 \\4\n3\\ . .\n4\\ . .", 0, &Verdict::Contradiction { cells: vec![4, 5, 7, 8], reason });
    }

    #[test]
    fn equal_sums_across_and_down_do_not_imply_a_solution() {
        check("# \\12 \\8\n3\\ . .\n17\\ . .", 100, &Verdict::NoSolution);
    }

    #[test]
    fn wrong_solver_is_a_disagreement() {
        let text = "# \\4 \\3\n3\\ . .\n4\\ . .";
        let liar = Solvers { core: |_, _, _| Ok(vec![vec![2, 1, 1, 3]]), ..SOLVERS };
        let verdict = liar.verdict(&parse(text).unwrap(), &mut Budget::of_nodes(100));
        let own = "the only solution \"# \\\\4 \\\\3\\n3\\\\ 1 2\\n4\\\\ 3 1\"".to_owned();
        let core = "the only solution \"# \\\\4 \\\\3\\n3\\\\ 2 1\\n4\\\\ 1 3\"".to_owned();
        let told = Disagreement { kind: "kakuro", text: text.to_owned(), own, core };
        assert_eq!(verdict, Verdict::SolversDisagree(told));
    }

    #[test]
    fn verdict_without_budget_is_unknown() {
        check("# \\3 \\3\n3\\ . .\n3\\ . .", 0, &Verdict::Unknown(OutOfBudget::Nodes));
    }
}
