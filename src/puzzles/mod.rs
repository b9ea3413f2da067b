//! The methods of `PuzzleService`, one in each file: `get` draws and delivers puzzles, `stored` lists, imports, and withdraws them,
//! `deliveries` keeps the histories of audiences, and `text` answers about one puzzle, sent as text or named by its ID. Files whose names
//! are no methods contain what several methods share.

mod batch_generate;
mod generate;

mod deliveries;
mod get;
mod stored;
mod text;

mod puzzle_message;
mod views;

use crate::{
    calls::{Invalid, ServiceError},
    settings::Limits,
};

// Commands print what the server would send.
pub(crate) use puzzle_message::{later_rating, puzzle_message};

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
