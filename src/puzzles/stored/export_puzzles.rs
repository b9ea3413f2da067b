//! `ExportPuzzles`: sends stored puzzles page by page, as fast as the client reads. The audit trail gets an entry before the first page.

use std::sync::Arc;

use super::listed::Listed;
use crate::{
    calls::{Asked, Messages, Reply, Service, ServiceError, Stream, actor_of, start_stream},
    puzzles::puzzle_message::puzzle_messages,
    wire::Parser,
};
use puzzled_api::{criteria::StatesCriteria as _, puzzle::Include, v1 as pb};
use puzzled_base::ids::PuzzleId;
use puzzled_store::stock::draws::Stock;
use serde_json::Value;

/// The number of puzzles in one message. A message of Sudoku has about a quarter of a megabyte. With the largest puzzles and all optional
/// fields, a message stays below the default limit of clients.
const PAGE: u32 = 100;

impl Service {
    pub(crate) async fn export_puzzles(
        &self,
        request: &Asked<pb::ExportPuzzlesRequest>,
    ) -> Reply<Stream<pb::ExportPuzzlesResponse>> {
        let wanted = request.get_ref();
        let (listed, after) = parse(wanted)?;
        let include = Include {
            solutions: wanted.include_solutions,
            ratings: wanted.include_ratings,
            drawing: wanted.include_drawing,
            structure: wanted.include_structure,
            links: wanted.include_links,
            record: wanted.include_record,
        };
        let opened = self.open(&self.exporters, self.settings().limits.max_exports, request)?;
        let by = actor_of(request, "ExportPuzzles")?;
        self.stock.store().note(&by, details(&listed, after, include.solutions)).await?;
        tracing::info!(solutions = include.solutions, "export started");
        let stock = Arc::clone(&self.stock);
        Ok(start_stream(opened, async move |messages| send(&stock, &listed, after, include, &messages).await))
    }
}

/// The puzzles of a request, and the ID after which the export starts.
fn parse(request: &pb::ExportPuzzlesRequest) -> Result<(Listed, Option<PuzzleId>), ServiceError> {
    let mut parser = Parser::default();
    let shelves = parser.shelves(&request.stated());
    let origin = parser.origin(&request.job_id, &request.import_id);
    let after = parser.id("after_id", &request.after_id, "a puzzle");
    let shelves = parser.done_with(shelves)?;
    Ok((Listed { shelves, origin }, after))
}

/// The details of the export, for the audit trail.
fn details(listed: &Listed, after: Option<PuzzleId>, solutions: bool) -> Value {
    let mut details = listed.criteria();
    details["include_solutions"] = solutions.into();
    details["after_id"] = after.map(|puzzle| puzzle.to_string()).into();
    details
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
        let message = pb::ExportPuzzlesResponse { puzzles: puzzle_messages(stock, page, include).await? };
        if messages.send(Ok(message)).await.is_err() {
            return Ok(());
        }
    }
}
