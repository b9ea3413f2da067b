//! The methods.

pub(crate) mod parse;
pub(crate) mod render;

pub(crate) mod handlers;

use puzzled_api::v1 as pb;
use puzzled_store::series::daily_series::SeriesWish;

// Commands print what the service would send.
pub(crate) use render::puzzle::{Include, later_rating, puzzle_message, rated_message};
pub(crate) use render::timestamp;

/// The daily series of a request, or its faults in words. A configuration declares series with the same rules.
///
/// # Errors
/// The faults, each with its field.
pub(crate) fn series_wish(request: &pb::CreateDailySeriesRequest) -> Result<SeriesWish, String> {
    parse::new_series(request).map(|(wish, _)| wish).map_err(|error| error.to_string())
}
