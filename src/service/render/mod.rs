//! Converts domain values to messages of the API. This file converts the values that many messages contain: kinds,
//! levels, symmetries, ratings, times, and deliveries. Makes no decisions.

pub(super) mod board;
pub(super) mod daily_series;
pub(super) mod found;
pub(super) mod import_results;
pub(super) mod job;
pub(super) mod puzzle;
pub(super) mod server_info;
pub(super) mod stock_and_targets;

use prost_types::Timestamp;

use crate::{
    proto::v1 as pb,
    rules::stock::{delivery::Delivery, puzzle::ShelfKey},
    system::clock::Millis,
};
use puzzled_engine::shared::{
    level::{self, Level, Tenths},
    symmetry::Symmetry,
};

/// The prefix of the API's names of kinds. The rest is the engine's name in capitals.
pub(super) const KIND_PREFIX: &str = "KIND_";

/// The API's value for a kind's name. A name of a newer version gives `KIND_UNSPECIFIED`.
pub(super) fn kind(name: &str) -> pb::Kind {
    pb::Kind::from_str_name(&format!("{KIND_PREFIX}{}", name.to_ascii_uppercase())).unwrap_or_default()
}

pub(super) fn level(level: Level) -> pb::Level {
    match level {
        Level::Easy => pb::Level::Easy,
        Level::Medium => pb::Level::Medium,
        Level::Hard => pb::Level::Hard,
        Level::Expert => pb::Level::Expert,
        Level::Evil => pb::Level::Evil,
    }
}

/// The API's level of a rating on the scale of a shelf's variant. A variant of a newer version gives
/// `LEVEL_UNSPECIFIED`.
pub(super) fn level_at(shelf: &ShelfKey, rating: Tenths) -> pb::Level {
    shelf.variant_info().map_or(pb::Level::Unspecified, |variant| level(level::level_of(variant.levels, rating)))
}

pub(super) fn symmetry(symmetry: Symmetry) -> pb::Symmetry {
    match symmetry {
        Symmetry::None => pb::Symmetry::None,
        Symmetry::Rotation180 => pb::Symmetry::Rotation180,
        Symmetry::Rotation90 => pb::Symmetry::Rotation90,
        Symmetry::Horizontal => pb::Symmetry::Horizontal,
        Symmetry::Vertical => pb::Symmetry::Vertical,
        Symmetry::Diagonal => pb::Symmetry::Diagonal,
        Symmetry::AntiDiagonal => pb::Symmetry::AntiDiagonal,
        Symmetry::Full => pb::Symmetry::Full,
    }
}

pub(super) fn rating(tenths: Tenths) -> f64 {
    f64::from(tenths.0) / 10.0
}

pub(crate) fn timestamp(at: Millis) -> Timestamp {
    let nanos = i32::try_from(at.0.rem_euclid(1_000) * 1_000_000).expect("less than a second");
    Timestamp { seconds: at.0.div_euclid(1_000), nanos }
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

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::registry;

    #[test]
    fn levels_and_symmetries_have_the_same_names_on_the_wire() {
        for one in Level::ALL {
            assert_eq!(level(one).as_str_name(), format!("LEVEL_{}", one.name().to_ascii_uppercase()));
        }
        for one in Symmetry::ALL {
            let name = one.name().to_ascii_uppercase().replace('-', "_");
            assert_eq!(symmetry(one).as_str_name(), format!("SYMMETRY_{name}"));
        }
    }

    #[test]
    fn every_kind_of_the_registry_is_on_the_wire() {
        for known in registry::kinds() {
            assert_ne!(kind(known.name()), pb::Kind::Unspecified, "{}", known.name());
        }
        assert_eq!(kind("of-a-newer-version"), pb::Kind::Unspecified);
    }
}
