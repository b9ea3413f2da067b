//! The methods of `PuzzleService`, one in each file: `get` draws and delivers puzzles, `stored` lists, imports, and withdraws them,
//! `deliveries` keeps the histories of audiences, and `text` answers about one puzzle, sent as text or named by its ID. Files whose names
//! are no methods contain what several methods share.

mod batch_generate;
mod generate;

mod deliveries;
mod get;
mod stored;
mod text;

mod board;
mod puzzle_message;
mod views;

use crate::{
    access::Caller,
    calls::{Invalid, Service, ServiceError},
    settings::Limits,
};
use puzzled_engine::shared::text::TextError;
use puzzled_store::{access::principal::Role, ids::PuzzleId, stock::puzzle::Puzzle};

// Commands print what the server would send.
pub(crate) use puzzle_message::{Include, later_rating, puzzle_message, rated_message};

impl Service {
    /// The puzzle with an ID, withdrawn or not. To readers, the ID of a held puzzle is unknown, unless it is the puzzle of a
    /// day that has begun.
    ///
    /// # Errors
    /// [`ServiceError::PuzzleNotFound`] if there is no such puzzle, or if the caller may not know of it.
    async fn visible(&self, id: PuzzleId, caller: &Caller) -> Result<Puzzle, ServiceError> {
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

/// Checks the number of requests in a batch.
///
/// # Errors
/// [`ServiceError::Invalid`] if there are none, or too many.
fn may_batch(len: usize, limits: &Limits) -> Result<(), ServiceError> {
    let max = limits.max_batch_requests;
    if (1..=max as usize).contains(&len) {
        return Ok(());
    }
    Err(Invalid::one("requests", format!("{len} are outside 1 to {max}")))
}

/// The text was read before, so an error now is a fault of the kind.
fn unread(error: &TextError) -> ServiceError {
    ServiceError::Internal(format!("a text in its stored form cannot be read: {error:?}"))
}
