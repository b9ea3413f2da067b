//! The flags that describe the wanted puzzles, the parsers of their values, which other commands use too, and the
//! errors about specs.

use clap::Args;
use prost_types::Timestamp;

use crate::{cli::CliError, rules::jobs::job::JobId};
use puzzled_engine::{
    registry,
    shared::{
        givens::Givens,
        kind::PuzzleKind,
        level::{Level, Tenths},
        names,
        resolve::OpenSpec,
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
        variant::{TechniqueInfo, VariantInfo},
    },
};

/// A kind of the registry.
pub(in crate::cli) type Kind = &'static dyn PuzzleKind;

/// The flags for the wanted puzzles.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::cli) struct SpecArgs {
    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(in crate::cli) kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the kind's default variant]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    pub(in crate::cli) variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil; with ratings, the intersection [default: any]
    #[arg(long, value_name = "LEVEL")]
    pub(in crate::cli) level: Option<Level>,

    #[arg(long, help = rating_help("Easiest"), value_name = "RATING", value_parser = tenths)]
    pub(in crate::cli) min_rating: Option<Tenths>,

    #[arg(long, help = rating_help("Hardest"), value_name = "RATING", value_parser = tenths)]
    pub(in crate::cli) max_rating: Option<Tenths>,

    /// Symmetry of the givens: none, rotation180, rotation90, horizontal, vertical, diagonal, anti-diagonal, or full [default: that
    /// of the level's style]
    #[arg(long, value_name = "SYMMETRY")]
    pub(in crate::cli) symmetry: Option<Symmetry>,

    /// Number of givens, such as 24, or range, such as 22-28 [default: those of the level's style]
    #[arg(long, value_name = "N|MIN-MAX", value_parser = givens)]
    pub(in crate::cli) givens: Option<Givens>,

    /// Hardest technique of each puzzle, such as X-Wing [default: any]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) technique: Option<String>,
}

impl SpecArgs {
    /// Returns the kind, and the spec, which the kind has checked. What the flags leave open is that of the style.
    ///
    /// # Errors
    /// [`CliError::Spec`] if the kind refuses the spec.
    pub(in crate::cli) fn checked(self) -> Result<(Kind, Spec), CliError> {
        let kind = or_first(self.kind)?;
        let variant = self.variant.map_or_else(|| kind.default_variant().to_owned(), |name| kind.variant_name(&name));
        let info = variant_info(kind, &variant)?;
        let technique = self.technique.map(|name| technique(kind, info, &name)).transpose()?;
        let difficulty = difficulty(kind, info, (self.level, self.min_rating, self.max_rating), technique)?;
        let (min_givens, max_givens) = self.givens.map(|givens| (givens.min, givens.max)).unzip();
        let open = OpenSpec { symmetry: self.symmetry, difficulty, min_givens, max_givens, technique };
        let spec = info.resolve(kind.name(), &variant, &open).map_err(refused)?;
        kind.check_spec(&spec).map_err(refused)?;
        Ok((kind, spec))
    }
}

/// The properties of a variant.
///
/// # Errors
/// [`CliError::Spec`] if the kind has no such variant.
pub(in crate::cli) fn variant_info(kind: Kind, variant: &str) -> Result<&'static VariantInfo, CliError> {
    kind.variant(variant).ok_or_else(|| {
        let fault = kind.check_variant(variant).err();
        CliError::Spec(format!("--variant: {}", fault.unwrap_or_else(|| format!("unknown variant {variant}"))))
    })
}

/// Returns the technique with a name.
///
/// # Errors
/// [`CliError::Spec`] if the variant does not know it, or if its kind has no such criterion.
pub(in crate::cli) fn technique(
    kind: Kind,
    info: &'static VariantInfo,
    name: &str,
) -> Result<&'static TechniqueInfo, CliError> {
    if !info.has_technique {
        let of = info.in_words(kind.name(), kind.variants());
        return Err(CliError::Spec(format!("--technique: techniques are no criterion of {of}; leave it out")));
    }
    let unknown = || CliError::Spec(format!("--technique: {}", info.unknown_technique(name)));
    info.technique(name).ok_or_else(unknown)
}

/// Returns the intersection of a level, a range of ratings, and the ratings of a technique.
///
/// # Errors
/// [`CliError::Spec`] if a rating is not on the scale of the variant, or if no rating is left.
pub(in crate::cli) fn difficulty(
    kind: Kind,
    info: &VariantInfo,
    (level, min, max): (Option<Level>, Option<Tenths>, Option<Tenths>),
    technique: Option<&TechniqueInfo>,
) -> Result<Difficulty, CliError> {
    let end = info.rating_max;
    for (flag, rating) in [("--min-rating", min), ("--max-rating", max)] {
        if let Some(rating) = rating.filter(|rating| *rating > end) {
            return Err(CliError::Spec(format!(
                "{flag}: {rating} is outside 0.0 to {end}, the ratings of {}",
                kind.name()
            )));
        }
    }
    if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max) {
        return Err(CliError::Spec(format!("--min-rating: {min} is above {max}, the --max-rating")));
    }
    let wanted = info.difficulty(level, min, max).and_then(|wanted| info.narrowed(wanted, technique));
    wanted.map_err(refused)
}

/// The help of a bound of ratings: names the highest rating of each kind.
pub(in crate::cli) fn rating_help(which: &str) -> String {
    let highest = registry::kinds().iter().filter_map(|kind| {
        let max = kind.variants().iter().map(|variant| variant.rating_max).max()?;
        Some(format!("{max} for {}", kind.name_in_words()))
    });
    let highest = highest.collect::<Vec<_>>().join(", ");
    format!("{which} rating, one decimal, up to {highest} [default: no limit]")
}

/// Returns the given kind, or else the first kind of the registry.
pub(in crate::cli) fn or_first(kind: Option<Kind>) -> Result<Kind, CliError> {
    kind.or_else(|| registry::kinds().first().copied()).ok_or_else(|| CliError::Spec("no kinds here".to_owned()))
}

/// Parses the name of a kind. A hyphen is read as an underscore: `star-battle`.
pub(in crate::cli) fn kind(name: &str) -> Result<Kind, String> {
    registry::kind(&name.replace('-', "_")).ok_or_else(|| {
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

/// Parses a number of givens, or a range of them.
pub(in crate::cli) fn givens(text: &str) -> Result<Givens, String> {
    let fault = || "not a number of givens; use one such as 24, or a range such as 22-28".to_owned();
    let (min, max) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u16>().map_err(|_| fault());
    let (min, max) = (number(min)?, number(max)?);
    if min > max {
        return Err(format!("{min} is above {max}; write the smaller number first"));
    }
    Ok(Givens { min, max })
}

/// Parses the ID of a job.
pub(in crate::cli) fn job(text: &str) -> Result<JobId, String> {
    text.parse().map_err(|()| "not the ID of a job; use one such as job-3".to_owned())
}

/// Parses a time.
pub(in crate::cli) fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "not a time; use one such as 2026-11-25T09:00:00Z".to_owned())
}

fn refused(error: SpecError) -> CliError {
    CliError::Spec(match error {
        SpecError::Invalid { field: "min_givens" | "max_givens", reason } => format!("--givens: {reason}"),
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
    fn givens_are_a_number_or_a_range() {
        let range = |min, max| Ok(Givens { min, max });
        let fault = || Err("not a number of givens; use one such as 24, or a range such as 22-28".to_owned());
        for (text, expected) in [
            ("24", range(24, 24)),
            ("22-28", range(22, 28)),
            ("22 - 28", range(22, 28)),
            ("28-22", Err("28 is above 22; write the smaller number first".to_owned())),
            ("22-", fault()),
            ("-28", fault()),
            ("many", fault()),
            ("", fault()),
        ] {
            assert_eq!(givens(text), expected, "{text:?}");
        }
    }

    #[test]
    fn range_must_not_be_reversed_or_leave_the_scale() {
        let range = |min, max| rated(Some(min), Some(max)).map_err(|error| error.to_string());
        assert_eq!(range(30, 26), Err("--min-rating: 3.0 is above 2.6, the --max-rating".to_owned()));
        assert_eq!(range(26, 100), Err("--max-rating: 10.0 is outside 0.0 to 9.9, the ratings of toy".to_owned()));
    }

    #[test]
    fn open_ends_of_a_range_are_the_ends_of_the_scale() {
        for (min, max, expected) in
            [(Some(26), Some(26), (26, 26)), (None, Some(26), (10, 26)), (Some(26), None, (26, 99))]
        {
            let expected = Difficulty::Range { min: Tenths(expected.0), max: Tenths(expected.1) };
            assert_eq!(rated(min, max).unwrap(), expected);
        }
        assert_eq!(rated(Some(0), None).unwrap(), rated(None, Some(99)).unwrap());
    }

    fn rated(min: Option<u8>, max: Option<u8>) -> Result<Difficulty, CliError> {
        let toy: Kind = Box::leak(Box::new(Toy::default()));
        let info = toy.variant(toy.default_variant()).unwrap();
        difficulty(toy, info, (None, min.map(Tenths), max.map(Tenths)), None)
    }
}
