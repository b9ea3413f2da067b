//! Reads the stored puzzles that `ListPuzzles` or `ExportPuzzles` selects. An export is a stream, page by page, as fast as
//! the client reads, and gets an entry in the audit trail before its first page.

use std::sync::Arc;

use serde_json::{Value, json};
use tonic::Request;

use super::{Reply, ratings};
use crate::{
    calls::{
        errors::ServiceError,
        limits::streams::{self, Messages, Stream},
        open::actor_of,
        service::Service,
    },
    service::{parse, render::puzzle::Include},
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::{spec::Difficulty, symmetry::Symmetry};
use puzzled_store::{
    Store, StoreError,
    ids::PuzzleId,
    stock::{
        draws::Stock,
        filter::ShelfFilter,
        puzzle::{OriginFilter, Puzzle},
    },
};

/// The number of puzzles in one message. A message of 100 Sudoku has a quarter of a megabyte, and one of the largest
/// puzzles with all optional fields stays below the default limit of clients.
const PAGE: u32 = 100;

/// A selection of stored puzzles.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The shelves of the puzzles.
    pub(crate) shelves: ShelfFilter,
    /// The job or the import that the puzzles come from; `None` means any.
    pub(crate) origin: Option<OriginFilter>,
}

impl Listed {
    /// The details of an export of these puzzles, for the audit trail.
    fn details(&self, after: Option<PuzzleId>, solutions: bool) -> Value {
        let mut details = self.criteria();
        details["include_solutions"] = solutions.into();
        details["after_id"] = after.map(|puzzle| puzzle.to_string()).into();
        details
    }

    /// The criteria of these puzzles, for the audit trail.
    pub(crate) fn criteria(&self) -> Value {
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
    pub(crate) async fn read(
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

impl Service {
    /// Begins to send the puzzles that a request asks for. The audit trail gets its entry before the first puzzle is
    /// sent.
    pub(crate) async fn export_puzzles(
        &self,
        request: &Request<pb::ExportPuzzlesRequest>,
    ) -> Reply<Stream<pb::ExportPuzzlesResponse>> {
        let wanted = request.get_ref();
        let (listed, after) = parse::export(wanted)?;
        let include = Include {
            solutions: wanted.include_solutions,
            ratings: wanted.include_ratings,
            drawing: wanted.include_drawing,
            structure: wanted.include_structure,
            links: wanted.include_links,
            record: wanted.include_record,
        };
        let places_max = self.settings().limits.max_exports;
        let opened = self.exporters.open(request, &self.share_key(request), places_max, &self.shutdown)?;
        let by = actor_of(request, "ExportPuzzles")?;
        self.stock.store().note(&by, listed.details(after, include.solutions)).await?;
        tracing::info!(solutions = include.solutions, "export started");
        let stock = Arc::clone(&self.stock);
        Ok(streams::start(opened, async move |messages| send(&stock, &listed, after, include, &messages).await))
    }
}

async fn send(
    stock: &Stock,
    listed: &Listed,
    mut after: Option<PuzzleId>,
    include: Include,
    messages: &Messages<pb::ExportPuzzlesResponse>,
) -> Result<(), ServiceError> {
    loop {
        let page = listed.read(stock.store(), after, PAGE, include.record).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.id);
        let message = pb::ExportPuzzlesResponse { puzzles: ratings::shown(stock, page, include).await? };
        if messages.send(Ok(message)).await.is_err() {
            return Ok(());
        }
    }
}
