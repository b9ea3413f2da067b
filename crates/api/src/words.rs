//! Converts kinds, levels, and symmetries to values of the API and back. Converts picture formats, ratings, and times to values of the API only.
//! The name of a value is a prefix and the engine's word in capitals, such as `KIND_SUDOKU`.

use super::v1 as pb;
use prost_types::Timestamp;
use puzzled_base::clock::Millis;
use puzzled_engine::{
    registry,
    shared::{
        kind::PuzzleKind,
        level::{Level, Tenths},
        symmetry::Symmetry,
    },
};

/// The value of a kind's name. A name of a newer version gives `KIND_UNSPECIFIED`.
#[must_use]
pub fn kind(name: &str) -> pb::Kind {
    pb::Kind::from_str_name(&value("KIND", name)).unwrap_or_default()
}

/// The kind with a value; `None` if this version does not know it.
#[must_use]
pub fn kind_of(value: i32) -> Option<&'static dyn PuzzleKind> {
    registry::kinds().iter().copied().find(|of| i32::from(kind(of.name())) == value)
}

/// The value of a kind by its name in the API or in the engine; `None` if no kind has the name.
#[must_use]
pub fn named_kind(word: &str) -> Option<pb::Kind> {
    let value = pb::Kind::from_str_name(word).unwrap_or_else(|| kind(word));
    (value != pb::Kind::Unspecified).then_some(value)
}

/// The value of a level.
#[must_use]
pub fn level(level: Level) -> pb::Level {
    pb::Level::from_str_name(&value("LEVEL", level.name())).unwrap_or_default()
}

/// The level with a value, if there is one.
#[must_use]
pub fn level_of(value: i32) -> Option<Level> {
    Level::ALL.into_iter().find(|&of| i32::from(level(of)) == value)
}

/// The value of a symmetry.
#[must_use]
pub fn symmetry(symmetry: Symmetry) -> pb::Symmetry {
    pb::Symmetry::from_str_name(&value("SYMMETRY", symmetry.name())).unwrap_or_default()
}

/// The symmetry with a value, if there is one.
#[must_use]
pub fn symmetry_of(value: i32) -> Option<Symmetry> {
    Symmetry::ALL.into_iter().find(|&of| i32::from(symmetry(of)) == value)
}

/// The value of the format of files with this extension.
#[must_use]
pub fn picture_format(extension: &str) -> pb::PictureFormat {
    pb::PictureFormat::from_str_name(&value("PICTURE_FORMAT", extension)).unwrap_or_default()
}

/// The value of a rating.
#[must_use]
pub fn rating(tenths: Tenths) -> f64 {
    tenths.decimal()
}

fn value(prefix: &str, word: &str) -> String {
    format!("{prefix}_{}", word.to_ascii_uppercase().replace('-', "_"))
}

/// The API's message for a time.
///
/// # Panics
/// Never: a part of a second has less than 10^9 nanoseconds.
#[must_use]
pub fn timestamp(at: Millis) -> Timestamp {
    let nanos = i32::try_from(at.0.rem_euclid(1_000) * 1_000_000).expect("less than a second");
    Timestamp { seconds: at.0.div_euclid(1_000), nanos }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_value_and_every_value_its_word() {
        for of in registry::kinds() {
            assert_eq!(kind_of(kind(of.name()).into()).map(PuzzleKind::name), Some(of.name()));
            assert_eq!(named_kind(of.name()), named_kind(kind(of.name()).as_str_name()));
            assert_eq!(named_kind(of.name()), Some(kind(of.name())));
        }
        for of in Level::ALL {
            assert_eq!(level_of(level(of).into()), Some(of));
        }
        for of in Symmetry::ALL {
            assert_eq!(symmetry_of(symmetry(of).into()), Some(of));
        }
        assert_eq!((kind("of-a-newer-version"), named_kind("of-a-newer-version")), (pb::Kind::Unspecified, None));
        assert_eq!((level_of(0), symmetry_of(0)), (None, None));
        assert!(kind_of(0).is_none() && named_kind("KIND_UNSPECIFIED").is_none());
    }
}
