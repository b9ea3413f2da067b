//! Checks what a request needs beyond the role of its method: a higher role for some fields, or the right to solutions.

use std::sync::Arc;

use crate::{
    proto::v1 as pb,
    rules::access::principal::{Principal, Role},
    service::errors::access_error::AccessError,
};

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

/// The rule for requests without such fields.
#[expect(clippy::unnecessary_wraps, reason = "has the type of the other rules")]
pub(super) fn any<T>(_: CalledBy<'_>, _: &T) -> Checked {
    Ok(())
}

pub(super) fn get_puzzle(by: CalledBy<'_>, request: &pb::GetPuzzleRequest) -> Checked {
    by.needs(Role::Maker, "enqueue_if_short", request.enqueue_if_short)?;
    by.needs_solutions("include_solution", request.include_solution)
}

pub(super) fn batch_get_puzzles(by: CalledBy<'_>, request: &pb::BatchGetPuzzlesRequest) -> Checked {
    let mut requests = request.requests.iter().enumerate();
    requests.try_for_each(|(index, request)| get_puzzle(by, request).map_err(|error| error.in_request(index)))
}

/// The handler checks the date, which depends on the series.
pub(super) fn get_daily_puzzle(by: CalledBy<'_>, request: &pb::GetDailyPuzzleRequest) -> Checked {
    by.needs(Role::Maker, "enqueue_if_short", request.enqueue_if_short)?;
    by.needs_solutions("include_solution", request.include_solution)
}

/// A caller that knows the seed of a job can make its puzzles with their solutions.
pub(super) fn generate(by: CalledBy<'_>, request: &pb::GenerateRequest) -> Checked {
    by.needs_solutions("seed", request.seed.is_some())
}

pub(super) fn batch_generate(by: CalledBy<'_>, request: &pb::BatchGenerateRequest) -> Checked {
    let mut requests = request.requests.iter().enumerate();
    requests.try_for_each(|(index, request)| generate(by, request).map_err(|error| error.in_request(index)))
}

pub(super) fn list_puzzles(by: CalledBy<'_>, request: &pb::ListPuzzlesRequest) -> Checked {
    by.needs_solutions("include_solutions", request.include_solutions)
}

pub(super) fn export_puzzles(by: CalledBy<'_>, request: &pb::ExportPuzzlesRequest) -> Checked {
    by.needs_solutions("include_solutions", request.include_solutions)
}

pub(super) fn solve(by: CalledBy<'_>, _: &pb::SolveRequest) -> Checked {
    by.needs_solutions("Solve", true)
}

/// A step shows the digits of all steps before it, so the last step shows nearly the whole solution.
pub(super) fn render_puzzle(by: CalledBy<'_>, request: &pb::RenderPuzzleRequest) -> Checked {
    by.needs_solutions("solution", request.solution)?;
    by.needs_solutions("step", request.step.is_some())
}

/// Drawings need the right to solutions, because they show the digits that all solutions share. Links show only the puzzle.
pub(super) fn validate(by: CalledBy<'_>, request: &pb::ValidateRequest) -> Checked {
    by.needs_solutions("include_drawing", request.include_drawing)
}
