//! 9×9 Sudoku, as a kind of puzzle.

pub mod board;
pub mod canonical;
pub mod core;
pub mod draw;
mod explanation;
mod generate;
pub mod grids;
pub mod kernel;
pub mod orbits;
pub mod plain;
pub mod rating;
pub mod techniques;
pub mod thin;
pub mod transform;
mod verdict;
mod wanted;

use self::board::Grid;
use super::{
    budget::Budget,
    kind::{PuzzleKind, Try, Variants},
    level::{LevelBorder, Tenths},
    rng::Rng,
    spec::{Spec, SpecError},
    symmetry::Symmetry,
    text::{Reasoned, TextError, Verdict},
};

/// The only variant so far.
const VARIANT: &str = "9x9";

/// Sudoku. Texts are lines of 81 characters, rows from the top; `.` and `0` are empty cells.
#[derive(Debug, Clone, Copy)]
pub struct Sudoku;

impl PuzzleKind for Sudoku {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn rater(&self) -> (&'static str, u32) {
        rating::RATER
    }

    fn default_variant(&self) -> &'static str {
        VARIANT
    }

    fn variants(&self) -> Variants {
        Variants { meaning: "9x9: nine rows, columns and boxes of nine cells", names: &[VARIANT] }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &Symmetry::ALL
    }

    fn levels(&self) -> &'static [LevelBorder; 5] {
        &rating::LEVELS
    }

    fn rating_max(&self) -> Tenths {
        rating::RATING_MAX
    }

    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError> {
        wanted::check(spec)
    }

    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
        generate::make(spec, rng, budget)
    }

    fn normalise(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(read(variant, text)?.dotted())
    }

    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        Ok(verdict::verdict(&read(variant, text)?, budget))
    }

    fn reason(&self, variant: &str, text: &str) -> Result<Reasoned, TextError> {
        Ok(rating::reasoned(&read(variant, text)?))
    }

    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(canonical::canonical(&read(variant, text)?))
    }

    fn solved(&self, variant: &str, _text: &str, solution: &str) -> Result<String, TextError> {
        Ok(canonical::solved(&read(variant, solution)?))
    }

    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(draw::draw(&read(variant, text)?))
    }
}

fn read(variant: &str, text: &str) -> Result<Grid, TextError> {
    if variant == VARIANT { Grid::parse(text) } else { Err(TextError::Malformed { reason: unknown_variant(variant) }) }
}

fn unknown_variant(variant: &str) -> String {
    format!("unknown variant {variant:?} of sudoku: one of {VARIANT}")
}
