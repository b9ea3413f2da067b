//! The two solvers of the layer, which must agree, and what contradicts a puzzle at first sight.

use super::{
    cells::Cells,
    model,
    puzzle::Puzzle,
    rules::{House, Rules},
    solve,
    text::{sign, write},
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
                reasons.push(format!(
                    "{} {}s in {}",
                    number(clashing.len()),
                    sign(puzzle.variant, digit),
                    house.name()
                ));
                cells = cells.or(clashing);
            }
        }
    }
    (!reasons.is_empty()).then(|| Verdict::Contradiction { cells: cells.list(), reason: reasons.join(", ") })
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
