//! Converts words of the command line to values of the API: kinds, levels, and symmetries.

use crate::{cli::input::spec::Kind, proto::v1 as pb};
use puzzled_engine::{
    registry,
    shared::{level::Level, symmetry::Symmetry},
};

/// The kind in the API; unspecified if there is none.
pub(in crate::cli) fn kind(kind: Option<Kind>) -> i32 {
    let value = kind.and_then(|kind| pb::Kind::from_str_name(&name("KIND", kind.name())));
    value.unwrap_or_default().into()
}

/// The kind with a value of the API; `None` if this version does not know it.
pub(in crate::cli) fn kind_of(value: i32) -> Option<Kind> {
    registry::kinds().iter().copied().find(|&of| kind(Some(of)) == value)
}

/// The kind in the API by its name there or on the command line; `None` if no kind has the name.
pub(in crate::cli) fn named_kind(word: &str) -> Option<i32> {
    let value = pb::Kind::from_str_name(word).or_else(|| pb::Kind::from_str_name(&name("KIND", word)))?;
    (value != pb::Kind::Unspecified).then(|| value.into())
}

/// The level in the API; unspecified if there is none.
pub(in crate::cli) fn level(level: Option<Level>) -> i32 {
    let value = level.and_then(|level| pb::Level::from_str_name(&name("LEVEL", level.name())));
    value.unwrap_or_default().into()
}

/// The symmetry in the API; unspecified if there is none.
pub(in crate::cli) fn symmetry(symmetry: Option<Symmetry>) -> i32 {
    let value = symmetry.and_then(|symmetry| pb::Symmetry::from_str_name(&name("SYMMETRY", symmetry.name())));
    value.unwrap_or_default().into()
}

fn name(prefix: &str, word: &str) -> String {
    format!("{prefix}_{}", word.to_ascii_uppercase().replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_value() {
        assert!(registry::kinds().iter().all(|&of| kind(Some(of)) != 0));
        assert!(Level::ALL.into_iter().all(|of| level(Some(of)) != 0));
        assert!(Symmetry::ALL.into_iter().all(|of| symmetry(Some(of)) != 0));
        assert_eq!((kind(None), level(None), symmetry(None)), (0, 0, 0));
    }
}
