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
        statement::{slice_columns, values},
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
        // Unlike everywhere else, the job is locked before the slices here, so this statement must not wait for slices.
        let sql = concat!(
            "with offered as materialized (
                 select id, first_index from slices
                 where job_id = $1 and token is null and available_at <= $2
                 order by first_index
                 limit $3
                 for update skip locked),
             started as (
                 update jobs
                 set state = 'running', started_at = coalesce(started_at, $2), turn = nextval('turns')
                 where id = $1)
             update slices
             set token = claimed.token, lease_expires_at = claimed.expires_at, worker = claimed.worker
             from (select id, row_number() over (order by first_index) as rank from offered) as free
             join unnest($4::bigint[], $5::bigint[], $6::text[])
                  with ordinality as claimed (token, expires_at, worker, rank) using (rank)
             where slices.id = free.id
             returning ",
            slice_columns!()
        );
        let most = i64::try_from(claims.len()).expect("a length fits");
        let (tokens, expiries, workers) = columns(self.now, claims);
        let values = values![job.id.0, self.now, most, tokens, expiries, workers];
        let mut leased = self.all("claim.lease_offered", sql, values, rows::slice).await?;
        leased.sort_by_key(|slice| slice.first_index);
        Ok(leased)
    }

    async fn carve(&mut self, job: &Job, claims: &[Claim], ends: &[u32]) -> Result<Vec<SliceRow>, StoreError> {
        let sql = concat!(
            "with moved as (
                 update jobs
                 set next_index = $3, state = 'running', started_at = coalesce(started_at, $4), turn = nextval('turns')
                 where id = $1 and next_index = $2 and state in ('queued', 'running')
                 returning id)
             insert into slices (job_id, first_index, end_index, token, lease_expires_at, worker, available_at)
             select moved.id, claimed.first_index, claimed.end_index, claimed.token, claimed.expires_at, claimed.worker, 0
             from moved
             cross join unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])
                        as claimed (first_index, end_index, token, expires_at, worker)
             returning ",
            slice_columns!()
        );
        let ends: Vec<_> = ends.iter().copied().map(i64::from).collect();
        let firsts: Vec<_> =
            std::iter::once(job.next_index.into()).chain(ends.iter().copied()).take(ends.len()).collect();
        let (tokens, expiries, workers) = columns(self.now, claims);
        let next_index = ends.last().copied();
        let values = values![job.id.0, job.next_index, next_index, self.now, firsts, ends, tokens, expiries, workers];
        let mut carved = self.all("claim.carve", sql, values, rows::slice).await?;
        must_touch("carving slices", claims.len() as u64, carved.len() as u64)?;
        carved.sort_by_key(|slice| slice.first_index);
        Ok(carved)
    }
}

/// Tokens, ends of leases, and workers of claims.
fn columns(now: Millis, claims: &[Claim]) -> (Vec<i64>, Vec<i64>, Vec<&str>) {
    claims.iter().map(|claim| (claim.token, now.plus_ms(claim.lease_ms).0, &*claim.worker)).collect()
}
