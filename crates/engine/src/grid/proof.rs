//! The two solvers of the layer, which must agree, and what contradicts a puzzle at first sight.

use super::{
    cells::Cells,
    model,
    puzzle::Puzzle,
    rules::{House, Houses, Rules},
    solve,
    text::{sign, write},
    variant::Content,
};
use crate::shared::{
    solvers::{ProofNodes, Solvers},
    step::{Cell, HouseType},
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
                let digit = match puzzle.variant.content {
                    Content::Digits => sign(puzzle.variant, digit).to_string(),
                    Content::Stars => "star".to_owned(),
                };
                reasons.push(format!("{} {digit}s in {}", number(clashing.len()), house.name()));
                cells = cells.or(clashing);
            }
        }
    }
    let touching = touching(puzzle, &rules);
    if !touching.is_empty() {
        reasons.push("stars that touch".to_owned());
        cells = cells.or(touching);
    }
    (!reasons.is_empty()).then(|| Verdict::Contradiction { cells: cells.list(), reason: reasons.join(", ") })
}

/// The cells whose digit is also in a cell that they exclude although no house has both: stars that touch at a corner.
fn touching(puzzle: &Puzzle, rules: &Rules) -> Cells {
    let digit = |cell: Cell| puzzle.digits[usize::from(cell)];
    let touches = |cell: Cell| {
        let peers = rules.peers[usize::from(cell)].iter().filter(|peer| rules.shared(cell, *peer) == Houses::NONE);
        digit(cell) != 0 && peers.into_iter().any(|peer| digit(peer) == digit(cell))
    };
    rules.all.iter().filter(|cell| touches(*cell)).collect()
}

/// A number of cells in words, as far as English spells numbers out.
fn number(count: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    words.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

impl House {
    /// The name of the house in sentences, such as `row 1`.
    fn name(&self) -> String {
        let number = self.number + u16::from(self.house_type == HouseType::Region);
        format!("{} {number}", self.house_type.word())
    }
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
