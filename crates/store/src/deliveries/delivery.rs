//! Rule: the data of deliveries: the request to deliver, its result, its name, and a listed delivery.

use std::sync::Arc;

use jiff::civil::Date;

use crate::{
    deliveries::choose::FittingShelves,
    jobs::{job::NamedRequest, repeat::Difference},
    stock::{filter::ShelfFilter, puzzle::Puzzle},
};
use puzzled_base::{clock::Millis, ids::PuzzleId, repeat_hash::RepeatHash};

/// Number of a delivery, rising with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(pub i64);

/// A request to deliver a puzzle.
#[derive(Debug, Clone)]
pub struct NewDelivery {
    /// The audience that gets the puzzle.
    pub audience: String,
    /// A later request with the same name gets the same puzzle.
    pub name: Option<NamedRequest>,
    /// What to draw from.
    pub from: DrawFrom,
    /// Whether the result includes the puzzle's record.
    pub with_record: bool,
    /// The seed of the draw.
    pub seed: u64,
}

/// What a delivery draws from.
#[derive(Debug, Clone)]
pub enum DrawFrom {
    /// The live puzzles on these shelves.
    Shelves(Arc<FittingShelves>),
    /// The puzzles that the audience holds and that fit this filter.
    Held(ShelfFilter),
}

const REQUEST: &str = "request ";
/// Prefix of the name in the database of a daily puzzle of a series.
pub const DAY: &str = "day ";

/// The name in the database of the delivery that answers a request.
#[must_use]
pub fn request_name(request: &NamedRequest) -> String {
    format!("{REQUEST}{}", request.request_id)
}

/// The result of a [`NewDelivery`].
#[derive(Debug, Clone, PartialEq)]
pub enum Delivered {
    /// A puzzle that the audience had not had.
    New(Box<Puzzle>),
    /// The puzzle that was delivered under this name before. It may be withdrawn.
    Same(Box<Puzzle>),
    /// Another request was answered under this name.
    OtherRequest {
        /// The puzzle that answered it.
        puzzle: PuzzleId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// No puzzle is left for the audience.
    Exhausted,
    /// All draws, up to their limit, found positions without a puzzle for this audience. These positions are not drawn
    /// again, so a retry may succeed.
    Unlucky,
}

/// What a call deleted and changed when it forgot an audience.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The number of deliveries that were deleted.
    pub deliveries: u64,
    /// The number of puzzles that the audience held, and that were withdrawn.
    pub withdrawn: u64,
    /// The number of open jobs that made puzzles for it, and that were cancelled.
    pub cancelled: u64,
}

/// A delivery in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Rises with time.
    pub id: DeliveryId,
    /// The puzzle; `None` if a call recorded the delivery, and no stored puzzle had its repeat hash then.
    pub puzzle_id: Option<PuzzleId>,
    /// What the audience does not get again.
    pub repeat_hash: RepeatHash,
    /// The id of its request, if it has one.
    pub request_id: Option<String>,
    /// The date, if it is a daily puzzle.
    pub date: Option<String>,
    /// The name of its series, if it is a daily puzzle.
    pub series: Option<String>,
    /// When it was delivered or recorded.
    pub at: Millis,
}

impl Delivery {
    /// Adds to a delivery what its name in the database says.
    #[must_use]
    pub fn named(self, name: Option<&str>) -> Self {
        let behind = |word| name.and_then(|name| name.strip_prefix(word));
        let day = behind(DAY).and_then(|day| day.split_once(' '));
        Self {
            request_id: behind(REQUEST).map(str::to_owned),
            date: day.map(|(date, _)| date.to_owned()),
            series: day.map(|(_, series)| series.to_owned()),
            ..self
        }
    }
}

/// The name in the database of the delivery of a daily puzzle.
#[must_use]
pub fn day_name(series: &str, date: Date) -> String {
    format!("{DAY}{date} {series}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::repeat::Fields;

    #[test]
    fn listed_delivery_names_its_request_or_its_day() {
        let request = NamedRequest { request_id: "day 2026-11-21 daily".to_owned(), fields: Fields::new() };
        let unnamed = Delivery {
            id: DeliveryId(1),
            puzzle_id: Some(PuzzleId(2)),
            repeat_hash: RepeatHash([0; 16]),
            request_id: None,
            date: None,
            series: None,
            at: Millis(3),
        };
        let listed = |column: &str| unnamed.clone().named(Some(column));
        let of_request = listed(&request_name(&request));
        assert_eq!((of_request.request_id, of_request.date), (Some(request.request_id), None));
        let of_day = listed(&day_name("daily", Date::constant(2026, 11, 21)));
        let told = (of_day.request_id, of_day.date.as_deref(), of_day.series.as_deref());
        assert_eq!(told, (None, Some("2026-11-21"), Some("daily")));
    }
}
