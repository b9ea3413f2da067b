//! Rule: the criteria of the days of a series in the database, and their kinds and variants, which have a column of their own.

use puzzled_engine::shared::criteria::Criteria;

/// A kind and a variant, as they are stored.
type Pair = (String, String);

/// The kind and the variant of a day.
fn pair(day: &Criteria) -> (&str, &str) {
    (day.kind.as_deref().unwrap_or_default(), day.variant.as_deref().unwrap_or_default())
}

/// The kind and the variant of all days; `None` if they differ.
#[must_use]
pub(crate) fn common<'a>(days: impl IntoIterator<Item = &'a Criteria>) -> Option<(&'a str, &'a str)> {
    let mut pairs = days.into_iter().map(pair);
    let first = pairs.next()?;
    pairs.all(|other| other == first).then_some(first)
}

/// The criteria without kinds and variants as one JSON value.
#[must_use]
pub(crate) fn as_json(days: &[Criteria]) -> String {
    let days: Vec<_> = days.iter().map(|day| Criteria { kind: None, variant: None, ..day.clone() }).collect();
    serde_json::to_string(&days).unwrap_or_default()
}

/// The kinds and variants as one JSON value; `None` if all days have those of the series.
#[must_use]
pub(crate) fn puzzles_as_json(days: &[Criteria], of_series: (&str, &str)) -> Option<String> {
    let pairs = common(days).map_or_else(|| days.iter().map(pair).collect(), |pair| vec![pair]);
    (pairs != [of_series]).then(|| serde_json::to_string(&pairs).unwrap_or_default())
}

/// Reads what [`as_json`] and [`puzzles_as_json`] wrote: one set for all days, or seven, each with a level or ratings, not both. `None` if
/// a text is something else.
#[must_use]
pub(crate) fn from_json(criteria: &str, puzzles: Option<&str>, of_series: (&str, &str)) -> Option<Vec<Criteria>> {
    let days: Vec<Criteria> = serde_json::from_str(criteria).ok()?;
    let of_series = || Some(vec![(of_series.0.to_owned(), of_series.1.to_owned())]);
    let pairs: Vec<Pair> = puzzles.map_or_else(of_series, |puzzles| serde_json::from_str(puzzles).ok())?;
    let has_both = |day: &Criteria| day.level.is_some() && (day.min_rating.is_some() || day.max_rating.is_some());
    let fit = matches!(days.len(), 1 | 7) && (pairs.len() == 1 || pairs.len() == days.len());
    if !fit || days.iter().any(has_both) {
        return None;
    }
    let days = days.into_iter().zip(pairs.into_iter().cycle());
    Some(days.map(|(day, (kind, variant))| Criteria { kind: Some(kind), variant: Some(variant), ..day }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::shared::{
        level::{Level, Tenths},
        symmetry::Symmetry,
    };

    const SUDOKU: (&str, &str) = ("sudoku", "9x9");

    fn of((kind, variant): (&str, &str)) -> Criteria {
        Criteria { kind: Some(kind.to_owned()), variant: Some(variant.to_owned()), ..Criteria::default() }
    }

    fn read(days: &[Criteria], series: (&str, &str)) -> Option<Vec<Criteria>> {
        from_json(&as_json(days), puzzles_as_json(days, series).as_deref(), series)
    }

    #[test]
    fn criteria_survive_the_database() {
        let any = of(SUDOKU);
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
            assert_eq!(puzzles_as_json(&days, SUDOKU), None);
            assert_eq!(read(&days, SUDOKU), Some(days));
        }
        for broken in ["", "[]", "[{},{}]", "[{\"level\":\"hard\",\"ratings\":[1,2]}]", "[{\"level\":\"mild\"}]"] {
            assert_eq!(from_json(broken, None, SUDOKU), None, "{broken}");
        }
    }

    #[test]
    fn kinds_of_days_survive_the_database() {
        let binairo = ("binairo", "any");
        let week = [vec![of(SUDOKU); 6], vec![of(binairo)]].concat();
        for (days, stored) in [
            (vec![of(binairo)], r#"[["binairo","any"]]"#),
            (vec![of(binairo); 7], r#"[["binairo","any"]]"#),
            (
                week.clone(),
                concat!(
                    r#"[["sudoku","9x9"],["sudoku","9x9"],["sudoku","9x9"],["sudoku","9x9"],"#,
                    r#"["sudoku","9x9"],["sudoku","9x9"],["binairo","any"]]"#
                ),
            ),
        ] {
            assert_eq!(puzzles_as_json(&days, SUDOKU).as_deref(), Some(stored));
            assert_eq!(read(&days, SUDOKU), Some(days));
        }
        assert_eq!((common(&week), common(&week[..6])), (None, Some(SUDOKU)));
        for broken in ["", "[]", r#"[["sudoku"]]"#, r#"[["sudoku","9x9"],["binairo","any"]]"#] {
            assert_eq!(from_json(&as_json(&week), Some(broken), SUDOKU), None, "{broken}");
        }
    }
}
