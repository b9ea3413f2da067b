//! The log lines of jobs: one when a job is queued, and one when it ends.

use std::time::Duration;

use crate::store::job::{Job, JobState};

/// Logs a job that was just queued.
pub(super) fn queued(job: &Job) {
    tracing::info!(job = %job.id, spec = job.spec.words(), count = job.wanted, "job queued");
}

/// Logs a job that the last write ended. A failed job is a warning.
pub(super) fn ended(job: &Job) {
    if job.state.is_open() {
        return;
    }
    let (state, spec, error) = (job.state.name(), job.spec.words(), &job.error);
    let (made, of, tries) = (job.made, job.wanted, job.tally.tries);
    let duration = Duration::from_millis(job.ended_at.map_or(0, |at| at.ms_since(job.created_at)).unsigned_abs());
    if job.state == JobState::Failed {
        tracing::warn!(job = %job.id, spec, made, of, tries, ?duration, error, "job failed");
    } else {
        tracing::info!(job = %job.id, state, spec, made, of, tries, ?duration, "job ended");
    }
}
