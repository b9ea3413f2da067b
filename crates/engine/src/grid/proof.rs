//! The two solvers of the layer, which must agree, and what contradicts a puzzle at first sight.

use super::{
    cells::Cells,
    model,
    puzzle::Puzzle,
    rules::Rules,
    solve,
    text::{sign, write},
};
use crate::shared::{
    phrases::in_words,
    solvers::{ProofNodes, Solvers},
    step::Cell,
    text::Verdict,
};

/// The nodes for the proof of a made puzzle. If a solver needs more, the puzzle is discarded.
pub(crate) const PROOF_NODES: ProofNodes = ProofNodes { own: 20_000, core: 100_000 };

/// The layer's own solver and the constraint core.
pub(crate) static SOLVERS: Solvers<Puzzle, Vec<u8>> = Solvers {
    kind: |puzzle| puzzle.variant.kind,
    own: solve::solutions,
    core: model::solutions,
    contradiction,
    text: write,
    filled: |puzzle, digits| write(&puzzle.with(digits.to_vec())),
    cell: |_, place| Cell::try_from(place).expect("a board has at most 256 cells"),
};

/// All cells whose digit occurs again in one of their houses, with a sentence that counts the repeats for each house.
fn contradiction(puzzle: &Puzzle) -> Option<Verdict> {
    let rules = Rules::of(puzzle);
    let mut cells = Cells::NONE;
    let mut reasons = Vec::new();
    for house in &rules.houses {
        for digit in rules.digits.iter() {
            let holds = |cell: &Cell| puzzle.digits[usize::from(*cell)] == digit;
            let clashing: Cells = house.cells.iter().filter(holds).collect();
            if clashing.len() > 1 {
                let (digit, name) = (sign(puzzle.variant, digit), house.house_type.name(house.number));
                reasons.push(format!("{} {digit}s in {name}", in_words(clashing.len())));
                cells = cells.or(clashing);
            }
        }
    }
    (!reasons.is_empty()).then(|| Verdict::Contradiction { cells: cells.list(), reason: reasons.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::budget::{Budget, OutOfBudget},
        sudoku::sizes::SIZES,
    };

    fn check(variant: &str, cells: &str, nodes_max: u64, expected: impl Fn(&Verdict) -> bool) {
        let variant = SIZES.variants.iter().find(|known| known.name == variant).unwrap();
        let digits = cells.bytes().map(|sign| if sign == b'.' { 0 } else { sign - b'0' }).collect();
        let puzzle = Puzzle { variant, digits, regions: Vec::new() };
        let verdict = SOLVERS.verdict(&puzzle, &mut Budget::of_nodes(nodes_max));
        assert!(expected(&verdict), "{cells}: {verdict:?}");
    }

    #[test]
    fn digits_that_exclude_each_other_are_all_named() {
        let cells = format!("5...5.{}.....5", ".".repeat(24));
        check("6x6", &cells, 0, |verdict| {
            *verdict == Verdict::Contradiction { cells: vec![0, 4], reason: "two 5s in row 1".to_owned() }
        });
        let cells = format!("5{}5", ".".repeat(79));
        check("9x9-x", &cells, 0, |verdict| {
            *verdict == Verdict::Contradiction { cells: vec![0, 80], reason: "two 5s in diagonal 1".to_owned() }
        });
    }

    #[test]
    fn verdict_says_whether_there_is_one_solution_several_or_none() {
        check("4x4", "1.....1...2.3...", 100, |verdict| {
            *verdict == Verdict::Unique { solution: "4x4: 1432231441233241".to_owned() }
        });
        check("4x4", "123....4........", 100, |verdict| *verdict == Verdict::NoSolution);
        check(
            "4x4",
            &".".repeat(16),
            100,
            |verdict| matches!(verdict, Verdict::Several { differ, .. } if !differ.is_empty()),
        );
        check("6x6", &".".repeat(36), 1, |verdict| *verdict == Verdict::Unknown(OutOfBudget::Nodes));
    }

    #[test]
    fn solver_that_lies_is_a_disagreement() {
        let liar = Solvers { core: |_, _, _| Ok(Vec::new()), ..SOLVERS };
        let digits = vec![1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let puzzle = Puzzle { variant: &SIZES.variants[0], digits, regions: Vec::new() };
        let verdict = liar.verdict(&puzzle, &mut Budget::of_nodes(10));
        let Verdict::SolversDisagree(told) = verdict else { panic!("{verdict:?}") };
        assert_eq!((told.kind, told.text.as_str()), ("sudoku", "4x4: 1234341221434321"));
    }
}
