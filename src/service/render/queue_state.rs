//! Converts the state of the queue to a message of the API.

use super::{target::millis, timestamp};
use crate::{
    proto::v1 as pb,
    rules::jobs::{job::JobState, queue::QueueState},
};

pub(in crate::service) fn queue(state: QueueState) -> pb::Queue {
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
        oldest_wait: state.oldest_wait_ms.map(millis),
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
