//! Parsers of the values of flags: kinds, ratings, givens, jobs, and times.

use prost_types::Timestamp;

use crate::CliError;
use puzzled_base::ids::JobId;
use puzzled_engine::{
    registry,
    shared::{givens::Givens, kind::PuzzleKind, level::Tenths, names, variant::VariantInfo},
};

/// A kind of the registry.
pub type Kind = &'static dyn PuzzleKind;

/// The properties of a variant.
///
/// # Errors
/// [`CliError::Spec`] if the kind has no such variant.
pub(crate) fn variant_info(kind: Kind, variant: &str) -> Result<&'static VariantInfo, CliError> {
    kind.variant(variant).ok_or_else(|| {
        let fault = kind.check_variant(variant).err();
        CliError::Spec(format!("--variant: {}", fault.unwrap_or_else(|| format!("unknown variant {variant}"))))
    })
}

/// The help of a flag for the lowest or highest rating. It names the highest rating of each kind.
pub(crate) fn rating_help(which: &str) -> String {
    let highest = registry::kinds().iter().filter_map(|kind| {
        let max = kind.variants().iter().map(|variant| variant.rating_max).max()?;
        Some(format!("{max} for {}", kind.name_in_words()))
    });
    let highest = highest.collect::<Vec<_>>().join(", ");
    format!("{which} rating, one decimal, up to {highest} [default: no limit]")
}

/// Returns the given kind, or else the first kind of the registry.
///
/// # Errors
/// [`CliError::Spec`] if the registry is empty.
pub fn or_first(kind: Option<Kind>) -> Result<Kind, CliError> {
    kind.or_else(|| registry::kinds().first().copied()).ok_or_else(|| CliError::Spec("no kinds here".to_owned()))
}

/// Parses the name of a kind. A hyphen is read as an underscore: `star-battle`.
///
/// # Errors
/// A sentence with the known kinds.
pub fn kind(name: &str) -> Result<Kind, String> {
    registry::kind(&name.replace('-', "_")).ok_or_else(|| {
        let known: Vec<_> = registry::kinds().iter().map(|kind| kind.name()).collect();
        format!("unknown kind {}; {}", names::quoted(name), names::hint(name, &known))
    })
}

/// Parses a rating with at most one decimal.
///
/// # Errors
/// A sentence with an example.
pub fn tenths(text: &str) -> Result<Tenths, String> {
    let fault = || "not a rating; use a number with at most one decimal, such as 2.6".to_owned();
    let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(tenth) || tenth.len() != 1 {
        return Err(fault());
    }
    format!("{whole}{tenth}").parse().map(Tenths).map_err(|_| fault())
}

/// Parses a number of givens, or a range of them.
///
/// # Errors
/// A sentence with examples.
pub fn givens(text: &str) -> Result<Givens, String> {
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
///
/// # Errors
/// A sentence with an example.
pub fn job(text: &str) -> Result<JobId, String> {
    text.parse().map_err(|()| "not the ID of a job; use one such as job-3".to_owned())
}

/// Parses a time.
pub(crate) fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "not a time; use one such as 2026-11-25T09:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
