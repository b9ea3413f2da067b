//! `WatchStock`: sends the counts of a part of the stock after each change.

use std::sync::Arc;

use super::{part, stock_message::stock_message};
use crate::calls::{Asked, Messages, POLL_EVERY, Reply, Service, ServiceError, Stream, start_stream};
use puzzled_api::v1 as pb;
use puzzled_store::stock::{draws::Stock, filter::ShelfFilter};

impl Service {
    #[expect(clippy::unused_async, reason = "all methods are awaited")]
    pub(crate) async fn watch_stock(
        &self,
        request: &Asked<pb::WatchStockRequest>,
    ) -> Reply<Stream<pb::WatchStockResponse>> {
        let opened = self.open(&self.watchers, self.settings().limits.max_watchers, request)?;
        let pb::WatchStockRequest { kind, variant, symmetry, level } = request.get_ref().clone();
        let part = part(&pb::JobSpec { kind, variant, symmetry, level, ..pb::JobSpec::default() })?;
        let stock = Arc::clone(&self.stock);
        Ok(start_stream(opened, async move |messages| send(&stock, &part, &messages).await))
    }
}

/// Sends the counts after each change. Reads them repeatedly, because changes by other processes are not announced.
async fn send(
    stock: &Stock,
    part: &ShelfFilter,
    messages: &Messages<pb::WatchStockResponse>,
) -> Result<(), ServiceError> {
    let mut sent = None;
    loop {
        let shelves = stock.shelves(part).await?;
        let outlooks = stock.planner().outlooks().await?;
        let outlooks = outlooks.into_iter().filter(|outlook| ShelfFilter::of(&outlook.target.wish.spec).meets(part));
        let pb::GetStockResponse { total, levels, targets, .. } = stock_message(shelves, 0, outlooks);
        let now = pb::WatchStockResponse { total, levels, targets };
        if sent.as_ref() != Some(&now) {
            sent = Some(now.clone());
            if messages.send(Ok(now)).await.is_err() {
                return Ok(());
            }
        }
        tokio::time::sleep(POLL_EVERY).await;
    }
}
