//! Deliveries as the store keeps them: which puzzle was handed out to which audience, and under which name.

use super::{
    job::NamedRequest,
    puzzle::{Puzzle, PuzzleId, ShelfId},
    repeat::{Difference, Fields, as_json},
};
use crate::clock::Millis;

/// Number of a delivery, rising with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(pub i64);

/// A puzzle to be handed out.
#[derive(Debug, Clone)]
pub struct NewDelivery {
    /// To whom.
    pub audience: String,
    /// Name under which the same puzzle is handed out again.
    pub name: Option<DeliveryName>,
    /// An audience for which the delivery is recorded too, unless it has had the solution: what it gets is the puzzle of
    /// `audience`. Only together with the name of a day.
    pub shared_with: Option<String>,
    /// Whether a puzzle is delivered only if the name is known.
    pub only_known: bool,
    /// The shelves that it may come from, each with a number of positions that it has, by id.
    pub among: Vec<(ShelfId, i64)>,
    /// Seed of the draw.
    pub seed: u64,
}

/// What an audience has left of a shelf: the slots from `taken` up to `positions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// The shelf.
    pub shelf_id: ShelfId,
    /// Slots that are done with.
    pub taken: i64,
    /// Slots in all.
    pub positions: i64,
}

/// A slot of a shelf, in the order of one audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawIndex {
    /// The shelf.
    pub shelf_id: ShelfId,
    /// The slot, from 0.
    pub index: i64,
}

/// The name of a delivery: to ask for it again is to get it again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DeliveryName {
    /// The name that the caller gave to the request.
    Request(NamedRequest),
    /// The puzzle of a day.
    Daily(Daily),
}

/// What makes the puzzle of a day, besides the audience.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Daily {
    /// The UTC date, `2026-11-21`.
    pub date: String,
    /// All criteria of the request.
    pub criteria: Fields,
}

const REQUEST: &str = "request ";
/// What the name of a day's delivery begins with.
pub const DAILY: &str = "daily ";
const SHARED: &str = "shared ";

impl DeliveryName {
    /// The word in the database.
    #[must_use]
    pub fn column(&self) -> String {
        match self {
            Self::Request(request) => format!("{REQUEST}{}", request.request_id),
            Self::Daily(Daily { date, criteria }) => format!("{DAILY}{date} {}", as_json(criteria)),
        }
    }

    /// The word in the database for an audience that the puzzle is shared with.
    #[must_use]
    pub fn shared_column(&self) -> String {
        match self {
            Self::Request(_) => self.column(),
            Self::Daily(Daily { date, criteria }) => format!("{DAILY}{date} {SHARED}{}", as_json(criteria)),
        }
    }

    /// What another request under this name would have to be equal to.
    #[must_use]
    pub fn fields(&self) -> &Fields {
        match self {
            Self::Request(request) => &request.fields,
            Self::Daily(daily) => &daily.criteria,
        }
    }

    /// Whether the name gets another puzzle once its own is withdrawn.
    #[must_use]
    pub fn is_renewed(&self) -> bool {
        matches!(self, Self::Daily(_))
    }
}

/// What came of a [`NewDelivery`].
#[derive(Debug, Clone, PartialEq)]
pub enum Delivered {
    /// A puzzle that the audience had not had.
    New(Box<Puzzle>),
    /// The puzzle that was handed out under this name before; withdrawn or not, unless the name is renewed.
    Same(Box<Puzzle>),
    /// Another request was answered under this name.
    OtherRequest {
        /// The puzzle that it was answered with.
        puzzle: PuzzleId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// Nothing is left on these shelves.
    Exhausted,
    /// The name is not known, and only a known one was to be answered.
    Unknown,
    /// Only positions without a puzzle for this audience were met within the bound. They are done with; trying again helps.
    Unlucky,
}

/// A delivery as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Number.
    pub id: DeliveryId,
    /// The puzzle.
    pub puzzle_id: PuzzleId,
    /// The id of its request, if it has one.
    pub request_id: Option<String>,
    /// The UTC date of which it is the puzzle, if it is one.
    pub date: Option<String>,
    /// When.
    pub at: Millis,
}

impl Delivery {
    /// A row of the database.
    #[must_use]
    pub fn of(id: i64, puzzle_id: i64, name: Option<&str>, created_at: i64) -> Self {
        let behind = |word| name.and_then(|name| name.strip_prefix(word));
        Self {
            id: DeliveryId(id),
            puzzle_id: PuzzleId(puzzle_id),
            request_id: behind(REQUEST).map(str::to_owned),
            date: behind(DAILY).and_then(|daily| daily.split(' ').next()).map(str::to_owned),
            at: Millis(created_at),
        }
    }
}

/// Which solution a puzzle has, up to symmetry: 128 bits of FNV-1a over its form, kind and variant. Two different ones
/// have the same number by a chance that no stock is large enough for.
#[must_use]
pub fn grid_of(kind: &str, variant: &str, solved: &str) -> [u8; 16] {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = [kind, "/", variant, "/", solved].into_iter().flat_map(str::bytes);
    bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_solution_never_changes() {
        let hex = |bytes: [u8; 16]| bytes.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex(grid_of("sudoku", "9x9", "123")), "2c4bf5518bc16e21e9d9c70107b20218");
    }

    #[test]
    fn a_listed_delivery_tells_its_request_or_its_date() {
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
