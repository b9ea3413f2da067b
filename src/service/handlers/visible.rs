//! Which stored puzzle a caller gets by its ID.

use crate::{
    access::Caller,
    rules::{
        access::principal::Role,
        stock::puzzle::{Puzzle, PuzzleId},
    },
    service::{Service, errors::ServiceError},
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
