//! `WithdrawPuzzles`: removes the puzzles with certain properties from circulation permanently, many in a call.

use super::listed::Listed;
use crate::{
    calls::{Asked, Reply, Service, ServiceError, actor_of},
    wire::Parser,
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb, words::timestamp};
use puzzled_store::stock::withdrawal::Withdrawal;

impl Service {
    pub(crate) async fn withdraw_puzzles(
        &self,
        request: &Asked<pb::WithdrawPuzzlesRequest>,
    ) -> Reply<pb::WithdrawPuzzlesResponse> {
        let by = actor_of(request, "WithdrawPuzzles")?;
        let request = request.get_ref();
        let withdrawal = parse(request)?;
        let done = self.stock.withdraw_many(&withdrawal, request.dry_run, &by).await?;
        if !request.dry_run && done.changed > 0 {
            let (count, forgotten) = (done.changed, done.forgotten);
            tracing::info!(count, forgotten, remaining = done.left, reason = request.reason, "puzzles withdrawn");
        }
        Ok(pb::WithdrawPuzzlesResponse {
            changed: done.changed,
            forgotten: done.forgotten,
            ids: done.ids.iter().map(ToString::to_string).collect(),
            remaining: done.left,
            of_open_jobs: done.of_open_jobs,
        })
    }
}

/// The puzzles to withdraw. The request must have a reason and at least one criterion.
fn parse(request: &pb::WithdrawPuzzlesRequest) -> Result<Withdrawal, ServiceError> {
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
        let (from, before) = (timestamp(from), timestamp(before));
        parser.refuse("stored_before_time", format!("{before} is not after stored_from_time, which is {from}"));
    }
    let listed = Listed { shelves: parser.done_with(shelves)?, origin };
    let (reason, forget, mut criteria) = (request.reason.clone(), request.forget, listed.criteria());
    criteria["stored_from"] = stored_from.map(|at| timestamp(at).to_string()).into();
    criteria["stored_before"] = stored_before.map(|at| timestamp(at).to_string()).into();
    let Listed { shelves, origin } = listed;
    Ok(Withdrawal { shelves, origin, stored_from, stored_before, reason, forget, criteria })
}
