//! Rule: the data of the days of a series: a day and its puzzle, the request to give a day its puzzle, and the delivery of a daily
//! puzzle to an audience.

use std::sync::Arc;

use jiff::civil::Date;

use crate::{
    deliveries::choose::FittingShelves,
    series::daily_series::SeriesId,
    stock::{filter::ShelfFilter, puzzle::Puzzle},
};
use puzzled_base::ids::PuzzleId;

/// A day with its puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// The series.
    pub series_id: SeriesId,
    /// The date.
    pub date: Date,
    /// Its puzzle. No other day has it.
    pub puzzle_id: PuzzleId,
}

/// A request to give a day its puzzle, unless it has one.
#[derive(Debug, Clone)]
pub struct NewDay {
    /// The series.
    pub series_id: SeriesId,
    /// The date.
    pub date: Date,
    /// The shelves that fit on this day.
    pub fitting: ShelfFilter,
    /// The shelves to draw from if no held puzzle fits. If `None`, the day gets a held puzzle or none.
    pub among: Option<Arc<FittingShelves>>,
    /// The seed of the draw.
    pub seed: u64,
}

/// The result of a [`NewDay`].
#[derive(Debug, Clone, PartialEq)]
pub enum DayDrawn {
    /// The puzzle that the day has from now on.
    New(Box<Puzzle>),
    /// The puzzle that the day already had.
    Same(Box<Puzzle>),
    /// No puzzle fits.
    Exhausted,
    /// The terms of the series have changed since the caller read them. A retry with the new terms may succeed.
    Unlucky,
    /// The series has ended, and the day has no puzzle.
    Ended,
}

/// A daily puzzle that an audience gets. The delivery is recorded unless the audience has the repeat hash already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayDelivery {
    /// The audience.
    pub audience: String,
    /// The name of the series.
    pub series: String,
    /// The date.
    pub date: Date,
    /// The puzzle.
    pub puzzle_id: PuzzleId,
}
