//! The statements of a claim on PostgreSQL. Each serves many claims, because many workers may claim at once; see
//! `sql/batcher.rs`.

use async_trait::async_trait;

use crate::{
    StoreError,
    error::must_touch,
    jobs::{
        claim_store::{Claim, ClaimWrite},
        job::Job,
    },
    postgres::Write,
    sql::{
        database::Write as _,
        rows::{self, SliceRow},
        statement::values,
        statements::claim,
    },
};
use puzzled_base::clock::Millis;

#[async_trait]
impl ClaimWrite for Write {
    /// A stop does not wait for the claims that began before it, so they do not ask again.
    async fn is_stopped(&mut self) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn lease_offered(&mut self, job: &Job, claims: &[Claim]) -> Result<Vec<SliceRow>, StoreError> {
        let most = i64::try_from(claims.len()).expect("a length fits");
        let (tokens, expiries, workers) = columns(self.now, claims);
        let values = values![job.id.0, self.now, most, tokens, expiries, workers];
        let mut leased = self.all("claim.lease_offered", claim::LEASE_OFFERED, values, rows::slice).await?;
        leased.sort_by_key(|slice| slice.first_index);
        Ok(leased)
    }

    async fn carve(&mut self, job: &Job, claims: &[Claim], ends: &[u32]) -> Result<Vec<SliceRow>, StoreError> {
        let ends: Vec<_> = ends.iter().copied().map(i64::from).collect();
        let firsts: Vec<_> =
            std::iter::once(job.next_index.into()).chain(ends.iter().copied()).take(ends.len()).collect();
        let (tokens, expiries, workers) = columns(self.now, claims);
        let next_index = ends.last().copied();
        let values = values![job.id.0, job.next_index, next_index, self.now, firsts, ends, tokens, expiries, workers];
        let mut carved = self.all("claim.carve", claim::CARVE, values, rows::slice).await?;
        must_touch("carving slices", claims.len() as u64, carved.len() as u64)?;
        carved.sort_by_key(|slice| slice.first_index);
        Ok(carved)
    }
}

/// Tokens, ends of leases, and workers of claims.
fn columns(now: Millis, claims: &[Claim]) -> (Vec<i64>, Vec<i64>, Vec<&str>) {
    claims.iter().map(|claim| (claim.token, now.plus_ms(claim.lease_ms).0, &*claim.worker)).collect()
}
