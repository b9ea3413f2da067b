//! The fields in the text of an error: those with a value that is not allowed, and those that differ between a repeated
//! `request_id` and its first request.

use std::{borrow::Cow, fmt};

use super::ServiceError;
use puzzled_engine::shared::names::{SHOWN_MAX, head};
use puzzled_store::{jobs::repeat::Difference, targets::target::Fault};

/// Fields with values that they may not have: each with a sentence that contains the value and the limit. Never empty.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Invalid(pub(crate) Vec<(Cow<'static, str>, String)>);

impl Invalid {
    /// The faults of a stock target.
    pub(crate) fn of_target(faults: Vec<Fault>) -> ServiceError {
        let fields = faults.into_iter().map(|Fault { field, reason }| (field.into(), reason));
        ServiceError::Invalid(Self(fields.collect()))
    }

    /// The error for a single field.
    pub(crate) fn one(field: impl Into<Cow<'static, str>>, description: String) -> ServiceError {
        ServiceError::Invalid(Self(vec![(field.into(), description)]))
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentences: Vec<_> = self.0.iter().map(|(field, description)| format!("{field}: {description}")).collect();
        f.write_str(&sentences.join("; "))
    }
}

/// The differences in words: `level (LEVEL_HARD, before LEVEL_EASY) and min_givens (24, before not set)`.
pub(super) fn differences_in_words(differs: &[Difference]) -> String {
    let value = |value: &Option<String>| value.as_deref().map_or("not set", |value| head(value, SHOWN_MAX)).to_owned();
    let difference = |it: &Difference| format!("{} ({}, before {})", it.field, value(&it.sent), value(&it.before));
    differs.iter().map(difference).collect::<Vec<_>>().join(" and ")
}

/// The names of the fields that differ, separated by commas.
pub(super) fn different_fields(differs: &[Difference]) -> String {
    differs.iter().map(|difference| difference.field.as_str()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_listed_with_both_values() {
        let difference = |field: &str, sent: Option<&str>, before: Option<&str>| Difference {
            field: field.to_owned(),
            sent: sent.map(str::to_owned),
            before: before.map(str::to_owned),
        };
        let long = "#".repeat(900);
        let differs =
            [difference("level", Some("LEVEL_HARD"), Some("LEVEL_EASY")), difference("variant", None, Some(&long))];
        let words = format!("level (LEVEL_HARD, before LEVEL_EASY) and variant (not set, before {})", &long[..40]);
        assert_eq!((differences_in_words(&differs), different_fields(&differs)), (words, "level,variant".to_owned()));
    }
}
