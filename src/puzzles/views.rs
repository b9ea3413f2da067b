//! Scrambled views: isomorphs of a stored puzzle, one for each seed.

use super::unread;
use crate::calls::{Invalid, ServiceError};
use puzzled_engine::{
    registry,
    shared::{
        kind::{PuzzleKind, Scrambled, View},
        rng::Rng,
    },
};
use puzzled_store::stock::puzzle::{Puzzle, ShelfKey};

/// The kind of a puzzle, if this version knows its variant and it has views.
///
/// # Errors
/// [`ServiceError::Invalid`] if the puzzle has no views.
pub(super) fn kind_with_views(shelf: &ShelfKey, seed: u64) -> Result<&'static dyn PuzzleKind, ServiceError> {
    let kind = registry::kind(&shelf.kind).filter(|kind| kind.has_views(&shelf.variant) && shelf.is_known());
    kind.ok_or_else(|| Invalid::one("scramble_seed", without_views(&shelf.kind, seed)))
}

/// Why a kind cannot be scrambled.
pub(super) fn without_views(kind: &str, seed: u64) -> String {
    format!("{seed}: puzzles of kind {kind} have no scrambled views; leave it unset")
}

/// The text and the solution of the view for a seed, which may have no rating.
pub(super) fn scrambled(kind: &dyn PuzzleKind, puzzle: &Puzzle, seed: u64) -> Result<Scrambled, ServiceError> {
    let Puzzle { shelf, text, solution, .. } = puzzle;
    let stored = View { variant: &shelf.variant, symmetry: shelf.symmetry, text, solution };
    let scrambled = kind.scramble(&stored, &mut Rng::from_seed(seed)).map_err(|error| unread(&error))?;
    scrambled.ok_or_else(|| ServiceError::Internal(format!("{} has views, and gave none", kind.name())))
}
