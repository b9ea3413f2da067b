//! Rule: the data of deliveries: the request to deliver, its result, its name, and a listed delivery. Also the repeat hash
//! of a puzzle.

use std::{fmt, str::FromStr, sync::Arc};

use jiff::civil::Date;

use crate::{
    deliveries::choose::FittingShelves,
    jobs::{job::NamedRequest, repeat::Difference},
    stock::{filter::ShelfFilter, puzzle::Puzzle},
};
use puzzled_base::{clock::Millis, ids::PuzzleId};
use puzzled_engine::shared::names::quoted;

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

/// The hash of what an audience must not get twice; see [`repeat_hash`]. Its text form has 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepeatHash(pub [u8; 16]);

impl fmt::Display for RepeatHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for RepeatHash {
    type Err = String;

    /// Accepts lower-case and upper-case digits. The error has the text and what is allowed.
    fn from_str(text: &str) -> Result<Self, String> {
        // A number may have a sign, and a hash may not.
        let is_hash = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_hash.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        let fault = || format!("{} is not a repeat hash; use 32 hexadecimal digits", quoted(text));
        number.map(|number| Self(number.to_be_bytes())).ok_or_else(fault)
    }
}

/// The name in the database of the delivery of a daily puzzle.
#[must_use]
pub fn day_name(series: &str, date: Date) -> String {
    format!("{DAY}{date} {series}")
}

/// The repeat hash of a puzzle: 128 bits of FNV-1a over the kind, the variant, and the form of the solution, which some
/// kinds replace with the canonical form of the puzzle. A collision is unlikely at any size of the stock.
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
    use crate::jobs::repeat::Fields;

    #[test]
    fn solution_hash_never_changes() {
        let hash = RepeatHash(repeat_hash("sudoku", "9x9", "123"));
        assert_eq!(hash.to_string(), "2c4bf5518bc16e21e9d9c70107b20218");
        assert_eq!(hash.to_string().to_uppercase().parse(), Ok(hash));
    }

    #[test]
    fn text_of_a_hash_has_32_hexadecimal_digits() {
        let digits = "0123456789abcdef";
        for text in ["", digits, &format!("+{digits}{}", &digits[1..]), &format!("{digits}{digits}0"), &"g".repeat(32)]
        {
            let fault = text.parse::<RepeatHash>().unwrap_err();
            assert!(fault.ends_with(" is not a repeat hash; use 32 hexadecimal digits"), "{fault}");
        }
    }

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
