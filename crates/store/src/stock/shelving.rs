//! The puzzles that a write puts on shelves, from a slice or an import, and the results.

use async_trait::async_trait;

use crate::{
    StoreError,
    jobs::{
        job::Job,
        slice::{Again, Alike, Likeness, MadeAt},
    },
    stock::{
        import::ProvedPuzzle,
        puzzle::{ImportOrigin, JobOrigin, Origin, ShelfKey},
    },
};
use puzzled_engine::shared::tries::Made;

/// A puzzle to put on its shelf.
#[derive(Debug)]
pub(crate) struct New<'a> {
    pub(crate) origin: Origin,
    pub(crate) key: ShelfKey,
    pub(crate) likeness: Likeness,
    pub(crate) made: &'a Made,
    /// Who holds the puzzle, in the form of the database; `None` if it gets a position.
    pub(crate) holder: Option<String>,
}

impl<'a> New<'a> {
    pub(crate) fn of_job(job: &Job, at: &'a MadeAt) -> Self {
        let MadeAt { index, try_number, made } = at;
        let origin = JobOrigin { seed: job.seed, job_id: job.id, index: *index, try_number: *try_number };
        let likeness = Likeness::of(&job.spec.kind, &job.spec.variant, made);
        let holder = job.holder.as_ref().map(ToString::to_string);
        Self { origin: Origin::Job(origin), key: at.shelf(&job.spec), likeness, made, holder }
    }

    pub(crate) fn of_import(origin: ImportOrigin, found: &'a ProvedPuzzle) -> Self {
        let ProvedPuzzle { spec, made } = found;
        let likeness = Likeness::of(&spec.kind, &spec.variant, made);
        Self { origin: Origin::Import(origin), key: found.shelf(), likeness, made, holder: None }
    }
}

/// The result for one puzzle.
#[derive(Debug)]
pub(crate) enum Shelved {
    /// It is on its shelf.
    Stored {
        /// The puzzle's id.
        id: i64,
        /// The indices of its job whose puzzles it replaced, which must be tried again.
        again: Vec<Again>,
    },
    /// It repeats these puzzles, at least one.
    Repeat(Vec<Alike>),
    /// It needs this shelf, which does not exist, and the number of shelves is at its limit.
    NoShelf(ShelfKey),
}

/// The step of a write that each database does in its own way.
#[async_trait]
pub(crate) trait ShelveWrite: Send {
    /// Puts puzzles on their shelves in this order, except repeats, and returns the result for each. Adds missing shelves.
    /// The puzzles of a job must be sorted by index.
    async fn shelve(&mut self, all: &[New<'_>]) -> Result<Vec<Shelved>, StoreError>;
}
