//! Rule: compares a repeated request with the first request under its name, field by field. Also encodes the fields for the
//! database. Pure functions.

use std::collections::BTreeMap;

/// The fields of a request that determine its response, by their names in the API, each value in words. A default is
/// always written in the same way, so that equal requests have equal fields. The database stores the fields as JSON.
pub type Fields = BTreeMap<String, String>;

/// A field in which a repeat differs from the first request under its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Difference {
    /// The field's name in the API.
    pub field: String,
    /// The value of the repeat; `None` if the field is not set.
    pub sent: Option<String>,
    /// The value of the first request; `None` if the field was not set.
    pub before: Option<String>,
}

/// Returns the fields that differ, by name. The list is empty if the requests are the same.
#[must_use]
pub fn differences(sent: &Fields, before: &Fields) -> Vec<Difference> {
    let added = before.keys().filter(|field| !sent.contains_key(*field));
    let mut fields: Vec<_> = sent.keys().chain(added).collect();
    fields.sort_unstable();
    let difference = |field: &String| {
        let (sent, before) = (sent.get(field), before.get(field));
        (sent != before).then(|| Difference { field: field.clone(), sent: sent.cloned(), before: before.cloned() })
    };
    fields.into_iter().filter_map(difference).collect()
}

/// Encodes fields for the database. Equal fields have equal texts.
#[must_use]
pub fn as_json(fields: &Fields) -> String {
    let pairs = fields.iter().map(|(field, value)| (field.clone(), serde_json::Value::from(value.as_str())));
    serde_json::Value::Object(pairs.collect()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        pairs.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn each_differing_field_is_named_with_both_values() {
        let easy = fields(&[("kind", "KIND_SUDOKU"), ("level", "LEVEL_EASY")]);
        let ranged = fields(&[("kind", "KIND_SUDOKU"), ("min_rating", "2.6")]);
        let difference = |field: &str, sent: Option<&str>, before: Option<&str>| Difference {
            field: field.to_owned(),
            sent: sent.map(str::to_owned),
            before: before.map(str::to_owned),
        };
        assert_eq!(differences(&easy, &easy), []);
        assert_eq!(
            differences(&ranged, &easy),
            [difference("level", None, Some("LEVEL_EASY")), difference("min_rating", Some("2.6"), None)]
        );
        assert_eq!(
            differences(&fields(&[("kind", "KIND_KAKURO"), ("level", "LEVEL_EASY")]), &easy),
            [difference("kind", Some("KIND_KAKURO"), Some("KIND_SUDOKU"))]
        );
    }

    #[test]
    fn different_fields_have_different_texts() {
        let odd = fields(&[("variant", "\",\"level\":\"LEVEL_EASY")]);
        let plain = fields(&[("level", "LEVEL_EASY"), ("variant", "")]);
        assert_eq!(as_json(&odd), r#"{"variant":"\",\"level\":\"LEVEL_EASY"}"#);
        assert_eq!(as_json(&plain), r#"{"level":"LEVEL_EASY","variant":""}"#);
        assert_eq!(serde_json::from_str::<Fields>(&as_json(&odd)).unwrap(), odd);
    }
}
