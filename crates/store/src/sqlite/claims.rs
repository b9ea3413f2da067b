//! The statements of a claim on SQLite.

use async_trait::async_trait;

use crate::{
    StoreError,
    error::must_touch,
    jobs::{
        claim_store::{Claim, ClaimWrite},
        job::Job,
        queue_store,
    },
    sql::{
        database::Write as _,
        rows::{self, SliceRow},
        statement::values,
        statements::claim,
    },
    sqlite::Write,
};

#[async_trait]
impl ClaimWrite for Write {
    async fn is_stopped(&mut self) -> Result<bool, StoreError> {
        queue_store::is_stopped(self, "claim.read_stops").await
    }

    async fn lease_offered(&mut self, job: &Job, claims: &[Claim]) -> Result<Vec<SliceRow>, StoreError> {
        let mut leased = Vec::new();
        for claim in claims {
            let expires_at = self.now.plus_ms(claim.lease_ms);
            let values = values![claim.token, expires_at, &*claim.worker, job.id.0, self.now];
            let Some(slice) = self.optional("claim.lease_offered", claim::LEASE_OFFERED, values, rows::slice).await?
            else {
                break;
            };
            leased.push(slice);
        }
        if !leased.is_empty() {
            start_job(self, job, job.next_index).await?;
        }
        Ok(leased)
    }

    async fn carve(&mut self, job: &Job, claims: &[Claim], ends: &[u32]) -> Result<Vec<SliceRow>, StoreError> {
        let mut first_index = job.next_index;
        let mut carved = Vec::new();
        for (claim, &end_index) in claims.iter().zip(ends) {
            let expires_at = self.now.plus_ms(claim.lease_ms);
            let values = values![job.id.0, first_index, end_index, claim.token, expires_at, &*claim.worker];
            carved.push(self.one("claim.insert_slice", claim::CARVE, values, rows::slice).await?);
            first_index = end_index;
        }
        start_job(self, job, first_index).await?;
        Ok(carved)
    }
}

/// Notes that a job has started, puts it behind the other jobs in turn, and moves its next index.
async fn start_job(write: &mut Write, job: &Job, next_index: u32) -> Result<(), StoreError> {
    let values = values![write.now, next_index, job.id.0, job.next_index];
    let started = write.execute("claim.start_job", claim::START_JOB, values).await?;
    must_touch("starting a job", 1, started)
}
