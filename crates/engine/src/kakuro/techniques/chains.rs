//! Contradictions, tiers 6 and 7: a candidate is followed from run to run until some run has no filling left.
//!
//! A round looks at every run of which the round before changed a cell, so the number of rounds is the length of the chain:
//! how many runs lie between the candidate and the contradiction, one following from the other. Chains do not depend on the
//! order of cells and runs, and no candidate that goes makes one longer; so which tier a puzzle needs depends on the puzzle
//! alone.

use super::{
    find::{CONTRADICTION, Find, LONG_CONTRADICTION, Pattern},
    position::Position,
    trials::{candidates, without},
};
use crate::{
    budget::{Budget, OutOfBudget},
    kakuro::{
        board::Digit,
        digits::Digits,
        solver::{Propagation, exact},
    },
};

/// The longest chain of tier 6. Of 200 puzzles of each of four sizes, taken as they come once nothing easier solves them (`peers
/// kakuro chains`), this many per cent need a longest chain of so many links:
///
/// | links | 8x10 | 8x10, runs 9, white .70 | 12x12 | 15x15 |
/// |---|---|---|---|---|
/// | 2 | 62.5 | 61.5 | 77.5 | 66.0 |
/// | 3 | 31.0 | 32.0 | 20.5 | 30.5 |
/// | 4 | 5.0 | 6.0 | 0.5 | 3.0 |
/// | 5 and more | 1.5 | 0.5 | 1.5 | 0.5 |
///
/// So what lies beyond is the hardest one in twenty of them. None of 95 puzzles of publishers and other programs needs a
/// contradiction at all.
pub(crate) const SHORT_MAX: u32 = 3;

/// The longest chain that is followed.
const LINKS_MAX: u32 = 30;

/// If a candidate, followed from run to run, leaves some run without a filling, it can go, because the puzzle has a
/// solution: Contradiction, or Long Contradiction. The shortest there is; of several that of a cell with few candidates.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the flag is up: a look at every candidate of a large board takes its time.
pub(super) fn contradiction(
    position: &Position<'_>,
    propagation: &mut Propagation,
    budget: &Budget<'_>,
) -> Result<Option<Find>, OutOfBudget> {
    let (layout, sums) = (position.puzzle().layout(), position.puzzle().sums());
    let (mut links_max, mut shortest) = (LINKS_MAX, None);
    let mut cells = Vec::new();
    for (white, digit) in candidates(position) {
        if links_max == 0 {
            break;
        }
        budget.check_cancelled()?;
        cells.clear();
        cells.extend_from_slice(position.candidates());
        cells[white] = Digits::only(digit);
        propagation.push_cell(layout, white);
        if let Some(links) = propagation.rounds(layout, sums, &mut cells, exact, links_max) {
            (links_max, shortest) = (links - 1, Some((white, digit, links)));
        }
    }
    Ok(shortest.map(|(white, digit, links)| {
        let technique = if links > SHORT_MAX { LONG_CONTRADICTION } else { CONTRADICTION };
        without(technique, Pattern::Contradiction { white, digit, links }, (white, digit))
    }))
}

/// Runs that are enough for a contradiction, and of which none can be left out: in the order in which they are looked at, the
/// one that cannot be filled last.
pub(super) fn runs_of_chain(position: &Position<'_>, claim: (usize, Digit)) -> Vec<usize> {
    let all: Vec<_> = (0..position.puzzle().sums().len()).collect();
    let (mut needed, mut last) = follow(position, claim, &all).unwrap_or_default();
    for run in needed.clone().into_iter().rev() {
        let fewer: Vec<_> = needed.iter().copied().filter(|&other| other != run).collect();
        if fewer.len() < needed.len()
            && let Some(found) = follow(position, claim, &fewer)
        {
            (needed, last) = found;
        }
    }
    needed.retain(|&run| run != last);
    needed.push(last);
    needed
}

/// The runs among these that are looked at until one of them cannot be filled, and that one; none if all can.
fn follow(position: &Position<'_>, (white, digit): (usize, Digit), among: &[usize]) -> Option<(Vec<usize>, usize)> {
    let (layout, sums) = (position.puzzle().layout(), position.puzzle().sums());
    let mut propagation = Propagation::new(sums.len());
    (0..sums.len()).filter(|run| !among.contains(run)).for_each(|run| propagation.mute(run));
    let mut cells = position.candidates().to_vec();
    cells[white] = Digits::only(digit);
    propagation.push_cell(layout, white);
    let mut seen = Vec::new();
    // Each round but the last takes a candidate.
    loop {
        let waiting: Vec<_> = propagation.waiting().collect();
        if waiting.is_empty() {
            return None;
        }
        seen.extend(waiting);
        if !propagation.round(layout, sums, &mut cells, exact) {
            break;
        }
    }
    let mut once = Vec::new();
    for run in seen {
        if !once.contains(&run) {
            once.push(run);
        }
    }
    Some((once, propagation.failed()))
}
