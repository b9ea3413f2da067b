//! Counts the backtracks of a plain backtracking solver for Kakuro, a metric of difficulty. The solver knows only the
//! combinations of each run, fills the cell with the fewest candidates first, and tries the lowest digit first.

use crate::{
    kakuro::{
        board::Puzzle,
        digits::Digits,
        reasoning::FILTERS,
        solver::{Propagation, open},
    },
    shared::budget::{Budget, OutOfBudget},
};

/// The count stops here.
pub const BACKTRACKS_MAX: u32 = 300;

/// The number of digits that the plain solver undoes before it finds a solution, up to [`BACKTRACKS_MAX`].
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the cancel flag is raised. Uses no nodes.
pub fn plain_backtracks(puzzle: &Puzzle, budget: &Budget<'_>) -> Result<u32, OutOfBudget> {
    let mut plain = Plain { puzzle, propagation: Propagation::new(puzzle.sums().len()), backtracks: 0 };
    let mut cells = open(puzzle);
    plain.propagation.push_all(puzzle.layout());
    if plain.propagate(&mut cells) {
        plain.solve(&cells, budget)?;
    }
    Ok(plain.backtracks.min(BACKTRACKS_MAX))
}

struct Plain<'p> {
    puzzle: &'p Puzzle,
    propagation: Propagation,
    backtracks: u32,
}

impl Plain<'_> {
    /// Whether a solution was found, or the count reached its limit.
    fn solve(&mut self, cells: &[Digits], budget: &Budget<'_>) -> Result<bool, OutOfBudget> {
        let open = (0..cells.len()).filter(|&white| !cells[white].is_single());
        let Some(white) = open.min_by_key(|&white| cells[white].len()) else { return Ok(true) };
        for digit in cells[white].iter() {
            budget.check_cancelled()?;
            let mut taken = cells.to_vec();
            taken[white] = Digits::only(digit);
            self.propagation.push_cell(self.puzzle.layout(), white);
            if self.propagate(&mut taken) && self.solve(&taken, budget)? {
                return Ok(true);
            }
            self.backtracks += 1;
            if self.backtracks >= BACKTRACKS_MAX {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn propagate(&mut self, cells: &mut [Digits]) -> bool {
        self.propagation.run(self.puzzle.layout(), self.puzzle.sums(), cells, FILTERS[1])
    }
}
