//! The three groups of flags that state criteria: of puzzles to make, of puzzles to find, and of one puzzle to get. They differ in their helps
//! and defaults.

use clap::Args;

use super::spec::{self, Kind};
use crate::CliError;
use puzzled_engine::shared::{
    criteria::Criteria,
    givens::Givens,
    level::{Level, Tenths},
    spec::{SpecError, Words},
    symmetry::Symmetry,
};

/// The flags for the wanted puzzles.
#[derive(Debug, Args)]
pub(crate) struct SpecArgs {
    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    pub(crate) kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the kind's default variant]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil; with ratings, the intersection [default: any]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<Level>,

    #[arg(long, help = spec::rating_help("Easiest"), value_name = "RATING", value_parser = spec::tenths)]
    min_rating: Option<Tenths>,

    #[arg(long, help = spec::rating_help("Hardest"), value_name = "RATING", value_parser = spec::tenths)]
    max_rating: Option<Tenths>,

    /// Symmetry of the givens: none, rotation180, rotation90, horizontal, vertical, diagonal, anti-diagonal, or full [default: that
    /// of the level's style]
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<Symmetry>,

    /// Number of givens, such as 24, or range, such as 22-28 [default: those of the level's style]
    #[arg(long, value_name = "N|MIN-MAX", value_parser = spec::givens)]
    givens: Option<Givens>,

    /// Hardest technique of each puzzle, such as X-Wing [default: any]
    #[arg(long, value_name = "NAME")]
    technique: Option<String>,
}

/// The criteria of stored puzzles. One that is not set matches any puzzle.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// Kind of puzzle [default: any; with a level, rating, technique, or number of givens: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9; a size alone, such as 20x20, matches all variants of that size [default: any]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    pub variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil; with ratings, the intersection [default: any]
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,

    #[arg(long, help = spec::rating_help("Easiest"), value_name = "RATING", value_parser = spec::tenths)]
    min_rating: Option<Tenths>,

    #[arg(long, help = spec::rating_help("Hardest"), value_name = "RATING", value_parser = spec::tenths)]
    max_rating: Option<Tenths>,

    /// Symmetry; also finds puzzles made with a symmetry that includes it [default: any]
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<Symmetry>,

    /// Hardest technique, such as X-Wing [default: any]
    #[arg(long, value_name = "NAME")]
    technique: Option<String>,

    /// Number of givens, such as 24, or range, such as 22-28 [default: any]
    #[arg(long, value_name = "N|MIN-MAX", value_parser = spec::givens)]
    givens: Option<Givens>,
}

/// The criteria of a puzzle to draw. One that is not set matches any puzzle.
#[derive(Debug, Args)]
pub(crate) struct DrawArgs {
    /// Kind of puzzle [default: sudoku, unless an ID is given]
    #[arg(long, value_name = "KIND", value_parser = spec::kind, conflicts_with = "id")]
    kind: Option<Kind>,

    /// Variant, such as 9x9
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil; with ratings, the intersection
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,

    /// Easiest rating, one decimal
    #[arg(long, value_name = "RATING", value_parser = spec::tenths)]
    min_rating: Option<Tenths>,

    /// Hardest rating, one decimal
    #[arg(long, value_name = "RATING", value_parser = spec::tenths)]
    max_rating: Option<Tenths>,

    /// Symmetry of the givens; also draws puzzles made with a symmetry that includes it
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<Symmetry>,

    /// Number of givens, such as 24, or range, such as 22-28 [default: what the level of the puzzle delivers]
    #[arg(long, value_name = "N|MIN-MAX", value_parser = spec::givens)]
    givens: Option<Givens>,

    /// Hardest technique of the puzzle, such as X-Wing
    #[arg(long, value_name = "NAME")]
    technique: Option<String>,
}

macro_rules! criteria_of {
    ($($flags:ident)+) => {$(
        impl $flags {
            /// What the flags state.
            fn stated(&self) -> Criteria {
                let Self { kind, variant, level, min_rating, max_rating, symmetry, givens, technique } = self;
                let (min_givens, max_givens) = givens.map(|givens| (givens.min, givens.max)).unzip();
                Criteria {
                    kind: kind.map(|kind| kind.name().to_owned()),
                    variant: variant.clone(),
                    symmetry: *symmetry,
                    level: *level,
                    min_rating: *min_rating,
                    max_rating: *max_rating,
                    technique: technique.clone(),
                    min_givens,
                    max_givens,
                }
            }
        }
    )+};
}

criteria_of! { SpecArgs FilterArgs DrawArgs }

impl SpecArgs {
    /// What the flags state. The kind is the first one by default.
    ///
    /// # Errors
    /// [`CliError::Spec`] if no kind is registered.
    pub(crate) fn criteria(&self) -> Result<Criteria, CliError> {
        of_kind(self.stated(), self.kind)
    }
}

impl FilterArgs {
    /// What the flags state. Levels, ratings, techniques, and givens depend on the kind, so with one of these criteria it is the first
    /// kind by default.
    ///
    /// # Errors
    /// [`CliError::Spec`] if no kind is registered.
    pub fn criteria(&self) -> Result<Criteria, CliError> {
        let stated = self.stated();
        let needs_kind = stated.is_rated() || stated.technique.is_some() || stated.min_givens.is_some();
        if needs_kind { of_kind(stated, self.kind) } else { Ok(stated) }
    }
}

impl DrawArgs {
    /// What the flags state. Without an ID, the kind is the first one by default.
    ///
    /// # Errors
    /// [`CliError::Spec`] if no kind is registered.
    pub(crate) fn criteria(&self, has_id: bool) -> Result<Criteria, CliError> {
        if has_id { Ok(self.stated()) } else { of_kind(self.stated(), self.kind) }
    }
}

fn of_kind(stated: Criteria, kind: Option<Kind>) -> Result<Criteria, CliError> {
    Ok(Criteria { kind: Some(spec::or_first(kind)?.name().to_owned()), ..stated })
}

/// The first fault, with its flag.
#[must_use]
pub fn refused(faults: &[SpecError]) -> CliError {
    CliError::Spec(faults.first().map(|fault| fault.in_words(Words::Flags)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::{shared::spec::Difficulty, toy::Toy};

    #[test]
    fn range_must_not_be_reversed_or_leave_the_scale() {
        let range = |min, max| rated(Some(min), Some(max)).map_err(|error| error.to_string());
        assert_eq!(range(30, 26), Err("--min-rating: 3.0 is above 2.6, the highest rating".to_owned()));
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
        let [min_rating, max_rating] = [min, max].map(|rating| rating.map(Tenths));
        let spec = Criteria { min_rating, max_rating, ..Criteria::default() }.spec(&Toy::default());
        spec.map(|spec| spec.difficulty).map_err(|faults| refused(&faults))
    }
}
