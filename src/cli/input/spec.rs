//! The flags that describe the wanted puzzles, the parsers of their values, which other commands use too, and the
//! errors about specs.

use clap::Args;

use crate::{cli::CliError, rules::jobs::job::JobId};
use puzzled_engine::{
    registry,
    shared::{
        kind::PuzzleKind,
        level::{Level, Tenths},
        names,
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
        variant::VariantInfo,
    },
};

/// A kind of the registry.
pub(in crate::cli) type Kind = &'static dyn PuzzleKind;

/// The flags for the wanted puzzles.
#[derive(Debug, Args)]
pub(in crate::cli) struct SpecArgs {
    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(in crate::cli) kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the kind's default variant]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    pub(in crate::cli) variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil [default: any]
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["min_rating", "max_rating"])]
    pub(in crate::cli) level: Option<Level>,

    #[arg(long, help = rating_help("Easiest"), value_name = "RATING", value_parser = tenths)]
    pub(in crate::cli) min_rating: Option<Tenths>,

    #[arg(long, help = rating_help("Hardest"), value_name = "RATING", value_parser = tenths)]
    pub(in crate::cli) max_rating: Option<Tenths>,

    /// Symmetry of the givens: none, rotation180, rotation90, horizontal, vertical, diagonal, anti-diagonal, or full
    #[arg(long, value_name = "SYMMETRY", default_value = "none")]
    pub(in crate::cli) symmetry: Symmetry,

    /// Number of givens that each puzzle must have [default: any]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) clues: Option<u16>,

    /// Technique that each puzzle must need, such as X-Wing: without it, the rating would be higher [default: any]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) technique: Option<String>,
}

impl SpecArgs {
    /// Returns the kind, and the spec, which the kind has checked.
    ///
    /// # Errors
    /// [`CliError::Spec`] if the kind refuses the spec.
    pub(in crate::cli) fn checked(self) -> Result<(Kind, Spec), CliError> {
        let kind = or_first(self.kind)?;
        let variant = self.variant.map_or_else(|| kind.default_variant().to_owned(), |name| kind.variant_name(&name));
        let info = kind.variant(&variant);
        let difficulty = match (self.level, self.min_rating, self.max_rating) {
            (Some(level), _, _) => Difficulty::Level(level),
            (None, None, None) => Difficulty::Any,
            (None, min, max) => range(kind, info, min, max)?,
        };
        let technique = self.technique.map(|name| technique(info, &name));
        let (symmetry, clues) = (self.symmetry, self.clues);
        let spec = Spec { kind: kind.name().to_owned(), variant, symmetry, difficulty, clues, technique };
        kind.check_spec(&spec).map_err(refused)?;
        Ok((kind, spec))
    }
}

/// Returns the name of a technique as its kind writes it. Returns an unknown name unchanged, so that the kind refuses it.
pub(in crate::cli) fn technique(info: Option<&VariantInfo>, name: &str) -> String {
    info.and_then(|info| info.technique(name)).map_or(name, |known| known.name).to_owned()
}

/// Returns a range on the scale of a variant, or of the kind's first variant if the kind has no such variant.
pub(in crate::cli) fn range(
    kind: Kind,
    info: Option<&VariantInfo>,
    min: Option<Tenths>,
    max: Option<Tenths>,
) -> Result<Difficulty, CliError> {
    let Some(info) = info.or(kind.variants().first()) else { return Ok(Difficulty::Any) };
    let end = info.rating_max;
    for (flag, rating) in [("--min-rating", min), ("--max-rating", max)] {
        if let Some(rating) = rating.filter(|rating| *rating > end) {
            return Err(CliError::Spec(format!(
                "{flag}: {rating} is outside 0.0 to {end}, the ratings of {}",
                kind.name()
            )));
        }
    }
    match (min, max) {
        (Some(min), Some(max)) if min > max => {
            Err(CliError::Spec(format!("--min-rating: {min} is above {max}, the --max-rating")))
        }
        _ => Ok(Difficulty::within(info.levels, min, max)),
    }
}

/// The help of a bound of ratings: names the highest rating of each kind.
pub(in crate::cli) fn rating_help(which: &str) -> String {
    let highest = registry::kinds().iter().filter_map(|kind| {
        let (first, rest) = kind.name().split_at_checked(1)?;
        let max = kind.variants().iter().map(|variant| variant.rating_max).max()?;
        Some(format!("{max} for {}{rest}", first.to_ascii_uppercase()))
    });
    let highest = highest.collect::<Vec<_>>().join(" and ");
    format!("{which} rating, one decimal, up to {highest} [default: no limit]")
}

/// Returns the given kind, or else the first kind of the registry.
pub(in crate::cli) fn or_first(kind: Option<Kind>) -> Result<Kind, CliError> {
    kind.or_else(|| registry::kinds().first().copied()).ok_or_else(|| CliError::Spec("no kinds here".to_owned()))
}

/// Parses the name of a kind.
pub(in crate::cli) fn kind(name: &str) -> Result<Kind, String> {
    registry::kind(name).ok_or_else(|| {
        let known: Vec<_> = registry::kinds().iter().map(|kind| kind.name()).collect();
        format!("unknown kind {}; {}", names::quoted(name), names::hint(name, &known))
    })
}

/// Parses a rating with at most one decimal.
pub(in crate::cli) fn tenths(text: &str) -> Result<Tenths, String> {
    let fault = || "not a rating; use a number with at most one decimal, such as 2.6".to_owned();
    let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(tenth) || tenth.len() != 1 {
        return Err(fault());
    }
    format!("{whole}{tenth}").parse().map(Tenths).map_err(|_| fault())
}

/// Parses the ID of a job.
pub(in crate::cli) fn job(text: &str) -> Result<JobId, String> {
    text.parse().map_err(|()| "not the ID of a job; use one such as job-3".to_owned())
}

fn refused(error: SpecError) -> CliError {
    CliError::Spec(match error {
        SpecError::Invalid { field, reason } => format!("--{}: {reason}", field.replace('_', "-")),
        SpecError::RatingUnsupported { wanted_min, supported_max } => {
            format!("--min-rating: {wanted_min} is above {supported_max}, the hardest rating that is generated")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::toy::Toy;

    #[test]
    fn a_rating_has_one_decimal_and_fits_into_tenths() {
        let cases = [
            ("2.6", Some(26)),
            ("2", Some(20)),
            ("0.0", Some(0)),
            ("25.5", Some(255)),
            ("25.6", None),
            ("2.65", None),
            ("2.", None),
            (".6", None),
            ("-1.0", None),
            ("+1.0", None),
            ("256", None),
            ("nine", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(tenths(text).ok(), expected.map(Tenths), "{text:?}");
        }
    }

    #[test]
    fn range_must_not_be_reversed_or_leave_the_scale() {
        let toy: Kind = Box::leak(Box::new(Toy::default()));
        let range =
            |min, max| range(toy, None, Some(Tenths(min)), Some(Tenths(max))).map_err(|error| error.to_string());
        assert_eq!(range(30, 26), Err("--min-rating: 3.0 is above 2.6, the --max-rating".to_owned()));
        assert_eq!(range(26, 100), Err("--max-rating: 10.0 is outside 0.0 to 9.9, the ratings of toy".to_owned()));
    }

    #[test]
    fn open_ends_of_a_range_are_the_ends_of_the_scale() {
        let toy: Kind = Box::leak(Box::new(Toy::default()));
        let cases = [(Some(26), Some(26), (26, 26)), (None, Some(26), (10, 26)), (Some(26), None, (26, 99))];
        for (min, max, (expected_min, expected_max)) in cases {
            let expected = Difficulty::Range { min: Tenths(expected_min), max: Tenths(expected_max) };
            assert_eq!(range(toy, None, min.map(Tenths), max.map(Tenths)).unwrap(), expected);
        }
        let range = |min, max| range(toy, None, min, max).unwrap();
        assert_eq!(range(Some(Tenths(0)), None), range(None, Some(Tenths(99))));
    }
}
