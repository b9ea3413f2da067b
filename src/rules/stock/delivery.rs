//! The data of deliveries: the request to deliver, its result, its name, and a listed delivery. Also the draw indices
//! of an audience, and the hash of a solution up to symmetry.

use std::sync::Arc;

use jiff::civil::Date;

use super::{
    choose::Choice,
    filter::ShelfFilter,
    puzzle::{Puzzle, PuzzleId, ShelfId},
};
use crate::{
    rules::jobs::{job::NamedRequest, repeat::Difference},
    system::clock::Millis,
};

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
    Shelves(Arc<Choice>),
    /// The puzzles that the audience holds and that fit this filter.
    Held(ShelfFilter),
}

/// An index into the random order in which one audience gets the puzzles of a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawIndex {
    /// The shelf to draw from.
    pub shelf_id: ShelfId,
    /// Counted from 0.
    pub index: i64,
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

/// What went with a forgotten audience.
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
    /// What the audience got.
    pub puzzle_id: PuzzleId,
    /// The `request_id` of its request, if there is one.
    pub request_id: Option<String>,
    /// The date, if it is a daily puzzle.
    pub date: Option<String>,
    /// The name of its series, if it is a daily puzzle.
    pub series: Option<String>,
    /// When it was delivered.
    pub at: Millis,
}

impl Delivery {
    /// Builds a delivery from a row of the database.
    #[must_use]
    pub fn of(id: i64, puzzle_id: i64, name: Option<&str>, created_at: i64) -> Self {
        let behind = |word| name.and_then(|name| name.strip_prefix(word));
        let day = behind(DAY).and_then(|day| day.split_once(' '));
        Self {
            id: DeliveryId(id),
            puzzle_id: PuzzleId(puzzle_id),
            request_id: behind(REQUEST).map(str::to_owned),
            date: day.map(|(date, _)| date.to_owned()),
            series: day.map(|(_, series)| series.to_owned()),
            at: Millis(created_at),
        }
    }
}

/// The name in the database of the delivery of a daily puzzle.
#[must_use]
pub fn day_name(series: &str, date: Date) -> String {
    format!("{DAY}{date} {series}")
}

/// The hash of a puzzle's solution up to symmetry: 128 bits of FNV-1a over the kind, the variant, and the solution's
/// form. A collision is unlikely at any size of the stock.
#[must_use]
pub fn repeat_hash(kind: &str, variant: &str, solved: &str) -> [u8; 16] {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = [kind, "/", variant, "/", solved].into_iter().flat_map(str::bytes);
    bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::jobs::repeat::Fields;

    #[test]
    fn solution_hash_never_changes() {
        let hex = |bytes: [u8; 16]| bytes.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex(repeat_hash("sudoku", "9x9", "123")), "2c4bf5518bc16e21e9d9c70107b20218");
    }

    #[test]
    fn listed_delivery_names_its_request_or_its_day() {
        let request = NamedRequest { request_id: "day 2026-11-21 daily".to_owned(), fields: Fields::new() };
        let listed = |column: &str| Delivery::of(1, 2, Some(column), 3);
        let of_request = listed(&request_name(&request));
        assert_eq!((of_request.request_id, of_request.date), (Some(request.request_id), None));
        let of_day = listed(&day_name("daily", Date::constant(2026, 11, 21)));
        let told = (of_day.request_id, of_day.date.as_deref(), of_day.series.as_deref());
        assert_eq!(told, (None, Some("2026-11-21"), Some("daily")));
    }
}
