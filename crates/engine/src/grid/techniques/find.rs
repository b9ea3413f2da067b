//! Defines what a technique of the grid layer is, and what it finds: the pattern and the houses that prove a step, and the digit or the
//! eliminations that follow. `steps.rs` turns a find into a [`Step`](crate::shared::step::Step).

use crate::{
    grid::{
        cells::{Cells, Digits, Houses},
        position::Position,
    },
    shared::{
        level::Tenths,
        step::{Cell, Step},
    },
};

/// A rung of a ladder: a technique with its name and rating.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Technique {
    /// The usual name, unique in its ladder.
    pub(crate) name: &'static str,
    /// The rating of its easiest step; no other technique of the ladder has it.
    pub(crate) rating: Tenths,
    /// The highest rating of its steps.
    pub(crate) rating_max: Tenths,
    /// Calls [`Take`] with each application of the technique to a position. All of them follow from the same position,
    /// so the caller can apply them in any order, or all at once.
    pub(crate) find: fn(&Technique, &Position<'_>, &mut Take<'_>),
    /// The argument of a step in one sentence.
    pub(crate) sentence: fn(&Step) -> String,
}

/// A callback for the finds of a technique. If it returns true, the technique stops its search.
pub(crate) type Take<'a> = dyn FnMut(Find) -> bool + 'a;

/// One application of a technique to a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Find {
    pub(crate) technique: &'static str,
    /// The rating of this step.
    pub(crate) rating: Tenths,
    /// The cells of the pattern.
    pub(crate) cells: Cells,
    /// The cells of the pattern with another role, such as the pincers of a wing.
    pub(crate) secondary_cells: Cells,
    /// The digits of the pattern.
    pub(crate) digits: Digits,
    /// The houses that prove the step; the base houses of a fish.
    pub(crate) houses: Houses,
    /// Further houses of the argument, by technique: the cover houses of a fish; the houses through which other cells see
    /// all places of a digit; the houses in which the cells of a derived sum must differ; the full line that another line
    /// must not equal.
    pub(crate) cover_houses: Houses,
    /// The signs that prove the step, by their indices in the rules.
    pub(crate) signs: Cells,
    /// The number that the argument names, such as the number of rounds of a refutation.
    pub(crate) number: Option<i32>,
    /// The digit that it places.
    pub(crate) placed: Option<(Cell, u8)>,
    /// The candidates that it removes: each digit with its cells.
    pub(crate) removed: Vec<(u8, Cells)>,
}

impl Find {
    /// A find with neither pattern nor effect. The technique adds both.
    pub(crate) fn of(technique: &Technique) -> Self {
        Self { technique: technique.name, rating: technique.rating, ..Self::default() }
    }

    /// The find without the effects that an earlier find already had on the position. `None` if no effect is left.
    pub(crate) fn still(mut self, position: &Position<'_>) -> Option<Self> {
        self.placed = self.placed.filter(|&(cell, digit)| position.candidates(cell).contains(digit));
        self.removed.iter_mut().for_each(|(digit, cells)| *cells = cells.and(position.places(*digit)));
        self.removed.retain(|(_, cells)| !cells.is_empty());
        (self.placed.is_some() || !self.removed.is_empty()).then_some(self)
    }
}

impl Position<'_> {
    /// Places the digit of a find, if it is still a candidate, and removes its candidates.
    pub(crate) fn apply(&mut self, find: &Find) {
        if let Some((cell, digit)) = find.placed.filter(|&(cell, digit)| self.candidates(cell).contains(digit)) {
            self.place(cell, digit);
        }
        find.removed.iter().for_each(|&(digit, cells)| self.remove(digit, cells));
    }
}
