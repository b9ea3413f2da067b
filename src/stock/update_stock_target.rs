//! `UpdateStockTarget`: changes the fields of a stock target that the mask of the request names.

use super::{is_said, stock_message::target_message, target_id};
use crate::{
    calls::{Asked, Invalid, Reply, Service, ServiceError, actor_of},
    wire::Parser,
};
use puzzled_api::{field_names, v1 as pb};
use puzzled_engine::shared::names::quoted;
use puzzled_store::targets::{
    change::{Change, Edit},
    target::{TargetUpdated, UpdateRefusal},
};

/// The fields that an update can change.
const CHANGEABLE: [&str; 6] = ["target", "low_water", "priority", "cron", "time_zone", "window_minutes"];

impl Service {
    pub(crate) async fn update_stock_target(
        &self,
        request: &Asked<pb::UpdateStockTargetRequest>,
    ) -> Reply<pb::UpdateStockTargetResponse> {
        let by = actor_of(request, "UpdateStockTarget")?;
        let request = request.get_ref();
        let change = change(request)?;
        let target = target_id(&request.id)?;
        let target = match self.stock.store().update_target(target, &change, &by).await? {
            TargetUpdated::Updated(target) => {
                let (spec, count) = (target.wish.spec.words(), target.wish.count);
                tracing::info!(stock_target = %target.id, spec, count, "stock target updated");
                target_message(target)
            }
            TargetUpdated::Refused(UpdateRefusal::Declared(by)) => {
                return Err(ServiceError::TargetDeclared { target, by });
            }
            TargetUpdated::Refused(UpdateRefusal::Invalid(faults)) => return Err(Invalid::of_target(faults)),
            TargetUpdated::NoTarget => return Err(ServiceError::TargetNotFound(request.id.clone())),
        };
        Ok(pb::UpdateStockTargetResponse { target: Some(target) })
    }
}

/// The changes of an update: the fields that its mask names, or without a mask the fields that are set.
fn change(request: &pb::UpdateStockTargetRequest) -> Result<Change, ServiceError> {
    let mut parser = Parser::default();
    let mask = request.update_mask.as_ref().map(|mask| mask.paths.as_slice()).unwrap_or_default();
    for path in mask {
        parser.changeable(path);
    }
    parser.done()?;
    Ok(Change {
        // 0 is not a default of `target`. It is refused with the other faults.
        count: edit(mask, "target", request.target.map(Edit::Set)),
        low_water: edit(mask, "low_water", request.low_water.map(set_or_reset)),
        priority: edit(mask, "priority", request.priority.map(Edit::Set)),
        cron: edit(mask, "cron", request.cron.clone().map(set_or_reset)),
        time_zone: edit(mask, "time_zone", request.time_zone.clone().map(set_or_reset)),
        window_minutes: edit(mask, "window_minutes", request.window_minutes.map(set_or_reset)),
    })
}

impl Parser {
    /// Checks one path of an update's mask.
    fn changeable(&mut self, path: &str) {
        let all = CHANGEABLE.join(", ");
        if CHANGEABLE.contains(&path) {
            return;
        }
        if field_names::<pb::StockTarget>().any(|field| field == path) {
            let way = "to have other puzzles, delete the target and create another one";
            self.refuse("update_mask", format!("{path} cannot change; the fields that can are {all}; {way}"));
        } else {
            self.refuse(
                "update_mask",
                format!("{} is no field of a target; those that can change are {all}", quoted(path)),
            );
        }
    }
}

/// The change of a field by an update with this mask. `sent` is the value of the field, if it is set.
fn edit<T>(mask: &[String], field: &str, sent: Option<Edit<T>>) -> Edit<T> {
    if mask.is_empty() {
        return sent.unwrap_or(Edit::Keep);
    }
    if mask.iter().any(|path| path == field) { sent.unwrap_or(Edit::Reset) } else { Edit::Keep }
}

fn set_or_reset<T: Default + PartialEq>(value: T) -> Edit<T> {
    if is_said(&value) { Edit::Set(value) } else { Edit::Reset }
}
