//! `GetStock`: counts the puzzles on the shelves of a part of the stock, with the outlooks of its targets.

use super::{part, stock_message::stock_message};
use crate::calls::{Asked, Reply, Service};
use puzzled_api::v1 as pb;
use puzzled_store::stock::filter::ShelfFilter;

impl Service {
    pub(crate) async fn get_stock(&self, request: &Asked<pb::GetStockRequest>) -> Reply<pb::GetStockResponse> {
        let pb::GetStockRequest { kind, variant, symmetry, level } = request.get_ref().clone();
        let filter = part(&pb::JobSpec { kind, variant, symmetry, level, ..pb::JobSpec::default() })?;
        let shelves = self.stock.shelves(&filter).await?;
        let outlooks = self.stock.planner().outlooks().await?;
        let outlooks = outlooks.into_iter().filter(|outlook| ShelfFilter::of(&outlook.target.wish.spec).meets(&filter));
        let held = self.stock.store().count_held(None, &filter).await?;
        Ok(stock_message(shelves, held, outlooks))
    }
}
