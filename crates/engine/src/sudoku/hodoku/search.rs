//! One step's search: the position, what several techniques need of it, and what earlier searches showed.

use super::{almost_locked::Network, pace::Pace, position::Position, step::Effect};
use crate::{budget::Budget, sudoku::techniques::geometry::Cells};
use std::cell::{Cell, OnceCell};

/// A position between two steps.
pub(super) struct Search<'a> {
    /// The position.
    pub(super) position: &'a Position,
    /// Says when to break off.
    pub(super) pace: Pace<'a>,
    barren: &'a Barren,
    almost_locked: OnceCell<Network>,
}

/// The kinds of fish, each of which looks at one digit at a time.
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

/// For each kind of fish and each digit the places in which none was found last. Fish hang on nothing else, and most steps
/// leave most digits alone.
#[derive(Debug, Default)]
pub(super) struct Barren([[Cell<Cells>; 10]; Fish::FinnedFrankenSwordfish as usize + 1]);

impl<'a> Search<'a> {
    pub(super) fn of(position: &'a Position, barren: &'a Barren, budget: &Budget<'a>) -> Self {
        Self { position, pace: Pace::of(budget), barren, almost_locked: OnceCell::new() }
    }

    /// The almost locked sets, found when first asked for.
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
