//! Defines what a technique of Sudoku is, and what it finds: its pattern, and the placement or eliminations that
//! follow. A find needs no allocation, so that rating without explaining is cheap; `steps.rs` turns it into a
//! [`crate::shared::step::Step`].

use super::{
    chains::ChainHint,
    geometry::{Cells, Mask, bits, cell_at, one},
};
use crate::shared::level::Tenths;

/// A technique's name and its rating on the Sudoku Explainer scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Technique {
    /// The name that Sudoku Explainer uses.
    pub name: &'static str,
    /// The rating of one step, in tenths. In the list of techniques, the rating of the easiest form.
    pub rating: Tenths,
}

impl Technique {
    pub(super) const fn new(name: &'static str, tenths: u8) -> Self {
        Self { name, rating: Tenths(tenths) }
    }
}

/// A callback for the finds of a technique. If it returns true, it takes the find, and the technique stops its search.
pub(super) type Take<'a> = dyn FnMut(Find) -> bool + 'a;

/// A technique applied to a position: a step before its sentence is written.
#[derive(Debug, Clone)]
pub(crate) struct Find {
    /// The technique, with the rating of this particular step.
    pub(crate) technique: Technique,
    /// The pattern that proves the step.
    pub(super) pattern: Pattern,
    /// The placement or the eliminations.
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
    /// Places a digit, and thereby removes it from the cell's peers. A direct technique does only this, as in Sudoku Explainer,
    /// because a person who solves without pencil marks cannot record its other eliminations.
    Place { cell: usize, digit: usize },
    /// Removes at least one candidate.
    Remove(CandidateSet),
}

impl Outcome {
    /// Removes these candidates; `None` if there are none.
    pub(super) fn remove(set: CandidateSet) -> Option<Self> {
        (!set.is_empty()).then_some(Self::Remove(set))
    }

    /// Removes a digit from these cells; `None` if there are none.
    pub(super) fn remove_digit(digit: usize, cells: Cells) -> Option<Self> {
        Self::remove(CandidateSet::digit_in(digit, cells))
    }

    /// Places a digit at its one remaining place in a house.
    pub(super) fn place_in(house: usize, place: Mask, digit: usize) -> Self {
        Self::Place { cell: cell_at(house, place), digit }
    }
}

/// The proof of a step, by family of techniques. Houses, cells, and digits are numbered as on the board.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pattern {
    /// The cell is the last empty one of the house.
    LastCell { house: usize, cell: usize },
    /// The digit has one place in the house.
    HiddenSingle { house: usize, cell: usize, digit: usize },
    /// The cell has one candidate.
    NakedSingle { cell: usize, digit: usize },
    /// All places of the digit in house `from` lie in house `into`; `single_in` is the house where that leaves a hidden single.
    Locked { from: usize, into: usize, digit: usize, cells: Cells, single_in: Option<usize> },
    /// Some cells of the house that together have as many candidates as cells.
    NakedSet { house: usize, cells: Cells, digits: Mask },
    /// Some digits that together have as many places in the house as digits.
    HiddenSet { house: usize, cells: Cells, digits: Mask },
    /// Some parallel lines (base) whose places for the digit all lie in as many crossing lines (cover).
    Fish { digit: usize, first_base: usize, base: Mask, first_cover: usize, cover: Mask, cells: Cells },
    /// A pivot and two pincers, one of which takes the digit.
    Wing { pivot: usize, pincers: [usize; 2], digit: usize },
    /// A ring of cells that must not hold two digits alone, used in one of four ways, with the cells and digits of that use.
    Loop { kind: usize, ring: Cells, pair: Mask, set_cells: Cells, set_digits: Mask },
    /// The cells and digits that keep the position from being a grave, with the set or the common digit.
    Grave { cells: Cells, digits: Mask, set_cells: Cells, set_digits: Mask },
    /// Base cells whose combinations fail because of excluding cells that see them all.
    Aligned { base: Cells, excluders: Cells },
    /// Chains of implications.
    Chain(ChainHint),
}

impl Pattern {
    /// The type of a unique loop, 1–4; 0 for any other pattern.
    pub(super) fn loop_type(&self) -> usize {
        if let Self::Loop { kind, .. } = self { *kind } else { 0 }
    }
}

/// A set of candidates, by digit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct CandidateSet([Cells; 10]);

impl CandidateSet {
    /// The set of one digit in these cells.
    pub(super) fn digit_in(digit: usize, cells: Cells) -> Self {
        Self::from_iter([(digit, cells)])
    }

    /// The set of these digits in one cell.
    pub(super) fn of_cell(cell: usize, digits: Mask) -> Self {
        bits(digits).map(|digit| (digit, one(cell))).collect()
    }

    /// Whether it contains no candidate.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&cells| cells == 0)
    }

    /// Each digit with its cells; the cells may be empty.
    pub(super) fn by_digit(&self) -> impl Iterator<Item = (usize, Cells)> {
        self.0.iter().copied().enumerate()
    }
}

impl FromIterator<(usize, Cells)> for CandidateSet {
    fn from_iter<I: IntoIterator<Item = (usize, Cells)>>(digits: I) -> Self {
        let mut set = Self::default();
        for (digit, cells) in digits {
            set.0[digit] |= cells;
        }
        set
    }
}
