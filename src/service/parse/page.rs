//! Parses requests for lists and exports: their filters, page size, and page token. Also splits the entries read into a
//! page and the token of the next page.

use prost::Message;
use prost_types::Timestamp;

use super::{Parser, new_job::millis, page_token};
use crate::{
    calls::errors::ServiceError,
    service::{handlers::listed::Listed, render},
    settings::Limits,
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::names::quoted;
use puzzled_store::{
    access::audit_entry::AuditFilter,
    ids::{JobId, PuzzleId, TargetId},
    jobs::job::{JobFilter, JobState},
};

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Page<Criteria> {
    /// The name of the list. Page tokens are bound to it and to the criteria.
    list: &'static str,
    /// The request without its page size and token, and without fields that do not affect which entries are listed.
    criteria: Criteria,
    size: u32,
    /// The last ID of the previous page; `None` on the first page.
    pub(crate) after: Option<i64>,
}

impl<Criteria: Message> Page<Criteria> {
    /// The number of entries to read: one more than the page has, to find out whether there is a next page.
    pub(crate) fn reads(&self) -> u32 {
        self.size + 1
    }

    /// Splits the entries that were read into the page and the token of the next page.
    pub(crate) fn cut<T>(&self, mut read: Vec<T>, id: impl Fn(&T) -> i64) -> (Vec<T>, String) {
        let has_next = read.len() > self.size as usize;
        read.truncate(self.size as usize);
        let last = read.last().filter(|_| has_next);
        let token = last.map(|last| page_token::write(self.list, &self.criteria, id(last)));
        (read, token.unwrap_or_default())
    }
}

/// The puzzles and the page of a `ListPuzzles`.
pub(crate) fn puzzles(
    request: &pb::ListPuzzlesRequest,
    limits: &Limits,
) -> Result<(Listed, Page<pb::ListPuzzlesRequest>), ServiceError> {
    let mut parser = Parser::default();
    let shelves = parser.shelves(&request.stated());
    let origin = parser.origin(&request.job_id, &request.import_id);
    let criteria = pb::ListPuzzlesRequest {
        page_size: 0,
        page_token: String::new(),
        include_solutions: false,
        include_ratings: false,
        include_drawing: false,
        include_structure: false,
        include_links: false,
        include_record: false,
        ..request.clone()
    };
    let is_shown = request.include_drawing || request.include_structure;
    let size_max = if is_shown { limits.max_page_size_drawn } else { limits.max_page_size };
    let size = parser.page_size(request.page_size, limits).min(size_max);
    let page = parser.page("puzzles", criteria, size, &request.page_token);
    let shelves = parser.done_with(shelves)?;
    Ok((Listed { shelves, origin }, page))
}

/// The jobs and the page of a `ListJobs`.
pub(crate) fn jobs(
    request: &pb::ListJobsRequest,
    limits: &Limits,
) -> Result<(JobFilter, Page<pb::ListJobsRequest>), ServiceError> {
    let mut parser = Parser::default();
    let filter = JobFilter {
        states: parser.states(&request.states),
        kind: parser.kind(request.kind).map(|kind| kind.name().to_owned()),
        target_id: parser.id("target_id", &request.target_id, "a stock target"),
        labels: request.labels.clone(),
    };
    parser.labels(&request.labels);
    let criteria = pb::ListJobsRequest { page_size: 0, page_token: String::new(), ..request.clone() };
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("jobs", criteria, size, &request.page_token);
    parser.done()?;
    Ok((filter, page))
}

pub(crate) fn targets(
    request: &pb::ListStockTargetsRequest,
    limits: &Limits,
) -> Result<Page<pb::ListStockTargetsRequest>, ServiceError> {
    let mut parser = Parser::default();
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("targets", pb::ListStockTargetsRequest::default(), size, &request.page_token);
    parser.done()?;
    Ok(page)
}

pub(crate) fn deliveries(
    request: &pb::ListDeliveriesRequest,
    limits: &Limits,
) -> Result<Page<pb::ListDeliveriesRequest>, ServiceError> {
    let mut parser = Parser::default();
    parser.required_audience(&request.audience);
    let criteria = pb::ListDeliveriesRequest { page_size: 0, page_token: String::new(), ..request.clone() };
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("deliveries", criteria, size, &request.page_token);
    parser.done()?;
    Ok(page)
}

pub(crate) fn processes(
    request: &pb::ListProcessesRequest,
    limits: &Limits,
) -> Result<Page<pb::ListProcessesRequest>, ServiceError> {
    let mut parser = Parser::default();
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("processes", pb::ListProcessesRequest::default(), size, &request.page_token);
    parser.done()?;
    Ok(page)
}

/// The audit entries and the page of a `ListAuditEntries`.
pub(crate) fn audit_entries(
    request: &pb::ListAuditEntriesRequest,
    limits: &Limits,
) -> Result<(AuditFilter, Page<pb::ListAuditEntriesRequest>), ServiceError> {
    let mut parser = Parser::default();
    parser.name("principal", &request.principal);
    parser.name("method", &request.method);
    parser.subject(&request.subject);
    let filled = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let filter = AuditFilter {
        principal: filled(&request.principal),
        method: filled(&request.method),
        subject: filled(&request.subject),
        since: parser.time("start_time", request.start_time),
        before: parser.time("end_time", request.end_time),
    };
    if let (Some(start), Some(end)) = (request.start_time, request.end_time)
        && filter.since >= filter.before
    {
        parser.refuse("end_time", format!("{end} is not after start_time, which is {start}"));
    }
    let criteria = pb::ListAuditEntriesRequest { page_size: 0, page_token: String::new(), ..request.clone() };
    let size = parser.page_size(request.page_size, limits);
    let page = parser.page("audit entries", criteria, size, &request.page_token);
    parser.done()?;
    Ok((filter, page))
}

/// The puzzles of an `ExportPuzzles`, and the ID after which the export starts.
pub(crate) fn export(request: &pb::ExportPuzzlesRequest) -> Result<(Listed, Option<PuzzleId>), ServiceError> {
    let mut parser = Parser::default();
    let shelves = parser.shelves(&request.stated());
    let origin = parser.origin(&request.job_id, &request.import_id);
    let after = parser.id("after_id", &request.after_id, "a puzzle");
    let shelves = parser.done_with(shelves)?;
    Ok((Listed { shelves, origin }, after))
}

impl Parser {
    /// The states. An empty list means any state, and so does a list with `JOB_STATE_UNSPECIFIED`.
    fn states(&mut self, values: &[i32]) -> Vec<JobState> {
        let mut states = Vec::new();
        let any = i32::from(pb::JobState::Unspecified);
        for &value in values.iter().filter(|&&value| value != any) {
            let state = JobState::ALL.into_iter().find(|&one| i32::from(render::job::state(one)) == value);
            if state.is_none() {
                self.refuse(
                    "states",
                    format!("{value} is not a state; use 1 (JOB_STATE_QUEUED) to 6 (JOB_STATE_ENDED)"),
                );
            }
            states.extend(state.filter(|state| !states.contains(state)));
        }
        if values.contains(&any) { Vec::new() } else { states }
    }

    /// The subject of audit entries; empty for any.
    fn subject(&mut self, id: &str) {
        let is_id = id.parse::<JobId>().is_ok() || id.parse::<TargetId>().is_ok() || id.parse::<PuzzleId>().is_ok();
        if !is_id && !id.is_empty() {
            self.refuse("subject", format!("{} is not the ID of a job, a stock target, or a puzzle", quoted(id)));
        }
    }

    /// The time in a field; `None` if unset.
    pub(super) fn time(&mut self, field: &'static str, sent: Option<Timestamp>) -> Option<Millis> {
        match millis(sent?) {
            Ok(at) => Some(at),
            Err(fault) => {
                self.refuse(field, fault);
                None
            }
        }
    }

    /// The ID in a field; `None` if unset.
    pub(super) fn id<Id: std::str::FromStr>(&mut self, field: &'static str, id: &str, of: &str) -> Option<Id> {
        let known = id.parse().ok();
        if known.is_none() && !id.is_empty() {
            self.refuse(field, format!("{} is not the ID of {of}", quoted(id)));
        }
        known
    }

    /// The number of entries on a page. A larger number counts as the limit.
    fn page_size(&mut self, value: i32, limits: &Limits) -> u32 {
        match u32::try_from(value) {
            Ok(0) => limits.default_page_size.min(limits.max_page_size),
            Ok(size) => size.min(limits.max_page_size),
            Err(_) => {
                self.refuse("page_size", format!("{value} is below 0"));
                0
            }
        }
    }

    fn page<C: Message>(&mut self, list: &'static str, criteria: C, size: u32, token: &str) -> Page<C> {
        let after = page_token::read(list, &criteria, token);
        if after.is_none() && !token.is_empty() {
            self.refuse(
                "page_token",
                format!(
                    "{} is not a token of this list and these criteria; use the last next_page_token",
                    quoted(token)
                ),
            );
        }
        Page { list, criteria, size, after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_survive_the_wire() {
        for one in JobState::ALL {
            assert_eq!(Parser::default().states(&[render::job::state(one).into()]), [one]);
        }
    }
}
