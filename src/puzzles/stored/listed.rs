//! A selection of stored puzzles, as `ListPuzzles`, `ExportPuzzles`, and `WithdrawPuzzles` state it.

use serde_json::{Value, json};

use crate::wire::Parser;
use puzzled_base::ids::PuzzleId;
use puzzled_engine::shared::{names::quoted, spec::Difficulty, symmetry::Symmetry};
use puzzled_store::{
    Store, StoreError,
    stock::{
        filter::ShelfFilter,
        puzzle::{OriginFilter, Puzzle},
    },
};

/// A selection of stored puzzles.
#[derive(Debug)]
pub(super) struct Listed {
    /// The shelves of the puzzles.
    pub(super) shelves: ShelfFilter,
    /// The job or the import that the puzzles come from; `None` means any.
    pub(super) origin: Option<OriginFilter>,
}

impl Listed {
    /// The criteria of these puzzles, for the audit trail.
    pub(super) fn criteria(&self) -> Value {
        let ShelfFilter { kind, variant, symmetry, difficulty, technique, givens } = &self.shelves;
        let (level, ratings) = match difficulty {
            Difficulty::Any => (None, None),
            Difficulty::Level(level) => (Some(level.name()), None),
            Difficulty::Range { min, max } => (None, Some(format!("{min}-{max}"))),
        };
        let (job_id, import_id) = match &self.origin {
            None => (None, None),
            Some(OriginFilter::Job(job)) => (Some(job.to_string()), None),
            Some(OriginFilter::Import(import)) => (None, Some(import.clone())),
        };
        json!({
            "kind": kind,
            "variant": variant.name(),
            "symmetry": symmetry.map(Symmetry::name),
            "level": level,
            "ratings": ratings,
            "technique": technique,
            "min_givens": givens.min(),
            "max_givens": givens.max(),
            "job_id": job_id,
            "import_id": import_id,
        })
    }

    /// Up to `limit` puzzles with IDs above `after`, ordered by ID.
    pub(super) async fn read(
        &self,
        store: &dyn Store,
        after: Option<PuzzleId>,
        limit: u32,
        with_record: bool,
    ) -> Result<Vec<Puzzle>, StoreError> {
        match &self.origin {
            Some(origin) => store.puzzles_of(origin, &self.shelves, after, limit, with_record).await,
            None => store.puzzles(&self.shelves, after, limit, with_record).await,
        }
    }
}

impl Parser {
    /// The job or the import that puzzles come from; `None` for any.
    pub(super) fn origin(&mut self, job_id: &str, import_id: &str) -> Option<OriginFilter> {
        self.name("import_id", import_id);
        if import_id.is_empty() {
            return self.id("job_id", job_id, "a job").map(OriginFilter::Job);
        }
        if !job_id.is_empty() {
            self.refuse("import_id", format!("{} cannot be combined with job_id; set one of them", quoted(import_id)));
        }
        Some(OriginFilter::Import(import_id.to_owned()))
    }
}
