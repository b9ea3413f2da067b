//! Parses the names of requests and audiences, the IDs of jobs, targets, and puzzles, and the reasons of pauses,
//! withdrawals, and releases.

use std::str::FromStr;

use super::Parser;
use crate::{
    calls::errors::{ServiceError, fields::Invalid},
    service::{handlers::listed::Listed, render},
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};
use puzzled_engine::shared::names::quoted;
use puzzled_store::{
    deliveries::holder::{Holder, Release, ReleaseOf},
    ids::{JobId, PuzzleId, TargetId},
    stock::{puzzle::OriginFilter, withdrawal::Withdrawal},
};

/// The maximum number of characters of the name of an audience, a request, or an import.
const NAME_LEN_MAX: usize = 128;

/// The maximum number of IDs in a request to release puzzles.
const RELEASED_IDS_MAX: usize = 500;

/// The maximum number of characters of a reason, a source, or a note.
const REASON_LEN_MAX: usize = 500;

pub(crate) fn job_id(id: &str) -> Result<JobId, ServiceError> {
    required_id(id, "a job", ServiceError::JobNotFound)
}

pub(crate) fn target_id(id: &str) -> Result<TargetId, ServiceError> {
    required_id(id, "a stock target", ServiceError::TargetNotFound)
}

/// A text that is not an ID counts as an unknown ID.
fn required_id<Id: FromStr>(id: &str, of: &str, not_found: fn(String) -> ServiceError) -> Result<Id, ServiceError> {
    if id.is_empty() {
        return Err(Invalid::one("id", format!("\"\" where the id of {of} is required")));
    }
    id.parse().map_err(|_| not_found(id.to_owned()))
}

/// The ID of the puzzle to withdraw. The request must have a reason.
pub(crate) fn withdrawal(request: &pb::WithdrawPuzzleRequest) -> Result<PuzzleId, ServiceError> {
    let mut parser = Parser::default();
    if request.id.is_empty() {
        parser.refuse("id", "required; set the ID of a puzzle".to_owned());
    }
    parser.required_reason(&request.reason);
    parser.done()?;
    request.id.parse().map_err(|()| ServiceError::PuzzleNotFound(request.id.clone()))
}

/// The puzzles to withdraw. The request must have a reason and at least one criterion.
pub(crate) fn withdrawals(request: &pb::WithdrawPuzzlesRequest) -> Result<Withdrawal, ServiceError> {
    let mut parser = Parser::default();
    let criteria_only =
        pb::WithdrawPuzzlesRequest { reason: String::new(), dry_run: false, forget: false, ..request.clone() };
    if criteria_only == pb::WithdrawPuzzlesRequest::default() {
        parser.refuse("criteria", "required; set at least one, such as `job_id` or `kind`".to_owned());
    }
    parser.required_reason(&request.reason);
    let origin = parser.origin(&request.job_id, &request.import_id);
    let shelves = parser.shelves(&request.stated());
    let stored_from = parser.time("stored_from_time", request.stored_from_time);
    let stored_before = parser.time("stored_before_time", request.stored_before_time);
    if let Some((from, before)) = stored_from.zip(stored_before).filter(|(from, before)| from >= before) {
        let (from, before) = (render::timestamp(from), render::timestamp(before));
        parser.refuse("stored_before_time", format!("{before} is not after stored_from_time, which is {from}"));
    }
    let listed = Listed { shelves: parser.done_with(shelves)?, origin };
    let (reason, forget, mut criteria) = (request.reason.clone(), request.forget, listed.criteria());
    criteria["stored_from"] = stored_from.map(|at| render::timestamp(at).to_string()).into();
    criteria["stored_before"] = stored_before.map(|at| render::timestamp(at).to_string()).into();
    let Listed { shelves, origin } = listed;
    Ok(Withdrawal { shelves, origin, stored_from, stored_before, reason, forget, criteria })
}

/// What is wrong with a source or note, which may be empty.
pub(super) fn remark_fault(remark: &str) -> Option<String> {
    let len = remark.chars().count();
    if len > REASON_LEN_MAX {
        return Some(format!("{len} characters; at most {REASON_LEN_MAX} are allowed"));
    }
    // PostgreSQL cannot store this character in text.
    remark.contains('\0').then(|| "the character U+0000 is not allowed; remove it".to_owned())
}

/// The held puzzles to release. The request must have a reason.
pub(crate) fn release(request: &pb::ReleasePuzzlesRequest) -> Result<Release, ServiceError> {
    let mut parser = Parser::default();
    let pb::ReleasePuzzlesRequest { series, audience, ids, reason, .. } = request;
    parser.required_reason(reason);
    parser.name("audience", audience);
    parser.name("series", series);
    if ids.len() > RELEASED_IDS_MAX {
        parser.refuse("ids", format!("{} ids; at most {RELEASED_IDS_MAX} are allowed", ids.len()));
    }
    let of = match (series.as_str(), audience.as_str(), ids.as_slice()) {
        (name, "", []) if !name.is_empty() => Some(ReleaseOf::Holder(Holder::Series(name.to_owned()))),
        ("", name, []) if !name.is_empty() => Some(ReleaseOf::Holder(Holder::Audience(name.to_owned()))),
        ("", "", [_, ..]) => Some(ReleaseOf::Ids(Vec::new())),
        _ => {
            parser.refuse("criteria", "set exactly one of series, audience, and ids".to_owned());
            None
        }
    };
    match parser.done_with(of)? {
        ReleaseOf::Ids(_) => {
            let parsed = ids.iter().map(|id| id.parse().map_err(|()| ServiceError::PuzzleNotFound(id.clone())));
            Ok(Release { of: ReleaseOf::Ids(parsed.collect::<Result<_, _>>()?), reason: reason.clone() })
        }
        of @ ReleaseOf::Holder(_) => Ok(Release { of, reason: reason.clone() }),
    }
}

/// The reason of a pause, or empty.
pub(crate) fn pause_reason(reason: String) -> Result<String, ServiceError> {
    let mut parser = Parser::default();
    let len = reason.chars().count();
    if len > REASON_LEN_MAX {
        parser.refuse("reason", format!("{len} characters; at most {REASON_LEN_MAX} are allowed"));
    }
    parser.readable(&reason);
    parser.done()?;
    Ok(reason)
}

/// The name of an audience, which is required.
pub(crate) fn audience(audience: String) -> Result<String, ServiceError> {
    let mut parser = Parser::default();
    parser.required_audience(&audience);
    parser.done()?;
    Ok(audience)
}

impl Parser {
    /// The name of an audience, which is required.
    pub(super) fn required_audience(&mut self, audience: &str) {
        if audience.is_empty() {
            self.refuse("audience", "required; set the name of an audience".to_owned());
        }
        self.name("audience", audience);
    }

    /// The job or the import that puzzles come from; `None` for any.
    pub(super) fn origin(&mut self, job_id: &str, import_id: &str) -> Option<OriginFilter> {
        self.name("import_id", import_id);
        if import_id.is_empty() {
            return self.id("job_id", job_id, "a job").map(OriginFilter::Job);
        }
        if !job_id.is_empty() {
            self.refuse("import_id", format!("{} together with job_id; set one of them", quoted(import_id)));
        }
        Some(OriginFilter::Import(import_id.to_owned()))
    }

    /// The name of an import, which is required, and its source.
    pub(super) fn import(&mut self, import_id: &str, source: &str) {
        if import_id.is_empty() {
            self.refuse("import_id", "required; set the name of the import".to_owned());
        }
        self.name("import_id", import_id);
        if let Some(fault) = remark_fault(source) {
            self.refuse("source", fault);
        }
    }

    /// The name of an audience, a request, or an import, or empty.
    pub(super) fn name(&mut self, field: &'static str, name: &str) {
        if name.len() > NAME_LEN_MAX {
            self.refuse(field, format!("{} characters; at most {NAME_LEN_MAX} are allowed", name.len()));
        }
        if !name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            self.refuse(field, format!("{} has characters that are not allowed; use printable ASCII", quoted(name)));
        }
    }

    fn required_reason(&mut self, reason: &str) {
        let len = reason.chars().count();
        if !(1..=REASON_LEN_MAX).contains(&len) {
            self.refuse("reason", format!("{len} characters are outside 1 to {REASON_LEN_MAX}"));
        }
        self.readable(reason);
    }

    fn readable(&mut self, reason: &str) {
        // PostgreSQL cannot store this character in text.
        if reason.contains('\0') {
            self.refuse("reason", "the character U+0000 is not allowed; remove it".to_owned());
        }
    }
}
