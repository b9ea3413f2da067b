//! Rule: counts puzzles by kind and level, for the metrics: events, such as a puzzle made, and the puzzles in stock. The
//! number of counters is fixed, whatever callers request.

use crate::stock::puzzle::{Shelf, ShelfKey};
use puzzled_base::counters::Counter;
use puzzled_engine::{
    registry,
    shared::level::{Level, level_of},
};

/// The word for puzzles of any level.
pub const ANY_LEVEL: &str = "any";

/// A counter for each kind and each level, and for any level.
#[derive(Debug)]
pub struct PuzzleCounters(Vec<(&'static str, &'static str, Counter)>);

impl Default for PuzzleCounters {
    fn default() -> Self {
        let levels = || Level::ALL.into_iter().map(Level::name).chain([ANY_LEVEL]);
        let kinds = registry::kinds().iter().map(|kind| kind.name());
        Self(kinds.flat_map(|kind| levels().map(move |level| (kind, level, Counter::default()))).collect())
    }
}

impl PuzzleCounters {
    /// Counts one puzzle. Counts nothing if only a newer version knows its kind.
    pub fn one(&self, kind: &str, level: Option<Level>) {
        let level = level.map_or(ANY_LEVEL, Level::name);
        if let Some((_, _, counter)) = self.0.iter().find(|(of, at, _)| *of == kind && *at == level) {
            counter.one();
        }
    }

    /// Returns each counter with the names of its kind and its level.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &'static str, &Counter)> {
        self.0.iter().map(|(kind, level, counter)| (*kind, *level, counter))
    }
}

/// The level of the puzzles on a shelf; `None` if only a newer version knows their variant.
#[must_use]
pub(crate) fn level_of_shelf(key: &ShelfKey) -> Option<Level> {
    key.variant_info().map(|variant| level_of(variant.levels, key.rating))
}

/// Returns the number of puzzles in circulation for each kind and level, including zeros.
#[must_use]
pub fn stock_by_level(shelves: &[Shelf]) -> Vec<(&'static str, &'static str, u64)> {
    let kinds = registry::kinds().iter().map(|kind| kind.name());
    let places = kinds.flat_map(|kind| Level::ALL.into_iter().map(move |level| (kind, level)));
    let counted = places.map(|(kind, level)| {
        let fits = |shelf: &&Shelf| shelf.key.kind == kind && level_of_shelf(&shelf.key) == Some(level);
        (kind, level.name(), shelves.iter().filter(fits).map(Shelf::live).sum())
    });
    counted.collect()
}
