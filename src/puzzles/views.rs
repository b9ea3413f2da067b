//! A stored puzzle as a caller sees it: whether the caller may know of it, and its scrambled views, which are its isomorphs, one for each
//! seed.

use crate::{
    access::Caller,
    calls::{Invalid, Service, ServiceError},
};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::{
    registry,
    shared::{
        kind::{PuzzleKind, Scrambled, View},
        rng::Rng,
        text::TextError,
    },
};
use puzzled_store::{
    access::principal::Role,
    stock::puzzle::{Puzzle, ShelfKey},
};

impl Service {
    /// The puzzle with an ID, withdrawn or not. To readers, the ID of a held puzzle is unknown, unless it is the puzzle of a
    /// day that has begun.
    ///
    /// # Errors
    /// [`ServiceError::PuzzleNotFound`] if there is no such puzzle, or if the caller may not know of it.
    pub(super) async fn visible(&self, id: PuzzleId, caller: &Caller) -> Result<Puzzle, ServiceError> {
        let unknown = || ServiceError::PuzzleNotFound(id.to_string());
        let puzzle = self.stock.store().puzzle(id).await?.ok_or_else(unknown)?;
        let is_shown = !puzzle.is_held() || caller.principal.role >= Role::Maker || self.is_published(id).await?;
        if is_shown { Ok(puzzle) } else { Err(unknown()) }
    }

    /// Whether a puzzle is that of a day that has begun.
    async fn is_published(&self, id: PuzzleId) -> Result<bool, ServiceError> {
        let Some(day) = self.stock.store().day_of(id).await? else { return Ok(false) };
        let all = self.stock.store().all_series().await?;
        let current = all.iter().find(|series| series.id == day.series_id).map(|it| it.current_date(self.clock.now()));
        Ok(current.flatten().is_some_and(|current| day.date <= current))
    }
}

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

/// The text was read before, so an error now is a fault of the kind.
pub(super) fn unread(error: &TextError) -> ServiceError {
    ServiceError::Internal(format!("a text in its stored form cannot be read: {error:?}"))
}
