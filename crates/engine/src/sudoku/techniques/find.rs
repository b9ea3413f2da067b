//! What a technique finds: the pattern, the candidates it removes, the digit it places. Without allocation, so that a
//! rating alone costs little; `sentences.rs` turns it into a [`crate::step::Step`].

use super::{
    chains::ChainHint,
    geometry::{Cells, Mask, cell_at},
};
use crate::level::Tenths;

/// A technique's usual name and its rating on the Sudoku Explainer scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Technique {
    /// The usual name.
    pub name: &'static str,
    /// The rating of one step by it, in tenths.
    pub rating: Tenths,
}

impl Technique {
    pub(super) const fn new(name: &'static str, tenths: u8) -> Self {
        Self { name, rating: Tenths(tenths) }
    }
}

/// Is shown finds, one after the other, until it says that it takes one.
pub(super) type Take<'a> = dyn FnMut(Find) -> bool + 'a;

/// A technique applied to a position: a step before it is written out.
#[derive(Debug, Clone)]
pub(crate) struct Find {
    /// The technique, with the rating of this very step.
    pub(crate) technique: Technique,
    /// What proves it.
    pub(super) pattern: Pattern,
    /// What it does.
    pub(super) outcome: Outcome,
}

impl Find {
    /// Whether it places a digit.
    pub(crate) fn places(&self) -> bool {
        matches!(self.outcome, Outcome::Place { .. })
    }
}

/// What a step does to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Outcome {
    /// Places a digit, which takes it from the cell's peers. A direct technique does no more than this, as in Sudoku
    /// Explainer: a person who solves without notes has nowhere to keep what else it proves.
    Place {
        /// The cell.
        cell: usize,
        /// The digit.
        digit: usize,
    },
    /// Removes candidates, at least one.
    Remove(CandidateSet),
}

impl Outcome {
    /// Removes these candidates, if they are any.
    pub(super) fn remove(set: CandidateSet) -> Option<Self> {
        (!set.is_empty()).then_some(Self::Remove(set))
    }

    /// Removes a digit from these cells, if they are any.
    pub(super) fn remove_digit(digit: usize, cells: Cells) -> Option<Self> {
        Self::remove(CandidateSet::digit_in(digit, cells))
    }

    /// Places a digit at the one place of a house that it has left.
    pub(super) fn place_in(house: usize, place: Mask, digit: usize) -> Self {
        Self::Place { cell: cell_at(house, place), digit }
    }
}

/// The proof of a step, by family. Houses, cells and digits are numbered as on the board.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pattern {
    /// A cell is the last empty one of the house.
    LastCell { house: usize, cell: usize },
    /// A digit has one place in the house.
    HiddenSingle { house: usize, cell: usize, digit: usize },
    /// A cell has one candidate.
    NakedSingle { cell: usize, digit: usize },
    /// All places of the digit in one house lie in another; `single_in` is where that leaves a hidden single.
    Locked { from: usize, into: usize, digit: usize, cells: Cells, single_in: Option<usize> },
    /// As many cells of the house as they have candidates.
    NakedSet { house: usize, cells: Cells, digits: Mask },
    /// As many digits as they have places in the house.
    HiddenSet { house: usize, cells: Cells, digits: Mask },
    /// As many parallel lines as the lines across them in which they hold the digit.
    Fish { digit: usize, first_base: usize, base: Mask, first_cover: usize, cover: Mask, cells: Cells },
    /// A pivot, and two pincers of which one takes the digit.
    Wing { pivot: usize, pincers: [usize; 2], digit: usize },
    /// A ring that two digits must not fill alone, used in one of four ways; with the cells and digits that matter to it.
    Loop { kind: usize, ring: Cells, pair: Mask, set_cells: Cells, set_digits: Mask },
    /// The cells and digits that keep the position from being a grave; with the set or the common digit.
    Grave { cells: Cells, digits: Mask, set_cells: Cells, set_digits: Mask },
    /// Cells whose combinations fail on others that see them all.
    Aligned { base: Cells, excluders: Cells },
    /// Chains of implications.
    Chain(ChainHint),
}

impl Pattern {
    /// The type of a unique loop, 0 for anything else.
    pub(super) fn loop_type(&self) -> usize {
        if let Self::Loop { kind, .. } = self { *kind } else { 0 }
    }
}

/// A set of candidates, by digit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct CandidateSet([Cells; 10]);

impl CandidateSet {
    /// One digit in these cells.
    pub(super) fn digit_in(digit: usize, cells: Cells) -> Self {
        let mut set = Self::default();
        set.insert(digit, cells);
        set
    }

    /// Adds a digit in these cells.
    pub(super) fn insert(&mut self, digit: usize, cells: Cells) {
        self.0[digit] |= cells;
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&cells| cells == 0)
    }

    /// Each digit with its cells; cells may be none.
    pub(super) fn by_digit(&self) -> impl Iterator<Item = (usize, Cells)> {
        self.0.iter().copied().enumerate()
    }
}
