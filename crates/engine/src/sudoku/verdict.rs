//! Decides how many solutions a board has: none, one, several, or unknown within the budget.

use super::{
    board::{Grid, HOUSES, house_name},
    core,
    kernel::Kernel,
};
use crate::shared::{phrases::in_words, solvers::Solvers, step::Cell, text::Verdict};

/// The kernel and the constraint core, which must agree.
pub(super) const SOLVERS: Solvers<Grid, Grid> = Solvers {
    kind: |_| "sudoku",
    own: |puzzle, limit, budget| Kernel::fastest().solutions(puzzle, limit, budget),
    core: core::solutions,
    contradiction,
    text: Grid::dotted,
    filled: |_, digits| Grid(std::array::from_fn(|cell| digits[cell])).dotted(),
    cell: |_, place| Cell::try_from(place).expect("a grid has 81 cells"),
};

/// All cells whose digit occurs again in one of their houses, with a sentence that counts the repeats per house.
fn contradiction(puzzle: &Grid) -> Option<Verdict> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut reasons = Vec::new();
    for (house, of_house) in HOUSES.iter().enumerate() {
        for digit in 1..=9 {
            let holds = |cell: &&u8| puzzle.cells()[usize::from(**cell)] == digit;
            let clashing: Vec<_> = of_house.iter().filter(holds).map(|&cell| Cell::from(cell)).collect();
            if clashing.len() > 1 {
                reasons.push(format!("{} {digit}s in {}", in_words(clashing.len()), house_name(house)));
                cells.extend(clashing);
            }
        }
    }
    cells.sort_unstable();
    cells.dedup();
    (!reasons.is_empty()).then(|| Verdict::Contradiction { cells, reason: reasons.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::budget::{Budget, OutOfBudget};

    const UNIQUE: &str = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";

    fn check(text: &str, nodes_max: u64, expected: impl Fn(&Verdict) -> bool) {
        let verdict = SOLVERS.verdict(&Grid::parse(text).unwrap(), &mut Budget::of_nodes(nodes_max));
        assert!(expected(&verdict), "{text}: {verdict:?}");
    }

    #[test]
    fn a_unique_puzzle_comes_with_its_solution() {
        check(UNIQUE, 10_000, |verdict| matches!(verdict, Verdict::Unique { solution } if solution.len() == 81));
    }

    #[test]
    fn verdict_lists_the_cells_where_two_solutions_differ() {
        check(&UNIQUE.replacen('1', ".", 1), 10_000, |verdict| {
            let Verdict::Several { solutions: [first, second], common, differ } = verdict else { return false };
            let kept =
                |(cell, character): (usize, char)| (character == '.') == differ.contains(&u16::try_from(cell).unwrap());
            assert!(common.chars().enumerate().all(kept), "{common}");
            let differs = |&cell: &usize| first.as_bytes()[cell] != second.as_bytes()[cell];
            !differ.is_empty() && (0..81).filter(differs).eq(differ.iter().map(|&cell| usize::from(cell)))
        });
        check(&"0".repeat(81), 10_000, |verdict| matches!(verdict, Verdict::Several { .. }));
    }

    #[test]
    fn clashes_are_all_named() {
        let text = format!("5..5..5..{}5{}", ".".repeat(9), ".".repeat(62));
        check(&text, 0, |verdict| {
            let reason = "three 5s in row 1, two 5s in column 1, two 5s in box 1".to_owned();
            *verdict == Verdict::Contradiction { cells: vec![0, 3, 6, 18], reason }
        });
    }

    #[test]
    fn board_without_clash_can_lack_a_solution() {
        let text = format!("12345678.{}9{}", ".".repeat(17), ".".repeat(54));
        check(&text, 10_000, |verdict| *verdict == Verdict::NoSolution);
    }

    #[test]
    fn wrong_solver_is_a_disagreement() {
        let liar = Solvers { own: |_, _, _| Ok(Vec::new()), ..SOLVERS };
        let (puzzle, budget) = (Grid::parse(UNIQUE).unwrap(), &mut Budget::of_nodes(10_000));
        let Verdict::SolversDisagree(told) = liar.verdict(&puzzle, budget) else { panic!("a verdict of one solver") };
        assert_eq!((told.text.as_str(), told.own.as_str()), (UNIQUE, "no solution"));
        assert!(told.core.starts_with("the only solution \"1"), "{told}");
    }

    #[test]
    fn verdict_without_budget_is_unknown() {
        let hard = "..5...2......8...9.6..4.............61......4.....73....72.3......5......8.....91";
        check(hard, 1, |verdict| *verdict == Verdict::Unknown(OutOfBudget::Nodes));
    }
}
