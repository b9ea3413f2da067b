//! What is tried and refuted, tiers 6 and 7.

use super::{
    find::{CONTRADICTION, Find, Outcome, Pattern, TRIAL, Technique},
    position::Position,
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    kakuro::{
        board::Digit,
        digits::Digits,
        solver::{Propagation, exact, is_possible},
    },
};

/// Nodes for one candidate on trial.
const NODES_PER_TRIAL_MAX: u64 = 20_000;

/// If a candidate, followed from run to run, leaves some run without a filling, it can go, because the puzzle has a
/// solution: Contradiction. Cells with few candidates are tried first.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the flag is up: a look at every candidate of a large board takes its time.
pub(super) fn contradiction(
    position: &Position<'_>,
    propagation: &mut Propagation,
    budget: &Budget<'_>,
) -> Result<Option<Find>, OutOfBudget> {
    let layout = position.puzzle().layout();
    for (white, digit) in candidates(position) {
        budget.check_cancelled()?;
        let mut cells = position.candidates().to_vec();
        cells[white] = Digits::only(digit);
        propagation.push_cell(layout, white);
        if !propagation.run(layout, position.puzzle().sums(), &mut cells, exact) {
            let run = propagation.failed();
            let pattern = Pattern::Contradiction { white, digit, run };
            return Ok(Some(without(CONTRADICTION, pattern, (white, digit))));
        }
    }
    Ok(None)
}

/// If a search below a candidate finds no solution, it can go: Trial and Error. The hardest there is, and always enough for
/// a puzzle with one solution.
///
/// # Errors
/// [`OutOfBudget`] if every candidate that might go needs too long a search.
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

/// The candidates of open cells, those of cells with few first.
fn candidates(position: &Position<'_>) -> Vec<(usize, Digit)> {
    let mut open: Vec<_> = (0..position.candidates().len()).filter(|&white| !position.is_filled(white)).collect();
    open.sort_by_key(|&white| position.candidates()[white].len());
    open.iter().flat_map(|&white| position.candidates()[white].iter().map(move |digit| (white, digit))).collect()
}

fn without(technique: Technique, pattern: Pattern, (white, digit): (usize, Digit)) -> Find {
    Find { technique, pattern, outcome: Outcome::Remove(vec![(white, Digits::only(digit))]) }
}
