//! Reads the stored puzzles that a list or an export selects, and describes the selection of an export for the audit
//! trail.

use serde_json::{Value, json};

use crate::{
    rules::{
        jobs::job::JobId,
        stock::{
            filter::ShelfFilter,
            puzzle::{Puzzle, PuzzleId},
        },
    },
    store::{Store, StoreError},
};
use puzzled_engine::shared::{spec::Difficulty, symmetry::Symmetry};

/// A selection of stored puzzles.
#[derive(Debug)]
pub(in crate::service) struct Listed {
    /// The shelves of the puzzles.
    pub(in crate::service) shelves: ShelfFilter,
    /// The job that made the puzzles; `None` means any.
    pub(in crate::service) job: Option<JobId>,
}

impl Listed {
    /// The details of an export of these puzzles, for the audit trail.
    pub(in crate::service) fn details(&self, after: Option<PuzzleId>, solutions: bool) -> Value {
        let ShelfFilter { kind, variant, symmetry, difficulty, technique, clues } = &self.shelves;
        let (level, ratings) = match difficulty {
            Difficulty::Any => (None, None),
            Difficulty::Level(level) => (Some(level.name()), None),
            Difficulty::Range { min, max } => (None, Some(format!("{min}-{max}"))),
        };
        json!({
            "include_solutions": solutions,
            "kind": kind,
            "variant": variant.name(),
            "symmetry": symmetry.map(Symmetry::name),
            "level": level,
            "ratings": ratings,
            "technique": technique,
            "clues": clues,
            "job_id": self.job.map(|job| job.to_string()),
            "after_id": after.map(|puzzle| puzzle.to_string()),
        })
    }

    /// Up to `limit` puzzles with IDs above `after`, ordered by ID.
    pub(in crate::service) async fn read(
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
