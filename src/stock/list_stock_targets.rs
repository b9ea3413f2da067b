//! `ListStockTargets`: lists the stock targets.

use super::stock_message::target_message;
use crate::{
    calls::{Asked, Reply, Service},
    wire::Parser,
};
use puzzled_api::v1 as pb;
use puzzled_base::ids::TargetId;

impl Service {
    pub(crate) async fn list_stock_targets(
        &self,
        request: &Asked<pb::ListStockTargetsRequest>,
    ) -> Reply<pb::ListStockTargetsResponse> {
        let pb::ListStockTargetsRequest { page_size, page_token } = request.get_ref();
        let (mut parser, all) = (Parser::default(), pb::ListStockTargetsRequest::default());
        let page = parser.page("targets", all, (*page_size, page_token), &self.settings().limits);
        parser.done()?;
        let read = self.stock.store().target_page(page.after.map(TargetId), page.reads());
        let (targets, next_page_token) = page.cut(read.await?, |target| target.id.0);
        let targets = targets.into_iter().map(target_message).collect();
        Ok(pb::ListStockTargetsResponse { targets, next_page_token })
    }
}
