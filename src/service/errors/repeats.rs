//! Names the fields that differ between a repeated `request_id` and its first request, for the text of the error.

use crate::rules::jobs::repeat::Difference;
use puzzled_engine::shared::names::{SHOWN_MAX, head};

/// The differences in words: `level (LEVEL_HARD, before LEVEL_EASY) and clues (24, before not set)`.
pub(in crate::service) fn in_words(differs: &[Difference]) -> String {
    let value = |value: &Option<String>| value.as_deref().map_or("not set", |value| head(value, SHOWN_MAX)).to_owned();
    let difference = |it: &Difference| format!("{} ({}, before {})", it.field, value(&it.sent), value(&it.before));
    differs.iter().map(difference).collect::<Vec<_>>().join(" and ")
}

/// The names of the fields that differ, separated by commas.
pub(in crate::service) fn fields(differs: &[Difference]) -> String {
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
        assert_eq!((in_words(&differs), fields(&differs)), (words, "level,variant".to_owned()));
    }
}
