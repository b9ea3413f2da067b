//! Converts domain values to messages of the API. This file converts the values that many messages contain: levels of
//! ratings, times, and deliveries. Makes no decisions.

pub(super) mod board;
pub(super) mod daily_series;
pub(super) mod found;
pub(super) mod import_results;
pub(super) mod job;
pub(super) mod puzzle;
pub(super) mod server_info;
pub(super) mod stock_and_targets;

use puzzled_api::{
    v1 as pb,
    words::{self, timestamp},
};
use puzzled_engine::shared::level::{self, Tenths};
use puzzled_store::{deliveries::delivery::Delivery, stock::puzzle::ShelfKey};

/// The API's level of a rating on the scale of a shelf's variant. A variant of a newer version gives
/// `LEVEL_UNSPECIFIED`.
pub(super) fn level_at(shelf: &ShelfKey, rating: Tenths) -> pb::Level {
    shelf.variant_info().map_or(pb::Level::Unspecified, |variant| words::level(level::level_of(variant.levels, rating)))
}

pub(super) fn delivery(delivery: Delivery) -> pb::Delivery {
    pb::Delivery {
        puzzle_id: delivery.puzzle_id.map(|id| id.to_string()).unwrap_or_default(),
        deliver_time: Some(timestamp(delivery.at)),
        request_id: delivery.request_id.unwrap_or_default(),
        date: delivery.date.unwrap_or_default(),
        repeat_hash: delivery.repeat_hash.to_string(),
        series: delivery.series.unwrap_or_default(),
    }
}
