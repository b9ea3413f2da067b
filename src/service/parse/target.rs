//! Requests for stock targets.

use super::{Parser, criteria::Criteria};
use crate::{
    clock::Millis, proto::v1 as pb, service::errors::ServiceError, stock::targets::draft::Draft, store::target::Wish,
};

/// The target that a request wants to be set.
pub(in crate::service) fn wish(request: &pb::SetStockTargetRequest, now: Millis) -> Result<Wish, ServiceError> {
    let mut parser = Parser::default();
    let spec = parser.spec(Criteria::from(request), None, "");
    let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let draft = Draft {
        target: request.target,
        low_water: Some(request.low_water).filter(|&low_water| low_water > 0),
        priority: request.priority,
        cron: said(&request.cron),
        time_zone: said(&request.time_zone),
        window_minutes: Some(request.window_minutes).filter(|&minutes| minutes > 0),
        no_extras: request.no_extras,
    };
    for fault in draft.faults(now) {
        parser.refuse(fault.field, fault.reason);
    }
    parser.done_with(spec.and_then(|spec| draft.wish(spec, now).ok()))
}
