//! Parses requests that create or change stock targets, including the mask of an update.

use super::Parser;
use crate::calls::errors::ServiceError;
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::names::quoted;
use puzzled_store::targets::{
    change::{Change, Edit},
    draft::Draft,
    target::Wish,
};

/// The fields that an update can change.
const CHANGEABLE: [&str; 6] = ["target", "low_water", "priority", "cron", "time_zone", "window_minutes"];

/// The fields of a target that an update cannot change.
const FIXED: [&str; 13] = [
    "id",
    "kind",
    "variant",
    "symmetry",
    "level",
    "min_rating",
    "max_rating",
    "technique",
    "min_givens",
    "max_givens",
    "declared_by",
    "create_time",
    "update_time",
];

pub(crate) fn wish(request: &pb::CreateStockTargetRequest, now: Millis) -> Result<Wish, ServiceError> {
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

/// The changes of an update: the fields that its mask names, or without a mask the fields that are set.
pub(crate) fn change(request: &pb::UpdateStockTargetRequest) -> Result<Change, ServiceError> {
    let mut parser = Parser::default();
    let mask = request.update_mask.as_ref().map(|mask| mask.paths.as_slice()).unwrap_or_default();
    for path in mask {
        parser.changeable(path);
    }
    parser.done()?;
    let mask = Mask(mask);
    Ok(Change {
        // 0 is not a default of `target`. It is refused with the other faults.
        count: mask.edit("target", request.target.map(Edit::Set)),
        low_water: mask.edit("low_water", request.low_water.map(set_or_reset)),
        priority: mask.edit("priority", request.priority.map(Edit::Set)),
        cron: mask.edit("cron", request.cron.clone().map(set_or_reset)),
        time_zone: mask.edit("time_zone", request.time_zone.clone().map(set_or_reset)),
        window_minutes: mask.edit("window_minutes", request.window_minutes.map(set_or_reset)),
    })
}

fn set_or_reset<T: Default + PartialEq>(value: T) -> Edit<T> {
    if is_said(&value) { Edit::Set(value) } else { Edit::Reset }
}

/// Whether a value differs from the one that means the default.
fn is_said<T: Default + PartialEq>(value: &T) -> bool {
    *value != T::default()
}

/// The paths of an update's mask.
struct Mask<'a>(&'a [String]);

impl Mask<'_> {
    /// The change of a field. `sent` is its value, if it is set.
    fn edit<T>(&self, field: &str, sent: Option<Edit<T>>) -> Edit<T> {
        if self.0.is_empty() {
            return sent.unwrap_or(Edit::Keep);
        }
        if self.0.iter().any(|path| path == field) { sent.unwrap_or(Edit::Reset) } else { Edit::Keep }
    }
}

impl Parser {
    /// Checks one path of an update's mask.
    fn changeable(&mut self, path: &str) {
        let all = CHANGEABLE.join(", ");
        if FIXED.contains(&path) {
            let way = "to have other puzzles, delete the target and create another one";
            self.refuse("update_mask", format!("{path} cannot change; the fields that can are {all}; {way}"));
        } else if !CHANGEABLE.contains(&path) {
            self.refuse(
                "update_mask",
                format!("{} is no field of a target; those that can change are {all}", quoted(path)),
            );
        }
    }
}
