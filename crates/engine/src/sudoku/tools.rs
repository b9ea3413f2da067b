//! What the package `tools` needs beside the public API: the searches for starters, and the fit of the model of people's times. It
//! stands behind the feature `tools` and may change at any time.

use std::ops::RangeInclusive;

use super::{
    board::{CELLS, Grid},
    generate,
    goal::{self, Reach},
    orbits::orbits,
    seconds,
    starters::Puzzled,
    steer::Steering,
    steering,
    techniques::{self, Bounds, Candidates, Class, climb, play},
};
use crate::{
    budget::{Budget, OutOfBudget},
    kind::Try,
    level::Tenths,
    rng::Rng,
    spec::Spec,
    symmetry::Symmetry,
};

/// What each feature of [`seconds_features`] adds to the natural logarithm of the seconds.
pub const MODEL: [(&str, f64); 5] = seconds::MODEL;

/// Half of the range of the logarithm in which four of five puzzles lay.
pub const SPREAD: f64 = seconds::SPREAD;

/// The table of starters.
pub const TABLE: &str = super::starters::TABLE;

/// Makes one try from a random grid, whatever starters there are.
pub fn make_without_starters(spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    generate::make_for(spec, &goal::Goal::without_starters(spec), rng, budget)
}

/// A grid of these digits, 0 for an empty cell.
#[must_use]
pub const fn grid(digits: [u8; CELLS]) -> Grid {
    Grid(digits)
}

/// What is wanted of a puzzle.
#[derive(Debug)]
pub struct Goal(goal::Goal);

impl Goal {
    /// The goal of a spec.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Self(goal::Goal::without_starters(spec))
    }

    /// The classes of reasoning of which nearly all its puzzles need one.
    #[must_use]
    pub fn classes(&self) -> Option<&RangeInclusive<Class>> {
        self.0.classes.as_ref()
    }

    /// Whether a puzzle reaches it.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub fn is_met_by(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        self.0.is_met_by(puzzle, budget)
    }

    /// The hardest step of a puzzle, up to the first that is too hard for the goal.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub fn rating(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Tenths, OutOfBudget> {
        Ok(self.0.look(puzzle, budget)?.er)
    }

    /// A puzzle of a grid that one try found to reach it.
    ///
    /// # Errors
    /// [`OutOfBudget`] if some removal could not be decided.
    pub fn steered(
        &self,
        solution: &Grid,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Grid>, OutOfBudget> {
        let (goal, row, orbits) = (&self.0, steering::row(&self.0), orbits(Symmetry::None));
        let (puzzle, reach) = Steering { goal, row, solution, orbits: &orbits }.puzzle(rng, budget)?;
        Ok((reach == Reach::Yes).then_some(puzzle))
    }
}

/// A puzzle with its given cells filled in some other way, and with them so many of the open ones; and the solution.
pub fn refilled(puzzle: Grid, solution: Grid, freed: usize, rng: &mut Rng) -> (Grid, Grid) {
    let Puzzled { puzzle, solution } = Puzzled { puzzle, solution }.refilled(freed, rng);
    (puzzle, solution)
}

/// A puzzle with its given cells filled in some other way, and with half of them again and again; and the solution.
pub fn mixed(puzzle: Grid, solution: Grid, rng: &mut Rng) -> (Grid, Grid) {
    let Puzzled { puzzle, solution } = Puzzled { puzzle, solution }.mixed(rng);
    (puzzle, solution)
}

/// A half-solved puzzle. Sets of cells have a bit for each cell, sets of digits for each digit.
#[derive(Debug, Clone)]
pub struct Position(Candidates);

impl Position {
    /// The start; none if two givens clash.
    #[must_use]
    pub fn of(puzzle: &Grid) -> Option<Self> {
        Candidates::of(puzzle).map(Self)
    }

    /// The digits placed.
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

    /// The cells that a digit is a candidate of.
    #[must_use]
    pub fn of_digit(&self, digit: usize) -> u128 {
        self.0.of_digit(digit)
    }

    /// Number of candidates.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.count()
    }

    /// Places a digit.
    pub fn place(&mut self, cell: usize, digit: usize) {
        self.0.place(cell, digit);
    }

    /// Removes a digit from cells that it is a candidate of.
    pub fn remove(&mut self, digit: usize, cells: u128) {
        techniques::remove(&mut self.0, digit, cells);
    }

    /// Fills every cell that a single shows; whether there was one.
    pub fn fill_singles(&mut self) -> bool {
        techniques::fill_singles(&mut self.0)
    }

    /// Takes every locked candidate; whether there was one.
    pub fn lock(&mut self) -> bool {
        techniques::lock(&mut self.0)
    }

    /// Removes every candidate that contradicts itself by a chain; whether there was one.
    pub fn refute_each(&mut self) -> bool {
        techniques::refute_each(&mut self.0)
    }

    /// Takes the steps up to a rating; whether there was one.
    pub fn climb_up_to(&mut self, hardest: Tenths, budget: &mut Budget<'_>) -> bool {
        let before = self.0.count();
        climb(&mut self.0, Bounds::up_to(hardest), budget, |_, _| ());
        self.0.count() < before
    }
}

/// The features of a solved puzzle by which the model predicts the seconds of people.
#[must_use]
pub fn seconds_features(start: &Position, solution: &Grid, er: Tenths) -> [f64; 5] {
    seconds::features(&play(&start.0, solution), er)
}

/// The looks of one who goes through the digits in their order.
#[must_use]
pub fn looks_in_order(start: &Position, solution: &Grid) -> u32 {
    play(&start.0, solution).in_order
}
