//! Converts domain values to messages of the API. This file converts the values that many messages contain: levels of
//! ratings, times, and deliveries. Makes no decisions.

pub(crate) mod board;
pub(crate) mod daily_series;
pub(crate) mod found;
pub(crate) mod import_results;
pub(crate) mod job;
pub(crate) mod puzzle;
pub(crate) mod server_info;
pub(crate) mod stock_and_targets;

use prost_types::Timestamp;

use puzzled_api::{v1 as pb, words};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::level::{self, Tenths};
use puzzled_store::{deliveries::delivery::Delivery, stock::puzzle::ShelfKey};

/// The API's level of a rating on the scale of a shelf's variant. A variant of a newer version gives
/// `LEVEL_UNSPECIFIED`.
pub(crate) fn level_at(shelf: &ShelfKey, rating: Tenths) -> pb::Level {
    shelf.variant_info().map_or(pb::Level::Unspecified, |variant| words::level(level::level_of(variant.levels, rating)))
}

pub(crate) fn timestamp(at: Millis) -> Timestamp {
    let nanos = i32::try_from(at.0.rem_euclid(1_000) * 1_000_000).expect("less than a second");
    Timestamp { seconds: at.0.div_euclid(1_000), nanos }
}

pub(crate) fn delivery(delivery: Delivery) -> pb::Delivery {
    pb::Delivery {
        puzzle_id: delivery.puzzle_id.map(|id| id.to_string()).unwrap_or_default(),
        deliver_time: Some(timestamp(delivery.at)),
        request_id: delivery.request_id.unwrap_or_default(),
        date: delivery.date.unwrap_or_default(),
        repeat_hash: delivery.repeat_hash.to_string(),
        series: delivery.series.unwrap_or_default(),
    }
}
