//! `CreateStockTarget`: creates a stock target, which keeps a number of puzzles of a spec in stock.

use super::{is_said, stock_message::target_message};
use crate::{
    calls::{Asked, Reply, Service, ServiceError, actor_of},
    wire::Parser,
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};
use puzzled_base::clock::Millis;
use puzzled_store::targets::{
    draft::Draft,
    target::{TargetCreated, Wish},
};

impl Service {
    pub(crate) async fn create_stock_target(
        &self,
        request: &Asked<pb::CreateStockTargetRequest>,
    ) -> Reply<pb::CreateStockTargetResponse> {
        let by = actor_of(request, "CreateStockTarget")?;
        let wish = wish(request.get_ref(), self.clock.now())?;
        let target = match self.stock.planner().create(&wish, &by).await? {
            TargetCreated::Created(target) => {
                tracing::info!(stock_target = %target.id, spec = wish.spec.words(), count = wish.count, "stock target created");
                target_message(target)
            }
            TargetCreated::Exists(target) => {
                return Err(ServiceError::TargetExists { puzzles: wish.to_string(), target });
            }
            TargetCreated::TooMany { targets } => {
                let max = self.settings().limits.max_targets;
                return Err(ServiceError::TargetsFull { targets, max });
            }
        };
        Ok(pb::CreateStockTargetResponse { target: Some(target) })
    }
}

fn wish(request: &pb::CreateStockTargetRequest, now: Millis) -> Result<Wish, ServiceError> {
    let mut parser = Parser::default();
    let spec = parser.spec(&request.stated());
    let draft = Draft {
        count: request.target,
        low_water: Some(request.low_water).filter(is_said),
        priority: request.priority,
        cron: Some(request.cron.clone()).filter(is_said),
        time_zone: Some(request.time_zone.clone()).filter(is_said),
        window_minutes: Some(request.window_minutes).filter(is_said),
    };
    for fault in draft.faults(now) {
        parser.refuse(fault.field, fault.reason);
    }
    parser.done_with(spec.and_then(|(_, spec)| draft.wish(spec, now).ok()))
}
