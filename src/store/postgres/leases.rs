//! What may happen to a lease besides its commit: renewed, given back, or ended by a fault.

use std::collections::HashSet;

use super::{PostgresStore, claim::note_failure, commit::guarded_slice, must_touch};
use crate::store::{
    StoreError,
    job::{FailedAttempt, Guarded, Job, Lease},
};

impl PostgresStore {
    pub(super) async fn renew_leases(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError> {
        let mut write = self.write("renew.begin").await?;
        let expires_at = write.now.plus_ms(lease_ms);
        let column = |value: fn(&Lease) -> i64| leases.iter().map(value).collect::<Vec<_>>();
        // All in one statement, locked by id first: two renewals of several leases never wait for each other.
        let renewed: Vec<(i64, i64, i64)> = sqlx::query_as(
            "with standing as (
                 select slices.id
                 from slices
                 join unnest($1::bigint[], $2::bigint[], $3::bigint[]) as held (id, job_id, token)
                   on slices.id = held.id and slices.job_id = held.job_id and slices.token = held.token
                 join jobs on jobs.id = slices.job_id and jobs.state in ('queued', 'running')
                 order by slices.id
                 for update of slices)
             update slices set lease_expires_at = $4
             from standing
             where slices.id = standing.id
             returning slices.id, job_id, token",
        )
        .bind(column(|lease| lease.slice_id))
        .bind(column(|lease| lease.job_id.0))
        .bind(column(|lease| lease.token))
        .bind(expires_at.0)
        .fetch_all(write.at("renew.update_slices").await?)
        .await?;
        write.commit("renew.commit", "renew.committed").await?;
        let renewed: HashSet<_> = renewed.into_iter().collect();
        let is_lost = |lease: &&Lease| !renewed.contains(&(lease.slice_id, lease.job_id.0, lease.token));
        Ok(leases.iter().filter(is_lost).copied().collect())
    }

    pub(super) async fn fail_slice(&self, lease: Lease, failed: &FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        let mut write = self.write("fail.begin").await?;
        let Some((slice, _)) = guarded_slice(&mut write, "fail.guard", lease).await? else {
            return write.undone(Guarded::LeaseLost).await;
        };
        let available_at = write.now.plus_ms(failed.backoff_ms);
        let failed_attempts = slice.failed_attempts + 1;
        let offered = sqlx::query(
            "update slices
             set token = null, lease_expires_at = null, available_at = $1, failed_attempts = $2
             where id = $3",
        )
        .bind(available_at.0)
        .bind(i64::from(failed_attempts))
        .bind(slice.id)
        .execute(write.at("fail.update_slice").await?)
        .await?;
        must_touch("offering a failed slice again", 1, offered.rows_affected())?;
        let was_last = failed_attempts >= failed.attempts_max;
        match note_failure(&mut write, lease.job_id, &failed.error, was_last).await? {
            Some(job) => {
                write.commit("fail.commit", "fail.committed").await?;
                Ok(Guarded::Done(job))
            }
            // It ended after the slice had been locked.
            None => write.undone(Guarded::LeaseLost).await,
        }
    }

    pub(super) async fn give_slice_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        let mut write = self.write("give_back.begin").await?;
        let given = sqlx::query(
            "update slices set token = null, lease_expires_at = null, available_at = 0
             where id = $1 and job_id = $2 and token = $3
               and exists (select from jobs where jobs.id = slices.job_id and state in ('queued', 'running'))",
        )
        .bind(lease.slice_id)
        .bind(lease.job_id.0)
        .bind(lease.token)
        .execute(write.at("give_back.update_slice").await?)
        .await?;
        write.commit("give_back.commit", "give_back.committed").await?;
        Ok(if given.rows_affected() == 1 { Guarded::Done(()) } else { Guarded::LeaseLost })
    }
}
