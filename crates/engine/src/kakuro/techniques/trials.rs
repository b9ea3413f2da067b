//! Trial and Error, tier 8: a search refutes candidates. Also has helpers that the chains share.

use super::{
    find::{Find, Outcome, Pattern, TRIAL, Technique},
    position::Position,
};
use crate::{
    kakuro::{board::Digit, digits::Digits, solver::is_possible},
    shared::budget::{Budget, OutOfBudget},
};

/// The maximum number of nodes for the trial of one candidate.
const NODES_PER_TRIAL_MAX: u64 = 20_000;

/// If a search finds no solution with a candidate, the candidate can go: Trial and Error. The hardest technique; it
/// solves every puzzle with one solution if the budget suffices.
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
pub(super) fn candidates(position: &Position<'_>) -> Vec<(usize, Digit)> {
    let mut open: Vec<_> = (0..position.candidates().len()).filter(|&white| !position.is_filled(white)).collect();
    open.sort_by_key(|&white| position.candidates()[white].len());
    open.iter().flat_map(|&white| position.candidates()[white].iter().map(move |digit| (white, digit))).collect()
}

/// The step that removes a candidate.
pub(super) fn without(technique: Technique, pattern: Pattern, (white, digit): (usize, Digit)) -> Find {
    Find { technique, pattern, outcome: Outcome::Remove(vec![(white, Digits::only(digit))]) }
}
