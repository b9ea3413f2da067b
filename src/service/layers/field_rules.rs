//! Checks what a request needs beyond the role of its method: a higher role for some fields, or the right to solutions.

use std::sync::Arc;

use crate::service::errors::access_error::AccessError;
use puzzled_api::v1 as pb;
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

/// Whether the caller may see the date depends on the series, so the handler checks that.
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
