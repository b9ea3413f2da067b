//! What the package `tools` needs beyond the public API: the searches for starters and the fit of the time model. Requires the
//! feature `tools`, and may change at any time.

use std::ops::RangeInclusive;

use super::{
    board::{CELLS, Grid},
    make::{goal, starters::Puzzled, steer::Steering, steering},
    orbits::orbits,
    rate::{rating::harder, seconds},
    techniques::{self, Candidates, Class, Climb, Technique, climb, play},
};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
    spec::Spec,
    symmetry::Symmetry,
};

/// The weight of each feature of [`seconds_features`] in the natural logarithm of the seconds.
pub const MODEL: [(&str, f64); 5] = seconds::MODEL;

/// Half the width of the interval of the logarithm that contained four of five puzzles.
pub const SPREAD: f64 = seconds::SPREAD;

/// The text of the table of starters.
pub const TABLE: &str = super::make::starters::TABLE;

/// The hardest technique of a puzzle, with the puzzle's rating. `None` if the ladder does not finish the puzzle within the budget.
#[must_use]
pub fn hardest(puzzle: &Grid, budget: &mut Budget<'_>) -> Option<Technique> {
    let (mut position, mut hardest) = (Candidates::of(puzzle)?, None);
    let end = climb(&mut position, Tenths::MAX, budget, |_, find| hardest = harder(hardest, find.technique));
    hardest.filter(|_| end == Climb::Solved)
}

/// A grid of these digits, 0 for an empty cell; does not check that they are 0–9.
#[must_use]
pub const fn grid(digits: [u8; CELLS]) -> Grid {
    Grid(digits)
}

/// What a try must reach.
#[derive(Debug)]
pub struct Goal(goal::Goal);

impl Goal {
    /// The goal of a spec without givens.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Self(goal::Goal::without_starters(spec, &mut Rng::from_seed(0)))
    }

    /// Nearly every puzzle that reaches the goal needs one of these classes of reasoning.
    #[must_use]
    pub fn classes(&self) -> Option<&RangeInclusive<Class>> {
        self.0.classes.as_ref()
    }

    /// Whether a puzzle reaches the goal. Ignores the number of givens.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub fn is_met_by(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        self.0.is_met_by(puzzle, budget)
    }

    /// The rating of the hardest step of a puzzle, up to the first that is too hard for the goal.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub fn rating(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Tenths, OutOfBudget> {
        Ok(self.0.look(puzzle, budget)?.er())
    }

    /// The puzzle that one try makes from a grid. It may miss the goal.
    ///
    /// # Errors
    /// [`OutOfBudget`] if a removal could not be decided.
    pub fn steered(&self, solution: &Grid, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        let (goal, row, orbits) = (&self.0, steering::row(&self.0), orbits(Symmetry::None));
        Steering { goal, row, solution, orbits: &orbits }.puzzle(rng, budget)
    }
}

/// Replaces the digits of the givens and of `freed` random open cells. Returns the puzzle and its solution.
pub fn refilled(puzzle: Grid, solution: Grid, freed: usize, rng: &mut Rng) -> (Grid, Grid) {
    let Puzzled { puzzle, solution } = Puzzled { puzzle, solution }.refilled(freed, rng);
    (puzzle, solution)
}

/// Replaces the digits of all givens, then several times those of a random half. Returns the puzzle and its solution.
pub fn mixed(puzzle: Grid, solution: Grid, rng: &mut Rng) -> (Grid, Grid) {
    let Puzzled { puzzle, solution } = Puzzled { puzzle, solution }.mixed(rng);
    (puzzle, solution)
}

/// A half-solved puzzle. In a set of cells, bit n is cell n; in a set of digits, bit n is digit n.
#[derive(Debug, Clone)]
pub struct Position(Candidates);

impl Position {
    /// The start position, or `None` if two givens clash.
    #[must_use]
    pub fn of(puzzle: &Grid) -> Option<Self> {
        Candidates::of(puzzle).map(Self)
    }

    /// The digits placed so far.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.0.grid()
    }

    /// The empty cells.
    #[must_use]
    pub fn empty(&self) -> u128 {
        self.0.empty()
    }

    /// The candidates of a cell.
    #[must_use]
    pub fn of_cell(&self, cell: usize) -> u16 {
        self.0.of_cell(cell)
    }

    /// The cells that have this digit as a candidate.
    #[must_use]
    pub fn of_digit(&self, digit: usize) -> u128 {
        self.0.of_digit(digit)
    }

    /// Number of candidates in all empty cells.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.count()
    }

    /// Places a digit in an empty cell that has it as a candidate, and removes it from the cell's peers.
    pub fn place(&mut self, cell: usize, digit: usize) {
        self.0.place(cell, digit);
    }

    /// Removes a digit from the candidates of these cells.
    pub fn remove(&mut self, digit: usize, cells: u128) {
        techniques::remove(&mut self.0, digit, cells);
    }

    /// Fills every single. Returns whether there was one.
    pub fn fill_singles(&mut self) -> bool {
        techniques::fill_singles(&mut self.0)
    }

    /// Makes every elimination by locked candidates. Returns whether there was one.
    pub fn lock(&mut self) -> bool {
        techniques::lock(&mut self.0)
    }

    /// Removes every candidate that contradicts itself by a chain. Returns whether there was one.
    pub fn refute_each(&mut self) -> bool {
        techniques::refute_each(&mut self.0)
    }

    /// Takes the steps up to a rating. Returns whether there was one.
    pub fn climb_up_to(&mut self, hardest: Tenths, budget: &mut Budget<'_>) -> bool {
        let before = self.0.count();
        climb(&mut self.0, hardest, budget, |_, _| ());
        self.0.count() < before
    }
}

/// The features of a solved puzzle from which the model predicts people's time.
#[must_use]
pub fn seconds_features(start: &Position, solution: &Grid, er: Tenths) -> [f64; 5] {
    seconds::features(&play(&start.0, solution), er)
}

/// Number of looks of a player who searches for the digits in their order; see `Looks::in_order`.
#[must_use]
pub fn looks_in_order(start: &Position, solution: &Grid) -> u32 {
    play(&start.0, solution).in_order
}
