//! `ExportPuzzles`: the stored puzzles that fit, page after page, as fast as the caller takes them.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::{
    Service,
    deadline::Deadline,
    errors::ServiceError,
    parse,
    ratings::{self, Include},
    streams,
};
use crate::{
    proto::v1 as pb,
    stock::Stock,
    store::puzzle::{PuzzleId, ShelfFilter},
};

/// Puzzles of one message: a quarter of a megabyte of Sudokus, far below what clients take.
const PAGE: u32 = 100;

type Messages = mpsc::Sender<Result<pb::ExportPuzzlesResponse, Status>>;

impl Service {
    /// Begins to send the puzzles that a request asks for.
    pub(super) fn export(
        &self,
        request: &pb::ExportPuzzlesRequest,
        deadline: Option<Deadline>,
    ) -> Result<ReceiverStream<Result<pb::ExportPuzzlesResponse, Status>>, ServiceError> {
        let (shelves, after) = parse::export(request)?;
        let include = Include { solutions: request.include_solutions, ratings: request.include_ratings };
        let place = Arc::clone(&self.exporters)
            .try_acquire_owned()
            .map_err(|_| ServiceError::Busy { subject: "exports under way", max: self.limits.exports_max })?;
        let (stock, shutdown) = (Arc::clone(&self.stock), self.shutdown.clone());
        // One message is read while another one is sent.
        let (messages, stream) = mpsc::channel(1);
        tokio::spawn(async move {
            let _place = place;
            streams::run(&messages, deadline, &shutdown, send(&stock, &shelves, after, include, &messages)).await;
        });
        Ok(ReceiverStream::new(stream))
    }
}

async fn send(
    stock: &Stock,
    shelves: &ShelfFilter,
    mut after: Option<PuzzleId>,
    include: Include,
    messages: &Messages,
) -> Result<(), ServiceError> {
    loop {
        let page = stock.store().puzzles(shelves, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some(last.id);
        let message = pb::ExportPuzzlesResponse { puzzles: ratings::shown(stock, page, include).await? };
        if messages.send(Ok(message)).await.is_err() {
            return Ok(());
        }
    }
}
