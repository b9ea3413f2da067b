//! The rules about requests and responses, in addition to the role that each method needs. Some fields of requests need a higher role or the
//! right to solutions. From a principal without this right, responses and errors hide solutions, and the numbers that reproduce a puzzle,
//! such as seeds.

use std::sync::Arc;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::errors::{access_error::AccessError, details::DOMAIN};
use puzzled_api::v1::{self as pb, batch_get_puzzles_result::Result as Answer};
use puzzled_store::access::principal::{Principal, Role};

/// The principal of a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CalledBy<'a>(pub(super) &'a Principal);

/// The result of a rule.
pub(super) type Checked = Result<(), AccessError>;

impl CalledBy<'_> {
    fn needs(self, role: Role, subject: &'static str, is_asked: bool) -> Checked {
        let Principal { name, role: has, .. } = self.0;
        if !is_asked || *has >= role {
            return Ok(());
        }
        Err(AccessError::Role { subject: subject.into(), principal: Arc::clone(name), has: *has, needs: role })
    }

    fn needs_solutions(self, subject: &'static str, is_asked: bool) -> Checked {
        if !is_asked || self.0.sees_solutions {
            return Ok(());
        }
        Err(AccessError::Solutions { subject: subject.into(), principal: Arc::clone(&self.0.name) })
    }
}

/// A request that may need more of its caller. `build.rs` writes an empty rule for every request that is not in its list `RESTRICTED`.
pub(super) trait Restricted {
    /// Whether a principal may send this request.
    fn check(&self, _by: CalledBy<'_>) -> Checked {
        Ok(())
    }
}

impl Restricted for pb::GetPuzzleRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs(Role::Maker, "enqueue_if_short", self.enqueue_if_short)?;
        by.needs_solutions("include_solution", self.include_solution)
    }
}

impl Restricted for pb::BatchGetPuzzlesRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        let mut requests = self.requests.iter().enumerate();
        requests.try_for_each(|(index, request)| request.check(by).map_err(|error| error.in_request(index)))
    }
}

/// Whether the caller may see the date depends on the series, so the method checks that.
impl Restricted for pb::GetDailyPuzzleRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs(Role::Maker, "enqueue_if_short", self.enqueue_if_short)?;
        by.needs_solutions("include_solution", self.include_solution)
    }
}

/// A caller that knows the seed of a job can make its puzzles with their solutions.
impl Restricted for pb::GenerateRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs_solutions("seed", self.seed.is_some())
    }
}

impl Restricted for pb::BatchGenerateRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        let mut requests = self.requests.iter().enumerate();
        requests.try_for_each(|(index, request)| request.check(by).map_err(|error| error.in_request(index)))
    }
}

impl Restricted for pb::ListPuzzlesRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs_solutions("include_solutions", self.include_solutions)
    }
}

impl Restricted for pb::ExportPuzzlesRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs_solutions("include_solutions", self.include_solutions)
    }
}

impl Restricted for pb::SolveRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs_solutions("Solve", true)
    }
}

/// A step shows the digits of all steps before it, so the last step shows nearly the whole solution.
impl Restricted for pb::RenderPuzzleRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs_solutions("solution", self.solution)?;
        by.needs_solutions("step", self.step.is_some())
    }
}

/// Drawings need the right to solutions, because they show the digits that all solutions share. Links show only the puzzle.
impl Restricted for pb::ValidateRequest {
    fn check(&self, by: CalledBy<'_>) -> Checked {
        by.needs_solutions("include_drawing", self.include_drawing)
    }
}

/// A response that may contain what a principal without the right to solutions must not see. For each response that is
/// not in its list `REDACTED`, `build.rs` writes code that hides its puzzles and jobs.
pub(super) trait Redacted {
    /// Removes what the principal may not see.
    fn redact(&mut self) {}
}

impl Redacted for pb::Puzzle {
    fn redact(&mut self) {
        self.solution.clear();
        self.solution_board.clear();
        self.seed = 0;
        self.job_id.clear();
        (self.job_index, self.job_try) = (0, 0);
        // The source of an import may have its solutions, and a note is in the caller's words.
        self.import_id.clear();
        self.import_line = 0;
        self.import_note.clear();
    }
}

impl Redacted for pb::Job {
    fn redact(&mut self) {
        self.seed = 0;
    }
}

impl Redacted for pb::BatchGetPuzzlesResponse {
    fn redact(&mut self) {
        for result in &mut self.results {
            if let Some(Answer::Puzzle(puzzle)) = &mut result.result {
                puzzle.redact();
            }
        }
    }
}

impl Redacted for pb::ValidateResponse {
    fn redact(&mut self) {
        self.solutions.clear();
        self.drawing.clear();
    }
}

/// Removes solutions from the details of an error, and the seed of an earlier request from its message.
pub(super) fn redacted(status: Status) -> Status {
    let Some(info) = status.get_details_error_info().filter(|info| info.domain == DOMAIN) else { return status };
    let shows_seed = info.reason == "REQUEST_ID_REUSED"
        && info.metadata.get("field").is_some_and(|fields| fields.split(',').any(|field| field == "seed"));
    if status.code() != Code::InvalidArgument && !shows_seed {
        return status;
    }
    let mut details = status.get_error_details();
    let mut info = info;
    info.metadata.retain(|name, _| !name.starts_with("solution_"));
    details.set_error_info(info.reason, info.domain, info.metadata);
    let message = if shows_seed {
        "request_id: used before for a request that differs in its seed; repeat that request or choose another request_id"
    } else {
        status.message()
    };
    if shows_seed && let Some(resource) = details.resource_info().cloned() {
        details.set_resource_info(resource.resource_type, resource.resource_name, resource.owner, message);
    }
    Status::with_error_details(status.code(), message, details)
}
