//! Rule: the criteria of the days of a series in the database.

use puzzled_engine::shared::criteria::Criteria;

/// The criteria of the days of a series as one JSON value.
#[must_use]
pub(crate) fn as_json(days: &[Criteria]) -> String {
    serde_json::to_string(days).unwrap_or_default()
}

/// Reads what [`as_json`] wrote: one set for all days, or seven, each with a level or ratings, not both. `None` if the text is something
/// else.
#[must_use]
pub(crate) fn from_json(text: &str) -> Option<Vec<Criteria>> {
    let days: Vec<Criteria> = serde_json::from_str(text).ok()?;
    let has_both = |day: &Criteria| day.level.is_some() && (day.min_rating.is_some() || day.max_rating.is_some());
    (matches!(days.len(), 1 | 7) && !days.iter().any(has_both)).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::shared::{
        level::{Level, Tenths},
        symmetry::Symmetry,
    };

    #[test]
    fn criteria_survive_the_database() {
        let any = Criteria::default();
        let hard = Criteria { level: Some(Level::Hard), ..any.clone() };
        let rare = Criteria {
            symmetry: Some(Symmetry::Full),
            min_rating: Some(Tenths(26)),
            max_rating: Some(Tenths(40)),
            technique: Some("X-Wing".to_owned()),
            min_givens: Some(22),
            max_givens: Some(28),
            ..any.clone()
        };
        // What 0.2 has stored.
        let stored = concat!(
            r#"[{},{"level":"hard"},"#,
            r#"{"symmetry":"full","ratings":[26,40],"technique":"X-Wing","min_givens":22,"max_givens":28}]"#
        );
        assert_eq!(as_json(&[any.clone(), hard.clone(), rare.clone()]), stored);
        let week = [vec![any.clone(); 5], vec![hard, rare]].concat();
        for days in [vec![any], week] {
            assert_eq!(from_json(&as_json(&days)), Some(days));
        }
        for broken in ["", "[]", "[{},{}]", "[{\"level\":\"hard\",\"ratings\":[1,2]}]", "[{\"level\":\"mild\"}]"] {
            assert_eq!(from_json(broken), None, "{broken}");
        }
    }
}
