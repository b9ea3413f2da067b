//! The ladder: all techniques from the easiest to the hardest, and the loop that takes the easiest step until the puzzle is
//! solved.

use super::{
    aligned::{self, Triplets, aligned_pair},
    bug::{self, bug},
    candidates::Candidates,
    chains::{self, CHAINS, Ground, Rules, Searcher},
    direct::{self, direct_hidden_pair, direct_hidden_triplet, direct_locked},
    find::{Find, Take, Technique},
    fish::{self, jellyfish, swordfish, x_wing},
    locked::{self, locked},
    loops::{self, unique_loop},
    singles::{self, hidden_single, naked_single},
    steps::write,
    subsets::{self, hidden_pair, hidden_quad, hidden_triplet, naked_pair, naked_quad, naked_triplet},
    wings::{self, xy_wing, xyz_wing},
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        step::Step,
    },
    sudoku::board::Grid,
};

/// Offers each use of a technique, or of several that are searched for together, in scan order until one is taken. Returns
/// whether one was taken.
type Finder = fn(&Candidates, &mut Take<'_>) -> bool;

/// The order in which pattern techniques are tried: that of Sudoku Explainer's classic configuration.
const PATTERNS: [Finder; 20] = [
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
    unique_loop,
    naked_quad,
    jellyfish,
    hidden_quad,
    bug,
    aligned_pair,
];

/// The searches for chains with several branches, tried after single chains and aligned triplets.
const BRANCHES: [Rules; 8] = [
    Rules::NISHIO,
    Rules::MULTIPLE,
    Rules::dynamic(0),
    Rules::dynamic(1),
    Rules::dynamic(2),
    Rules::dynamic(3),
    Rules::dynamic(4),
    Rules::dynamic(5),
];

/// The techniques that are patterns, in the order of the ladder.
const PATTERN_TECHNIQUES: [Technique; 35] = [
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
    loops::LOOPS[0],
    loops::LOOPS[1],
    loops::LOOPS[2],
    loops::LOOPS[3],
    loops::LOOPS[4],
    loops::LOOPS[5],
    loops::LOOPS[6],
    loops::LOOPS[7],
    subsets::NAKED_QUAD,
    fish::JELLYFISH,
    subsets::HIDDEN_QUAD,
    bug::BUG_1,
    bug::BUG_2,
    bug::BUG_4,
    bug::BUG_3,
    aligned::ALIGNED_PAIR,
    aligned::ALIGNED_TRIPLET,
];

/// Number of techniques of the ladder.
const COUNT: usize = PATTERN_TECHNIQUES.len() + CHAINS.len();

/// Every technique of the ladder with the rating of its easiest form, easiest first.
pub const TECHNIQUES: [Technique; COUNT] = techniques();

const fn techniques() -> [Technique; COUNT] {
    let mut all = [singles::LAST_CELL; COUNT];
    let mut at = 0;
    while at < COUNT {
        let next =
            if at < PATTERN_TECHNIQUES.len() { PATTERN_TECHNIQUES[at] } else { CHAINS[at - PATTERN_TECHNIQUES.len()] };
        let mut place = at;
        while place > 0 && all[place - 1].rating.0 > next.rating.0 {
            all[place] = all[place - 1];
            place -= 1;
        }
        all[place] = next;
        at += 1;
    }
    all
}

/// The steps from a puzzle to its solution, or as far as the ladder gets within the budget. Empty if givens clash. The ladder
/// ends on every board, because each step fills a cell or removes a candidate.
#[must_use]
pub fn reason(puzzle: &Grid, budget: &mut Budget<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    if let Some(mut candidates) = Candidates::of(puzzle) {
        let mut proofs = budget.renewed(u64::MAX);
        climb(&mut candidates, Tenths::MAX, budget, |before, find| steps.push(write(before, find, &mut proofs)));
    }
    steps
}

/// The steps on a half-filled board up to the first placement, or as far as the ladder gets. Empty if digits clash. The ladder
/// starts with the candidates that `marks` has for each cell, as bits.
///
/// # Errors
/// [`OutOfBudget`] if the budget ended before the first step.
pub(crate) fn to_next_digit(board: &Grid, marks: &[u32], budget: &mut Budget<'_>) -> Result<Vec<Step>, OutOfBudget> {
    let mut steps = Vec::new();
    let Some(mut candidates) = Candidates::of(board) else { return Ok(steps) };
    marks.iter().enumerate().for_each(|(cell, &marks)| candidates.keep(cell, marks));
    let mut memory = Memory::default();
    let mut proofs = budget.renewed(u64::MAX);
    loop {
        match next(&candidates, Tenths::MAX, &mut memory, budget) {
            Ok(find) => {
                steps.push(write(&candidates, &find, &mut proofs));
                if find.places() {
                    return Ok(steps);
                }
                candidates.apply(&find);
            }
            Err(Climb::OutOfBudget { why, .. }) if steps.is_empty() => return Err(why),
            Err(_) => return Ok(steps),
        }
    }
}

/// How a climb of the ladder ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Climb {
    Solved,
    /// No technique finds a step.
    Stuck,
    /// The next step is rated above the limit.
    Harder {
        /// The lowest rating that the next step can have.
        at_least: Tenths,
    },
    /// The budget ended in the search for the next step.
    OutOfBudget {
        /// Why the search ended.
        why: OutOfBudget,
        /// The lowest rating that a result of the unfinished search could have.
        at_least: Tenths,
    },
}

/// Repeatedly takes the easiest step rated at most `hardest`, until the puzzle is solved, no step is found, or the next
/// step is too hard. Calls `visit` with each step and the position before it. A node of the budget is one implication
/// that a chain search follows.
pub(crate) fn climb(
    candidates: &mut Candidates,
    hardest: Tenths,
    budget: &mut Budget<'_>,
    mut visit: impl FnMut(&Candidates, &Find),
) -> Climb {
    let mut memory = Memory::default();
    while !candidates.is_solved() {
        match next(candidates, hardest, &mut memory, budget) {
            Ok(find) => {
                visit(candidates, &find);
                candidates.apply(&find);
            }
            Err(end) => return end,
        }
    }
    Climb::Solved
}

/// What the searches of one climb remember from one position to the next.
#[derive(Default)]
struct Memory {
    searcher: Searcher,
    triplets: Triplets,
}

/// The easiest step in a position, or how the climb ends there.
fn next(candidates: &Candidates, hardest: Tenths, memory: &mut Memory, budget: &mut Budget<'_>) -> Result<Find, Climb> {
    let Memory { searcher, triplets } = memory;
    let within = |rating: Tenths| if rating <= hardest { Ok(()) } else { Err(Climb::Harder { at_least: rating }) };
    let kept = |find: Find| within(find.technique.rating).map(|()| find);
    if let Some(find) = PATTERNS.iter().find_map(|finder| first(finder, candidates)) {
        return kept(find);
    }
    within(CHAINS[0].rating)?;
    let ground = Ground::of(candidates);
    let broken_off = |at_least| move |why| Climb::OutOfBudget { why, at_least };
    if let Some(hint) = searcher.single(&ground, budget).map_err(broken_off(CHAINS[0].rating))? {
        return kept(chains::find(&ground, hint));
    }
    if let Some(find) = first(|candidates, take| triplets.search(candidates, take), candidates) {
        return kept(find);
    }
    for rules in BRANCHES {
        within(rules.easiest())?;
        let hint = searcher.multiple(&ground, rules, budget);
        if let Some(hint) = hint.map_err(broken_off(rules.easiest()))? {
            return kept(chains::find(&ground, hint));
        }
    }
    Err(Climb::Stuck)
}

/// The first find of a technique.
fn first(finder: impl FnOnce(&Candidates, &mut Take<'_>) -> bool, candidates: &Candidates) -> Option<Find> {
    let mut found = None;
    finder(candidates, &mut |find| {
        found = Some(find);
        true
    });
    found
}

/// Calls `visit` with every use of the techniques rated up to 4.4.
pub(super) fn each_open(candidates: &Candidates, mut visit: impl FnMut(Find)) {
    for finder in &PATTERNS[..OPEN] {
        finder(candidates, &mut |find| {
            visit(find);
            false
        });
    }
}

/// The number of finders for techniques rated up to 4.4. They come first in the list, and the XYZ-Wing is the last of them.
const OPEN: usize = 14;
