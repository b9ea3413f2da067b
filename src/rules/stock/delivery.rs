//! The data of deliveries: the request to deliver, its result, its name, and a listed delivery. Also the draw indices
//! of an audience, and the hash of a solution up to symmetry.

use std::sync::Arc;

use jiff::civil::Date;

use super::{
    choose::Choice,
    puzzle::{Puzzle, PuzzleId, ShelfId},
};
use crate::{
    rules::jobs::{
        job::NamedRequest,
        repeat::{Difference, Fields, as_json},
    },
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
    pub name: Option<DeliveryName>,
    /// A second audience, which gets the puzzle of `audience`. The delivery is recorded for it, unless it has had the
    /// solution. Allowed only with the name of a daily puzzle.
    pub shared_with: Option<String>,
    /// Whether the request accepts only a known name.
    pub only_known: bool,
    /// The shelves to draw from.
    pub among: Arc<Choice>,
    /// Whether the result includes the puzzle's record.
    pub with_record: bool,
    /// The seed of the draw.
    pub seed: u64,
}

/// An index into the random order in which one audience gets the puzzles of a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawIndex {
    /// The shelf.
    pub shelf_id: ShelfId,
    /// The index, from 0.
    pub index: i64,
}

/// The name of a delivery. A repeat under the same name gets the same puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DeliveryName {
    /// A name that the caller gave to the request.
    Request(NamedRequest),
    /// The name of a daily puzzle.
    Daily(Daily),
}

/// The fields that identify a daily puzzle, besides the audience.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Daily {
    /// The UTC date, such as `2026-11-21`.
    pub date: String,
    /// All criteria of the request.
    pub criteria: Fields,
}

const REQUEST: &str = "request ";
/// Prefix of the name of a daily puzzle in the database.
pub const DAILY: &str = "daily ";
const SHARED: &str = "shared ";
/// Prefix of the name in the database of a daily puzzle of a series.
pub const DAY: &str = "day ";

impl DeliveryName {
    /// The name in the database.
    #[must_use]
    pub fn column(&self) -> String {
        match self {
            Self::Request(request) => format!("{REQUEST}{}", request.request_id),
            Self::Daily(Daily { date, criteria }) => format!("{DAILY}{date} {}", as_json(criteria)),
        }
    }

    /// The name in the database of the delivery to an audience with which the puzzle is shared.
    #[must_use]
    pub fn shared_column(&self) -> String {
        match self {
            Self::Request(_) => self.column(),
            Self::Daily(Daily { date, criteria }) => format!("{DAILY}{date} {SHARED}{}", as_json(criteria)),
        }
    }

    /// The fields that a later request with this name must match.
    #[must_use]
    pub fn fields(&self) -> &Fields {
        match self {
            Self::Request(request) => &request.fields,
            Self::Daily(daily) => &daily.criteria,
        }
    }

    /// Whether the name gets another puzzle after its puzzle is withdrawn.
    #[must_use]
    pub fn is_renewed(&self) -> bool {
        matches!(self, Self::Daily(_))
    }
}

/// The result of a [`NewDelivery`].
#[derive(Debug, Clone, PartialEq)]
pub enum Delivered {
    /// A puzzle that the audience had not had.
    New(Box<Puzzle>),
    /// The puzzle that was delivered under this name before. It may be withdrawn, unless the name is
    /// renewed.
    Same(Box<Puzzle>),
    /// Another request was answered under this name.
    OtherRequest {
        /// The puzzle that answered it.
        puzzle: PuzzleId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// These shelves have no puzzle left for the audience.
    Exhausted,
    /// The name is not known, and the request accepts only a known one.
    Unknown,
    /// All draws, up to their limit, found positions without a puzzle for this audience. These positions are not drawn
    /// again, so a retry may succeed.
    Unlucky,
}

/// A delivery in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The delivery's number.
    pub id: DeliveryId,
    /// The puzzle.
    pub puzzle_id: PuzzleId,
    /// The id of its request, if it has one.
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

    #[test]
    fn solution_hash_never_changes() {
        let hex = |bytes: [u8; 16]| bytes.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex(repeat_hash("sudoku", "9x9", "123")), "2c4bf5518bc16e21e9d9c70107b20218");
    }

    #[test]
    fn listed_delivery_names_its_request_or_date() {
        let fields = Fields::from([("variant".to_owned(), "9x9 \"shared\" ".to_owned())]);
        let request = NamedRequest { request_id: "daily 1".to_owned(), fields: fields.clone() };
        let request = DeliveryName::Request(request).column();
        let daily = DeliveryName::Daily(Daily { date: "2026-11-21".to_owned(), criteria: fields });
        let listed = |column: &str| Delivery::of(1, 2, Some(column), 3);
        assert_eq!((listed(&request).request_id.as_deref(), listed(&request).date), (Some("daily 1"), None));
        assert_ne!(daily.column(), daily.shared_column());
        for column in [daily.column(), daily.shared_column()] {
            let daily = listed(&column);
            assert_eq!((daily.request_id, daily.date.as_deref()), (None, Some("2026-11-21")));
        }
    }
}
