//! What may happen to a lease besides its commit: renewed, given back, or ended by a fault.

use super::{
    SqliteStore,
    claim::{guarded, note_failure},
    must_touch,
};
use crate::store::{
    StoreError,
    job::{FailedAttempt, Guarded, Job, Lease},
};

impl SqliteStore {
    pub(super) async fn renew_leases(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError> {
        let mut write = self.write("renew.begin").await?;
        let expires_at = write.now.plus_ms(lease_ms);
        let mut lost = Vec::new();
        for &lease in leases {
            let renewed = sqlx::query(
                "update slices set lease_expires_at = ?
                 where id = ? and job_id = ? and token = ?
                   and exists (select 1 from jobs where jobs.id = slices.job_id and state in ('queued', 'running'))",
            )
            .bind(expires_at.0)
            .bind(lease.slice_id)
            .bind(lease.job_id.0)
            .bind(lease.token)
            .execute(write.at("renew.update_slice").await?)
            .await?;
            if renewed.rows_affected() == 0 {
                lost.push(lease);
            }
        }
        write.commit("renew.commit", "renew.committed").await?;
        Ok(lost)
    }

    pub(super) async fn fail_slice(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        let mut write = self.write("fail.begin").await?;
        let Some((slice, _)) = guarded(&mut write, "fail.guard", lease).await? else { return Ok(Guarded::LeaseLost) };
        let available_at = write.now.plus_ms(failed.backoff_ms);
        let failed_attempts = slice.failed_attempts + 1;
        let offered = sqlx::query(
            "update slices
             set token = null, lease_expires_at = null, available_at = ?, failed_attempts = ?
             where id = ?",
        )
        .bind(available_at.0)
        .bind(failed_attempts)
        .bind(slice.id)
        .execute(write.at("fail.update_slice").await?)
        .await?;
        must_touch("offering a failed slice again", 1, offered.rows_affected())?;
        let was_last = failed_attempts >= failed.attempts_max;
        let job = note_failure(&mut write, lease.job_id, &failed.error, was_last).await?;
        write.commit("fail.commit", "fail.committed").await?;
        Ok(job.map_or(Guarded::LeaseLost, Guarded::Done))
    }

    pub(super) async fn give_slice_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        let mut write = self.write("give_back.begin").await?;
        let given = sqlx::query(
            "update slices set token = null, lease_expires_at = null, available_at = 0
             where id = ? and job_id = ? and token = ?
               and exists (select 1 from jobs where jobs.id = slices.job_id and state in ('queued', 'running'))",
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
