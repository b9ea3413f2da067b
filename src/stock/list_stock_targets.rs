//! `ListStockTargets`: lists the stock targets.

use tonic::Request;

use super::stock_message::target_message;
use crate::{
    calls::{Reply, Service, ServiceError},
    settings::Limits,
    wire::{Page, Parser},
};
use puzzled_api::v1 as pb;
use puzzled_store::ids::TargetId;

impl Service {
    pub(crate) async fn list_stock_targets(
        &self,
        request: &Request<pb::ListStockTargetsRequest>,
    ) -> Reply<pb::ListStockTargetsResponse> {
        let page = parse(request.get_ref(), &self.settings().limits)?;
        let read = self.stock.store().target_page(page.after.map(TargetId), page.reads());
        let (targets, next_page_token) = page.cut(read.await?, |target| target.id.0);
        let targets = targets.into_iter().map(target_message).collect();
        Ok(pb::ListStockTargetsResponse { targets, next_page_token })
    }
}

/// The page of a request.
fn parse(
    request: &pb::ListStockTargetsRequest,
    limits: &Limits,
) -> Result<Page<pb::ListStockTargetsRequest>, ServiceError> {
    let mut parser = Parser::default();
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("targets", pb::ListStockTargetsRequest::default(), size, &request.page_token);
    parser.done()?;
    Ok(page)
}
