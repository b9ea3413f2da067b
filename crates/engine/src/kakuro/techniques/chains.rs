//! Contradictions, tiers 6 and 7: follow a candidate from run to run until a run cannot be filled. And Trial and Error, tier 8:
//! refutes candidates by a search.
//!
//! A round filters every run with a cell that the previous round changed. So the number of rounds is the length of the
//! chain: the number of runs from the candidate to the contradiction. The length does not depend on the order of cells
//! and runs, and removing a candidate never makes a chain longer. So the tier of a puzzle depends on the puzzle alone.

use super::{
    find::{CONTRADICTION, Find, LONG_CONTRADICTION, Outcome, Pattern, TRIAL, Technique},
    position::Position,
};
use crate::{
    kakuro::{
        board::Digit,
        digits::Digits,
        solver::{Propagation, exact, is_possible},
    },
    shared::budget::{Budget, OutOfBudget},
};

/// The longest chain of tier 6. `peers kakuro chains` prints the share of puzzles whose longest chain has each length,
/// in percent, over 200 unsteered puzzles of each size that nothing easier solves:
///
/// | links | 8x10 | 8x10, runs 9, white .70 | 12x12 | 15x15 |
/// |---|---|---|---|---|
/// | 2 | 62.5 | 61.5 | 77.5 | 66.0 |
/// | 3 | 31.0 | 32.0 | 20.5 | 30.5 |
/// | 4 | 5.0 | 6.0 | 0.5 | 3.0 |
/// | 5 and more | 1.5 | 0.5 | 1.5 | 0.5 |
///
/// So tier 7 has the hardest 2 to 7 % of these puzzles. Of 95 puzzles by publishers and other programs, none needs a
/// contradiction.
pub(crate) const SHORT_MAX: u32 = 3;

/// The longest chain that is searched for.
const LINKS_MAX: u32 = 30;

/// If a candidate, followed from run to run, leads to a run that cannot be filled, the candidate can be removed:
/// Contradiction, or Long Contradiction. Finds the shortest chain. Of several, it finds one that starts at a cell with few
/// candidates.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the cancel flag is raised. It is read for each candidate, because a large board has
/// many.
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

/// A minimal set of runs that leads to the contradiction, in the order in which they are filtered. The last one is the run
/// that cannot be filled.
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

/// Filters the runs of `among` until one of them cannot be filled. Returns the runs that it filtered, and the one that
/// cannot be filled. `None` if all can be filled.
fn follow(position: &Position<'_>, (white, digit): (usize, Digit), among: &[usize]) -> Option<(Vec<usize>, usize)> {
    let (layout, sums) = (position.puzzle().layout(), position.puzzle().sums());
    let mut propagation = Propagation::new(sums.len());
    (0..sums.len()).filter(|run| !among.contains(run)).for_each(|run| propagation.mute(run));
    let mut cells = position.candidates().to_vec();
    cells[white] = Digits::only(digit);
    propagation.push_cell(layout, white);
    let mut seen = Vec::new();
    // Each round but the last removes a candidate.
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

/// The maximum number of nodes for the trial of one candidate.
const NODES_PER_TRIAL_MAX: u64 = 20_000;

/// If a search finds no solution with a candidate, the candidate can be removed: Trial and Error. The hardest
/// technique; it solves every puzzle with one solution if the budget suffices.
///
/// # Errors
/// [`OutOfBudget`] if every search that might refute a candidate exhausts its nodes.
pub(super) fn trial(position: &Position<'_>, budget: &mut Budget<'_>) -> Result<Option<Find>, OutOfBudget> {
    let mut unknown = None;
    for (white, digit) in candidates(position) {
        let mut cells = position.candidates().to_vec();
        cells[white] = Digits::only(digit);
        let before = budget.nodes_used();
        match budget.within(NODES_PER_TRIAL_MAX, |budget| is_possible(position.puzzle(), &cells, budget)) {
            Ok(true) => {}
            Ok(false) => {
                let nodes = budget.nodes_used() - before;
                return Ok(Some(without(TRIAL, Pattern::Trial { white, digit, nodes }, (white, digit))));
            }
            Err(OutOfBudget::Cancelled) => return Err(OutOfBudget::Cancelled),
            Err(OutOfBudget::Nodes) => unknown = Some(OutOfBudget::Nodes),
        }
    }
    unknown.map_or(Ok(None), Err)
}

/// The candidates of open cells, starting with cells that have few.
fn candidates(position: &Position<'_>) -> Vec<(usize, Digit)> {
    let mut open: Vec<_> = (0..position.candidates().len()).filter(|&white| !position.is_filled(white)).collect();
    open.sort_by_key(|&white| position.candidates()[white].len());
    open.iter().flat_map(|&white| position.candidates()[white].iter().map(move |digit| (white, digit))).collect()
}

/// The step that removes a candidate.
fn without(technique: Technique, pattern: Pattern, (white, digit): (usize, Digit)) -> Find {
    Find { technique, pattern, outcome: Outcome::Remove(vec![(white, Digits::only(digit))]) }
}
