//! Converts jobs, with their specs and states, and the state of the queue to messages of the API.

use crate::wire::duration_of;
use puzzled_api::{v1 as pb, words::timestamp};
use puzzled_engine::shared::{criteria::Criteria, tries::Tally};
use puzzled_store::{
    deliveries::holder::Holder,
    jobs::{
        job::{Job, JobError, JobState},
        queue_state::QueueState,
    },
};

pub(crate) fn job_message(job: Job) -> pb::Job {
    let put_off = job.not_before_at > job.created_at;
    pb::Job {
        id: job.id.to_string(),
        state: state(job.state).into(),
        spec: Some(pb::JobSpec::from(&Criteria::from(&job.spec))),
        wanted: job.wanted,
        made: job.made,
        tries: job.tally.tries,
        missed: Some(missed(&job.tally)),
        nearest: job.tally.nearest.map(|(_, words)| words).unwrap_or_default(),
        seed: job.seed,
        priority: job.priority,
        failed_attempts: job.failed_attempts,
        error: job.error.unwrap_or_default(),
        request_id: job.request_id.unwrap_or_default(),
        principal: job.principal.unwrap_or_default(),
        audience: job.holder.as_ref().and_then(Holder::audience).unwrap_or_default().to_owned(),
        series: job.holder.as_ref().and_then(Holder::series).unwrap_or_default().to_owned(),
        not_before_time: put_off.then(|| timestamp(job.not_before_at)),
        create_time: Some(timestamp(job.created_at)),
        start_time: job.started_at.map(timestamp),
        end_time: job.ended_at.map(timestamp),
        error_reason: job.error_reason.map_or(pb::ErrorReason::Unspecified, error_reason).into(),
        target_id: job.target_id.map(|id| id.to_string()).unwrap_or_default(),
        not_after_time: job.not_after_at.map(timestamp),
        labels: job.labels,
        reclaimed_slices: job.reclaimed_slices,
        max_work_time: job.work_ms_max.map(duration_of),
        prune_time: job.pruned_at.map(timestamp),
    }
}

fn missed(tally: &Tally) -> pb::MissedTries {
    pb::MissedTries {
        repeats: tally.repeats,
        unrated: tally.unrated,
        off_target: tally.off_target,
        givens: tally.givens,
        unproven: tally.unproven,
        solvers_disagreed: tally.solvers_disagreed,
    }
}

fn error_reason(error: JobError) -> pb::ErrorReason {
    match error {
        JobError::Unreachable => pb::ErrorReason::Unreachable,
    }
}

pub(super) fn state(state: JobState) -> pb::JobState {
    match state {
        JobState::Queued => pb::JobState::Queued,
        JobState::Running => pb::JobState::Running,
        JobState::Succeeded => pb::JobState::Succeeded,
        JobState::Failed => pb::JobState::Failed,
        JobState::Cancelled => pb::JobState::Cancelled,
        JobState::Ended => pb::JobState::Ended,
    }
}

pub(super) fn queue_message(state: QueueState) -> pb::Queue {
    let in_state = |of| state.jobs_in(of);
    let (growth, full) = (state.growth, state.growth.full());
    pb::Queue {
        queued_jobs: in_state(JobState::Queued),
        running_jobs: in_state(JobState::Running),
        succeeded_jobs: in_state(JobState::Succeeded),
        failed_jobs: in_state(JobState::Failed),
        cancelled_jobs: in_state(JobState::Cancelled),
        ended_jobs: in_state(JobState::Ended),
        paused: state.pause.is_some(),
        pause_time: state.pause.as_ref().map(|pause| timestamp(pause.at)),
        waiting_slices: state.waiting_slices,
        leased_slices: state.leased_slices,
        oldest_wait: state.oldest_wait_ms.map(duration_of),
        reclaimed_slices_last_hour: state.reclaimed_slices_last_hour,
        reclaimed_slices: state.reclaimed_slices,
        stock_full: full.is_some(),
        stock_full_time: full.map(|full| timestamp(full.at)),
        stock_full_reason: full.map(|full| full.to_string()).unwrap_or_default(),
        puzzles: growth.puzzles.used,
        max_puzzles: growth.puzzles.max,
        database_bytes: growth.bytes.used,
        max_database_bytes: growth.bytes.max,
        pause_reason: state.pause.map(|pause| pause.reason).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_the_same_names_on_the_wire() {
        for one in JobState::ALL {
            assert_eq!(state(one).as_str_name(), format!("JOB_STATE_{}", one.name().to_ascii_uppercase()));
        }
    }
}
