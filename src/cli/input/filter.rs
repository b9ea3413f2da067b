//! The flags that choose among stored puzzles.

use clap::Args;

use super::spec::{self, Kind};
use crate::cli::CliError;
use puzzled_engine::shared::{
    givens::Givens,
    level::{Level, Tenths},
    symmetry::Symmetry,
};

/// The criteria of stored puzzles. One that is not set matches any puzzle.
#[derive(Debug, Args)]
pub(in crate::cli) struct FilterArgs {
    /// Kind of puzzle [default: any; with a level, rating, technique, or number of givens: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9; a size alone, such as 20x20, matches all variants of that size [default: any]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    pub(in crate::cli) variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil; with ratings, the intersection [default: any]
    #[arg(long, value_name = "LEVEL")]
    pub(in crate::cli) level: Option<Level>,

    #[arg(long, help = spec::rating_help("Easiest"), value_name = "RATING", value_parser = spec::tenths)]
    pub(in crate::cli) min_rating: Option<Tenths>,

    #[arg(long, help = spec::rating_help("Hardest"), value_name = "RATING", value_parser = spec::tenths)]
    pub(in crate::cli) max_rating: Option<Tenths>,

    /// Symmetry; puzzles made with one that includes it fit too [default: any]
    #[arg(long, value_name = "SYMMETRY")]
    pub(in crate::cli) symmetry: Option<Symmetry>,

    /// Hardest technique, such as X-Wing [default: any]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) technique: Option<String>,

    /// Number of givens, such as 24, or range, such as 22-28 [default: any]
    #[arg(long, value_name = "N|MIN-MAX", value_parser = spec::givens)]
    pub(in crate::cli) givens: Option<Givens>,
}

impl FilterArgs {
    /// Returns the wanted kind; `None` stands for any. Levels, ratings, techniques, and givens depend on the kind, so with one of
    /// these criteria it is the first kind by default.
    ///
    /// # Errors
    /// [`CliError::Spec`] if no kind is registered.
    pub(in crate::cli) fn kind(&self) -> Result<Option<Kind>, CliError> {
        let is_rated = self.level.is_some() || self.min_rating.is_some() || self.max_rating.is_some();
        let needs_kind = is_rated || self.technique.is_some() || self.givens.is_some();
        if needs_kind { spec::or_first(self.kind).map(Some) } else { Ok(self.kind) }
    }
}
