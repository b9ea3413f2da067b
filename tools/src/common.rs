//! Helpers that several searches for starters use: specs, seeds, budgets, ratings, counts of solutions, and puzzles
//! with their solutions.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    shared::{
        budget::Budget,
        level::Tenths,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::{
        board::Grid,
        kernel::Kernel,
        techniques::{Class, class},
        tools::{self, Goal, Position},
    },
};

/// Message of the panic if [`budget`] does not suffice.
const ENOUGH: &str = "the budget is enough";

/// A budget of 400 million nodes, far more than any single question needs.
pub(crate) fn budget() -> Budget<'static> {
    budget_of(400_000_000)
}

pub(crate) fn budget_of(nodes_max: u64) -> Budget<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Budget::new(nodes_max, &NEVER)
}

/// The spec of a goal: of a half point, `3.0 to 3.4`, or of a technique.
pub(crate) fn spec(name: &str) -> Spec {
    let tenths = |text: &str| Tenths(text.replace('.', "").parse().expect("a rating"));
    let (difficulty, technique) = match name.split_once(" to ") {
        Some((min, max)) => (Difficulty::Range { min: tenths(min), max: tenths(max) }, None),
        None => (Difficulty::Any, Some(name.to_owned())),
    };
    let (kind, variant) = ("sudoku".to_owned(), "9x9".to_owned());
    Spec { kind, variant, symmetry: Symmetry::None, difficulty, givens: None, technique }
}

pub(crate) fn reaches(goal: &Goal, puzzle: &Grid) -> bool {
    goal.is_met_by(puzzle, &mut budget()).expect(ENOUGH)
}

pub(crate) fn rating(goal: &Goal, puzzle: &Grid) -> Tenths {
    goal.rating(puzzle, &mut budget()).expect(ENOUGH)
}

/// The class of reasoning that a puzzle needs; classes above `hardest` are not distinguished.
pub(crate) fn class_of(puzzle: &Grid, hardest: Class) -> Class {
    class(puzzle, hardest, &mut budget()).expect(ENOUGH)
}

/// The start position of a puzzle whose givens do not clash.
pub(crate) fn start(puzzle: &Grid) -> Position {
    Position::of(puzzle).expect("givens of a solution do not clash")
}

/// A seed that depends on the name of the goal, so that goals do not share random choices.
pub(crate) fn seed(name: &str, first: u64) -> u64 {
    name.bytes().fold(first, |seed, byte| seed * 31 % 1_000_003 + u64::from(byte))
}

/// A copy of a grid with this digit in one cell; 0 empties the cell.
pub(crate) fn with(grid: &Grid, cell: usize, digit: u8) -> Grid {
    let mut digits = *grid.cells();
    digits[cell] = digit;
    tools::grid(digits)
}

/// Number of solutions; counting stops at `max`.
pub(crate) fn solutions(puzzle: &Grid, max: usize) -> usize {
    Kernel::fastest().count(puzzle, max, &mut budget()).expect(ENOUGH)
}

/// A puzzle and its solution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Puzzled {
    pub(crate) puzzle: Grid,
    pub(crate) solution: Grid,
}

impl Puzzled {
    /// Replaces the digits of the givens and of `freed` random open cells.
    pub(crate) fn refilled(&self, freed: usize, rng: &mut Rng) -> Self {
        let (puzzle, solution) = tools::refilled(self.puzzle, self.solution, freed, rng);
        Self { puzzle, solution }
    }

    /// Replaces the digits of all givens, then several times those of a random half.
    pub(crate) fn mixed(&self, rng: &mut Rng) -> Self {
        let (puzzle, solution) = tools::mixed(self.puzzle, self.solution, rng);
        Self { puzzle, solution }
    }

    pub(crate) fn is_unique(&self) -> bool {
        solutions(&self.puzzle, 2) == 1
    }

    /// A grid with the solution's digits in the open cells; the others are empty.
    pub(crate) fn open_part(&self) -> Grid {
        let is_open = |cell: usize| self.puzzle.cells()[cell] == 0;
        tools::grid(std::array::from_fn(|cell| if is_open(cell) { self.solution.cells()[cell] } else { 0 }))
    }
}
