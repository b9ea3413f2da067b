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
