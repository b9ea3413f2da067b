//! Reads the stored puzzles that a list or an export selects.

use crate::store::{
    Store, StoreError,
    job::JobId,
    puzzle::{Puzzle, PuzzleId, ShelfFilter},
};

/// A selection of stored puzzles.
#[derive(Debug)]
pub(super) struct Listed {
    /// The shelves of the puzzles.
    pub(super) shelves: ShelfFilter,
    /// The job that made the puzzles; `None` means any.
    pub(super) job: Option<JobId>,
}

impl Listed {
    /// Up to `limit` puzzles with IDs above `after`, ordered by ID.
    pub(super) async fn read(
        &self,
        store: &dyn Store,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        match self.job {
            Some(job) => store.puzzles_of_job(job, &self.shelves, after, limit).await,
            None => store.puzzles(&self.shelves, after, limit).await,
        }
    }
}
