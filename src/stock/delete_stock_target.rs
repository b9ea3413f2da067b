//! `DeleteStockTarget`: deletes a stock target.

use super::{stock_message::target_message, target_id};
use crate::calls::{Asked, Reply, Service, ServiceError, actor_of};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn delete_stock_target(
        &self,
        request: &Asked<pb::DeleteStockTargetRequest>,
    ) -> Reply<pb::DeleteStockTargetResponse> {
        let by = actor_of(request, "DeleteStockTarget")?;
        let pb::DeleteStockTargetRequest { id, allow_missing } = request.get_ref().clone();
        let target = match target_id(&id) {
            Ok(id) => self.stock.store().delete_target(id, &by).await?,
            Err(ServiceError::TargetNotFound(_)) => None,
            Err(error) => return Err(error),
        };
        if let Some(target) = &target {
            tracing::info!(stock_target = %target.id, spec = target.wish.spec.words(), "stock target deleted");
        }
        if target.is_none() && !allow_missing {
            return Err(ServiceError::TargetNotFound(id));
        }
        Ok(pb::DeleteStockTargetResponse { target: target.map(target_message) })
    }
}
