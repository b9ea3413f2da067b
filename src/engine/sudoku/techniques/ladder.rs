//! The ladder: techniques from the easiest to the hardest, and the loop that climbs it.

use super::{
    candidates::Candidates,
    direct::{self, direct_hidden_pair, direct_hidden_triplet, direct_locked},
    find::{Find, Technique},
    fish::{self, swordfish, x_wing},
    locked::{self, locked},
    sentences::write,
    singles::{self, hidden_single, naked_single},
    subsets::{self, hidden_pair, hidden_triplet, naked_pair, naked_triplet},
    wings::{self, xy_wing, xyz_wing},
};
use crate::engine::{step::Step, sudoku::board::Grid};

/// Finds a technique's first use in scan order, or none.
type Finder = fn(&Candidates) -> Option<Find>;

/// The order in which techniques are tried: Sudoku Explainer's classic one.
const LADDER: [Finder; 14] = [
    hidden_single,
    direct_locked,
    direct_hidden_pair,
    naked_single,
    direct_hidden_triplet,
    locked,
    naked_pair,
    x_wing,
    hidden_pair,
    naked_triplet,
    swordfish,
    hidden_triplet,
    xy_wing,
    xyz_wing,
];

/// Every technique of the ladder, easiest first.
pub const TECHNIQUES: [Technique; 18] = [
    singles::LAST_CELL,
    singles::HIDDEN_SINGLE_BOX,
    singles::HIDDEN_SINGLE_LINE,
    direct::DIRECT_POINTING,
    direct::DIRECT_CLAIMING,
    direct::DIRECT_HIDDEN_PAIR,
    singles::NAKED_SINGLE,
    direct::DIRECT_HIDDEN_TRIPLET,
    locked::POINTING,
    locked::CLAIMING,
    subsets::NAKED_PAIR,
    fish::X_WING,
    subsets::HIDDEN_PAIR,
    subsets::NAKED_TRIPLET,
    fish::SWORDFISH,
    subsets::HIDDEN_TRIPLET,
    wings::XY_WING,
    wings::XYZ_WING,
];

/// The steps from a puzzle to its solution, or as far as the ladder reaches; none for givens that clash. Ends on every
/// board, since each step fills a cell or removes a candidate.
#[must_use]
pub fn reason(puzzle: &Grid) -> Vec<Step> {
    let mut steps = Vec::new();
    if let Some(mut candidates) = Candidates::of(puzzle) {
        climb(&mut candidates, |before, find| steps.push(write(before, find)));
    }
    steps
}

/// Takes steps, each the easiest there is, until the puzzle is solved or nothing is found; `seen` is shown each step
/// and the position before it. Whether it is solved.
pub(crate) fn climb(candidates: &mut Candidates, mut seen: impl FnMut(&Candidates, &Find)) -> bool {
    while !candidates.is_solved() {
        let Some(find) = LADDER.iter().find_map(|finder| finder(candidates)) else { return false };
        seen(candidates, &find);
        candidates.apply(&find);
    }
    true
}
