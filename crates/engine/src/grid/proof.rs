//! Proves puzzles with two solvers that must agree. Finds digits and stars of a board that contradict each other.

use std::sync::atomic::AtomicBool;

use super::{
    cells::Cells,
    model,
    puzzle::Puzzle,
    rules::{Holds, Rules},
    solve,
    text::{symbol, write},
    variant::Content,
};
use crate::shared::{
    budget::Budget,
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

/// The nodes to count the solutions without one of the rules. The result only adds words to a verdict.
const NODES_WITHOUT: u64 = 20_000;

/// The words of [`PuzzleKind::under_rule`](crate::shared::kind::PuzzleKind::under_rule).
pub(crate) fn under_rule(puzzle: &Puzzle, verdict: &Verdict) -> String {
    match (puzzle.variant.content, verdict) {
        (Content::Stars(count), Verdict::Several { .. }) => {
            let plural = if count == 1 { "" } else { "s" };
            format!(" with {} star{plural} in each row, column, and region", in_words(count.into()))
        }
        (Content::Halves { unlike: Some(variant) }, Verdict::NoSolution) => {
            let puzzle = Puzzle { variant, ..puzzle.clone() };
            let found = match SOLVERS.verdict(&puzzle, &mut Budget::new(NODES_WITHOUT, &AtomicBool::new(false))) {
                Verdict::Unique { .. } => "one solution",
                Verdict::Several { .. } => "several solutions",
                _ => return String::new(),
            };
            format!(" with unlike lines; {found} without that rule")
        }
        _ => String::new(),
    }
}

/// All cells whose digit occurs again in one of their houses or is too large for it, with a sentence that counts these cells for each
/// house.
fn contradiction(puzzle: &Puzzle) -> Option<Verdict> {
    let rules = Rules::of(puzzle);
    let mut cells = Cells::NONE;
    let mut reasons = Vec::new();
    for house in &rules.houses {
        for digit in rules.digits.iter() {
            let holds = |cell: &Cell| puzzle.digits[usize::from(*cell)] == digit;
            let clashing: Cells = house.cells.iter().filter(holds).collect();
            let allowed = match house.holds {
                Holds::HalfOfEach => house.cells.len() / 2,
                Holds::Stars(count) => count.into(),
                Holds::Each(digits) if !digits.contains(digit) => 0,
                Holds::Each(_) | Holds::NoDigitTwice => 1,
                Holds::AnyDigits => usize::MAX,
            };
            if clashing.len() > allowed {
                let digit = match puzzle.variant.content {
                    Content::Stars(_) => "star".to_owned(),
                    Content::Digits(_) | Content::Halves { .. } => symbol(puzzle.variant, digit).to_string(),
                };
                let name = house.name(rules.size);
                reasons.push(match (allowed, clashing.len()) {
                    (0, 1) if house.cells.len() == 1 => format!("a {digit} in {name}, which holds only 1"),
                    (0, 1) => format!("a {digit} in {name}, which holds only 1 to {}", house.cells.len()),
                    (_, count) => format!("{} {digit}s in {name}", in_words(count)),
                });
                cells = cells.or(clashing);
            }
        }
    }
    for sign in &rules.signs {
        let [first, second] = sign.cells.map(|cell| puzzle.digits[usize::from(cell)]);
        if first != 0 && second != 0 && !sign.relation.holds(first, second) {
            reasons.push(format!("{} is broken", sign.shown(rules.size)));
            cells = cells.or(sign.cells.into_iter().collect());
        }
    }
    let touching = if puzzle.variant.apart { touching(puzzle, &rules) } else { Cells::NONE };
    if !touching.is_empty() {
        let what = if rules.fills { "equal digits" } else { "stars" };
        reasons.push(format!("{what} that touch"));
        cells = cells.or(touching);
    }
    (!reasons.is_empty()).then(|| Verdict::Contradiction { cells: cells.list(), reason: reasons.join(", ") })
}

/// The equal digits or stars that touch: two cells with the same digit that exclude each other, but not by a common house.
fn touching(puzzle: &Puzzle, rules: &Rules) -> Cells {
    let digit = |cell: Cell| puzzle.digits[usize::from(cell)];
    let touches = |cell: Cell| {
        let peers = rules.peers[usize::from(cell)].iter().filter(|peer| rules.excluding(cell, *peer).is_none());
        digit(cell) != 0 && peers.into_iter().any(|peer| digit(peer) == digit(cell))
    };
    rules.all.iter().filter(|cell| touches(*cell)).collect()
}
