//! The context of the search for one step: the position, data that several techniques share, and results of earlier
//! searches.

use super::{almost_locked::Network, pace::Pace, position::Position, step::Effect};
use crate::{shared::budget::Budget, sudoku::techniques::geometry::Cells};
use std::cell::{Cell, OnceCell};

/// A position between two steps, with the data that its techniques share.
pub(super) struct Search<'a> {
    pub(super) position: &'a Position,
    /// Ends the search if it is cancelled.
    pub(super) pace: Pace<'a>,
    barren: &'a Barren,
    almost_locked: OnceCell<Network>,
}

/// The kinds of fish. The search for each uses one digit at a time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fish {
    XWing,
    Swordfish,
    Jellyfish,
    FinnedXWing,
    SashimiXWing,
    FinnedSwordfish,
    SashimiSwordfish,
    FinnedJellyfish,
    SashimiJellyfish,
    FrankenXWing,
    FrankenSwordfish,
    FinnedFrankenXWing,
    FinnedFrankenSwordfish,
}

/// For each kind of fish and each digit, the places at the last search that found none. A fish depends on nothing else,
/// and most steps leave most digits unchanged.
#[derive(Debug, Default)]
pub(super) struct Barren([[Cell<Cells>; 10]; Fish::FinnedFrankenSwordfish as usize + 1]);

impl<'a> Search<'a> {
    pub(super) fn of(position: &'a Position, barren: &'a Barren, budget: &Budget<'a>) -> Self {
        Self { position, pace: Pace::of(budget), barren, almost_locked: OnceCell::new() }
    }

    /// The almost locked sets, computed when first needed.
    pub(super) fn almost_locked(&self) -> &Network {
        self.almost_locked.get_or_init(|| Network::of(self.position, &self.pace))
    }

    /// The first fish of a kind, by digit.
    pub(super) fn fish(&self, kind: Fish, find: impl Fn(&Position, usize) -> Option<Effect>) -> Option<Effect> {
        (1..10).find_map(|digit| {
            let (places, barren) = (self.position.of_digit(digit), &self.barren.0[kind as usize][digit]);
            if barren.get() == places {
                return None;
            }
            let found = find(self.position, digit);
            if found.is_none() {
                barren.set(places);
            }
            found
        })
    }
}
