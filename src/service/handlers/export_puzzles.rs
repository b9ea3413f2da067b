//! `ExportPuzzles`: streams the stored puzzles that match, page by page, as fast as the client reads. The audit trail
//! gets an entry before the first page is sent.

use std::sync::Arc;

use tonic::Request;

use super::{
    actor,
    listed::Listed,
    ratings::{self, Include},
};
use crate::{
    proto::v1 as pb,
    rules::stock::puzzle::PuzzleId,
    service::{
        Service,
        errors::ServiceError,
        limits::streams::{self, Messages, Stream},
        parse,
    },
    stock::Stock,
};

/// The number of puzzles in one message. A message of 100 Sudoku has a quarter of a megabyte, and one of the largest
/// puzzles with all optional fields stays below the default limit of clients.
const PAGE: u32 = 100;

impl Service {
    /// Begins to send the puzzles that a request asks for. The audit trail gets its entry before the first puzzle is
    /// sent.
    pub(in crate::service) async fn export(
        &self,
        request: &Request<pb::ExportPuzzlesRequest>,
    ) -> Result<Stream<pb::ExportPuzzlesResponse>, ServiceError> {
        let wanted = request.get_ref();
        let (listed, after) = parse::export(wanted)?;
        let include = Include {
            solutions: wanted.include_solutions,
            ratings: wanted.include_ratings,
            drawing: wanted.include_drawing,
            structure: wanted.include_structure,
        };
        let places_max = self.limits().exports_max;
        let opened = self.exporters.open(request, &self.share_key(request), places_max, &self.shutdown)?;
        let by = actor::of(request, "ExportPuzzles")?;
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
        let page = listed.read(stock.store(), after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.id);
        let message = pb::ExportPuzzlesResponse { puzzles: ratings::shown(stock, page, include).await? };
        if messages.send(Ok(message)).await.is_err() {
            return Ok(());
        }
    }
}
