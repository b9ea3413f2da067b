//! Renews leases, gives them back, records failed attempts, and checks whether a lease is still valid.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{
    StoreError,
    error::must_touch,
    jobs::{
        job::{Job, JobState},
        job_store::{Ending, end_job},
        slice::{FailedAttempt, Guarded, Lease},
    },
    sql::{
        database::{Database, Write},
        rows::{self, SliceRow},
        statement::values,
        statements::lease,
    },
};
use puzzled_base::ids::JobId;

/// Renews and ends leases.
#[async_trait]
pub trait LeaseStore {
    /// Extends the leases that are still valid, to `lease_ms` milliseconds from now. Returns the others: leases that
    /// are lost, and leases of finished jobs.
    async fn renew(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError>;

    /// Records a failed attempt. Fails the job if this was its last allowed attempt; otherwise offers the slice again
    /// after the backoff.
    async fn fail_attempt(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError>;

    /// Gives a lease back without work done. The slice is offered again at once.
    async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError>;
}

#[async_trait]
impl<D: Database> LeaseStore for D {
    async fn renew(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError> {
        let held = held(leases);
        let renewed = self
            .with_retries(|| async {
                let mut write = self.write("renew.begin").await?;
                let expires_at = write.now().plus_ms(lease_ms);
                let renewed =
                    write.all("renew.update_slices", lease::RENEW, values![&held, expires_at], rows::slice).await?;
                write.commit("renew.commit", "renew.committed").await?;
                Ok(renewed)
            })
            .await?;
        let renewed: HashSet<_> = renewed.iter().map(|slice| (slice.id, slice.job_id, slice.token)).collect();
        let is_lost = |lease: &&Lease| !renewed.contains(&(lease.slice_id, lease.job_id.0, Some(lease.token)));
        Ok(leases.iter().filter(is_lost).copied().collect())
    }

    async fn fail_attempt(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("fail.begin").await?;
            let Some((_, slice, _)) = guarded(&mut write, "fail.guard", &[lease]).await?.pop() else {
                return write.roll_back(Guarded::LeaseLost).await;
            };
            let available_at = write.now().plus_ms(failed.backoff_ms);
            let failed_attempts = slice.failed_attempts + 1;
            let values = values![available_at, failed_attempts, slice.id];
            let offered = write.execute("fail.update_slice", lease::FAIL, values).await?;
            must_touch("offering a failed slice again", 1, offered)?;
            let was_last = failed_attempts >= failed.attempts_max;
            match note_failure(&mut write, lease.job_id, &failed.error, was_last).await? {
                Some(job) => {
                    write.commit("fail.commit", "fail.committed").await?;
                    Ok(Guarded::Done(job))
                }
                // The job finished after the slice was locked.
                None => write.roll_back(Guarded::LeaseLost).await,
            }
        })
        .await
    }

    async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("give_back.begin").await?;
            let values = values![lease.slice_id, lease.job_id.0, lease.token];
            let given = write.execute("give_back.update_slice", lease::GIVE_BACK, values).await?;
            write.commit("give_back.commit", "give_back.committed").await?;
            Ok(if given == 1 { Guarded::Done(()) } else { Guarded::LeaseLost })
        })
        .await
    }
}

/// Encodes leases for a statement, each as slice, job, and token.
fn held(leases: &[Lease]) -> String {
    let held = leases.iter().map(|lease| json!([lease.slice_id, lease.job_id.0, lease.token]));
    held.collect::<Value>().to_string()
}

/// Locks the slices whose leases are valid and whose jobs are open. Returns each slice with its index in `leases` and
/// its job. The jobs are not locked and may still end, so a later update of a job checks its state again.
pub(crate) async fn guarded<W: Write>(
    write: &mut W,
    point: &'static str,
    leases: &[Lease],
) -> Result<Vec<(usize, SliceRow, Job)>, StoreError> {
    let slices = write.all(point, lease::LOCK_SLICES, values![&held(leases)], rows::slice).await?;
    let mut slices: HashMap<_, _> = slices.into_iter().map(|slice| (slice.id, slice)).collect();
    let ids: Vec<_> = leases.iter().map(|lease| lease.job_id.0).collect();
    let jobs = write.all(point, lease::JOBS, values![ids], rows::job).await?;
    let jobs: HashMap<_, _> = jobs.into_iter().map(|job| (job.id, job)).collect();
    let mut guarded = Vec::new();
    for (place, lease) in leases.iter().enumerate() {
        // One token allows one commit: a second commit with the same token finds no slice.
        let stands = slices
            .get(&lease.slice_id)
            .is_some_and(|slice| (slice.job_id, slice.token) == (lease.job_id.0, Some(lease.token)));
        let job = jobs.get(&lease.job_id).filter(|job| job.state.is_open());
        if let (true, Some(job)) = (stands, job)
            && let Some(slice) = slices.remove(&lease.slice_id)
        {
            guarded.push((place, slice, job.clone()));
        }
    }
    Ok(guarded)
}

/// Counts a failed attempt on its job. Fails the job if this was the last allowed attempt. A job that has finished
/// meanwhile does not change; the result is then `None`.
pub(crate) async fn note_failure<W: Write>(
    write: &mut W,
    id: JobId,
    error: &str,
    was_last: bool,
) -> Result<Option<Job>, StoreError> {
    let job = write.optional("failure.update_job", lease::COUNT_FAILURE, values![error, id.0], rows::job).await?;
    match job {
        Some(_) if was_last => {
            end_job(write, "failure.end_job", id, Ending::new(JobState::Failed, Some(error))).await.map(Some)
        }
        other => Ok(other),
    }
}
