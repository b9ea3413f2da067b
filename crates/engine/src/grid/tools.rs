//! What the tests of this package need beyond [`PuzzleKind`](crate::shared::kind::PuzzleKind). Requires the feature `tools`, and may
//! change at any time.

use super::{kind::Grid, ladder::climb, position::Position, rules::Rules};
use crate::shared::{level::Tenths, text::TextError};

impl Grid {
    /// Whether the ladder solves a puzzle without the steps that are rated above `upto`.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of the kind.
    pub fn is_solved_within(self, variant: &str, text: &str, upto: Tenths) -> Result<bool, TextError> {
        let puzzle = self.read(variant, text)?;
        let rules = Rules::of(&puzzle);
        let start = Position::of(&rules, &puzzle.digits);
        Ok(start.is_some_and(|mut position| climb(&mut position, puzzle.variant.ladder, upto).solved))
    }
}
