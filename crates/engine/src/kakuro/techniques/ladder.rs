//! The ladder: all techniques from the easiest to the hardest, and the loop that takes the easiest step until the
//! puzzle is solved.

use super::{
    chains::{contradiction, trial},
    cuts::sum_cut,
    find::{Find, Outcome, Tier},
    position::Position,
    runs::{
        all_combinations, fitting_combinations, fitting_digit, hidden_single, last_cell, naked_pair, naked_single,
        naked_triplet, partner, required_digit, run_fillings, unique_combination, unique_rest,
    },
    steps::write,
};
use crate::{
    kakuro::{
        board::{Digit, Puzzle},
        digits::Digits,
        solver::Propagation,
    },
    shared::{
        budget::{Budget, OutOfBudget},
        step::Step,
    },
};

/// Finds the first use of a technique in a run, or none.
type RunFinder = fn(&Position<'_>, usize) -> Option<Find>;

/// The techniques on single runs, in the order in which the ladder tries them, with their tiers.
const RUN_LADDER: [(u8, RunFinder); 13] = [
    (0, last_cell),
    (0, naked_single),
    (0, unique_combination),
    (1, unique_rest),
    (1, hidden_single),
    (2, all_combinations),
    (2, required_digit),
    (3, partner),
    (3, fitting_combinations),
    (3, fitting_digit),
    (4, naked_pair),
    (4, naked_triplet),
    (4, run_fillings),
];

/// The steps from a puzzle to its solution, or as far as the ladder and the budget reach.
///
/// # Errors
/// [`OutOfBudget`] if the last technique, a search, exhausts the budget.
pub fn reason(puzzle: &Puzzle, budget: &mut Budget<'_>) -> Result<Vec<Step>, OutOfBudget> {
    let mut steps = Vec::new();
    climb(&mut Climb::start(puzzle, Tier(8)), budget, |before, find| steps.push(write(before, find)))?;
    Ok(steps)
}

/// The steps from a board with these digits (0 for an empty cell) to the next digit, or as far as the budget reaches. The ladder
/// starts with the candidates that `marks` has for each empty cell.
///
/// # Errors
/// [`OutOfBudget`] if the budget does not suffice for one step, or the cancel flag is raised.
pub(crate) fn reason_to_digit(
    puzzle: &Puzzle,
    digits: &[Digit],
    marks: &[Digits],
    budget: &mut Budget<'_>,
) -> Result<Vec<Step>, OutOfBudget> {
    let mut climb = Climb::start(puzzle, Tier(8));
    for (white, &digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        climb.position.place(white, digit);
    }
    for (white, &marks) in marks.iter().enumerate().filter(|(white, _)| digits[*white] == 0) {
        climb.position.keep(white, marks);
    }
    let mut steps = Vec::new();
    while climb.position.open() > 0 {
        let find = match climb.next(budget) {
            Err(OutOfBudget::Nodes) if !steps.is_empty() => break,
            next => next?,
        };
        let Some(find) = find else { break };
        steps.push(write(&climb.position, &find));
        if matches!(find.outcome, Outcome::Place { .. }) {
            break;
        }
        climb.position.apply(&find);
    }
    Ok(steps)
}

/// A puzzle that is being solved with the ladder.
#[derive(Debug)]
pub(crate) struct Climb<'p> {
    pub(crate) position: Position<'p>,
    propagation: Propagation,
    /// For each technique on runs, the state of each run when the technique last found nothing there.
    seen: [Vec<u32>; RUN_LADDER.len()],
    tier_max: Tier,
}

impl<'p> Climb<'p> {
    /// Starts at the puzzle, with the techniques up to a tier.
    pub(crate) fn start(puzzle: &'p Puzzle, tier_max: Tier) -> Self {
        let runs = puzzle.sums().len();
        Self {
            position: Position::start(puzzle),
            propagation: Propagation::new(runs),
            seen: std::array::from_fn(|_| vec![0; runs]),
            tier_max,
        }
    }

    /// The easiest step that is possible.
    fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Find>, OutOfBudget> {
        budget.check_cancelled()?;
        for ((tier, finder), seen) in RUN_LADDER.iter().zip(&mut self.seen) {
            for (run, seen) in seen.iter_mut().enumerate().filter(|_| *tier <= self.tier_max.0) {
                let changes = self.position.changes(run);
                if *seen == changes {
                    continue;
                }
                if let Some(find) = finder(&self.position, run) {
                    return Ok(Some(find));
                }
                *seen = changes;
            }
        }
        budget.check_cancelled()?;
        let cut = (self.tier_max >= Tier(5)).then(|| sum_cut(&self.position)).flatten();
        if cut.is_some() || self.tier_max < Tier(6) {
            return Ok(cut);
        }
        let find = contradiction(&self.position, &mut self.propagation, budget)?;
        if find.is_some() || self.tier_max < Tier(8) {
            return Ok(find.filter(|find| find.technique.tier <= self.tier_max));
        }
        trial(&self.position, budget)
    }
}

/// Takes the easiest step until the puzzle is solved or no step is possible. Passes each step and the position before
/// it to `visit`. Always ends, because each step fills a cell or removes a candidate.
///
/// # Errors
/// [`OutOfBudget`] if the last technique, a search, exhausts the budget, or the cancel flag is raised.
pub(crate) fn climb(
    climb: &mut Climb<'_>,
    budget: &mut Budget<'_>,
    mut visit: impl FnMut(&Position<'_>, &Find),
) -> Result<(), OutOfBudget> {
    while climb.position.open() > 0
        && let Some(find) = climb.next(budget)?
    {
        visit(&climb.position, &find);
        climb.position.apply(&find);
    }
    Ok(())
}
