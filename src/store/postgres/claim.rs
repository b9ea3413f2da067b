//! Leases slices on PostgreSQL, usually one at a time, and finds the time when the next slice is due. If many workers
//! claim at once, one transaction makes all claims; see `gather.rs`.

use async_trait::async_trait;
use sqlx::{Row as _, postgres::PgRow};

use super::{
    PostgresStore, Write, must_touch,
    rows::{self, SliceRow},
};
use crate::{
    clock::Millis,
    rules::policy::SliceSize,
    store::{
        Claim, ClaimStore, Claimed, StoreError,
        claims::{Leaser, Taken, claim_of_one_job},
        column_lists::slice_columns,
        database::Database as _,
        job::{ClaimOrder, Job},
        queue_state::stopped,
    },
};

/// A requested claim.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    worker: String,
    order: ClaimOrder,
    token: i64,
    lease_ms: i64,
    attempts_max: u32,
    size: SliceSize,
}

impl From<Claim<'_>> for Asked {
    fn from(claim: Claim<'_>) -> Self {
        let Claim { worker, order, token, lease_ms, attempts_max, size } = claim;
        Self { worker: worker.to_owned(), order, token, lease_ms, attempts_max, size }
    }
}

impl Asked {
    fn claim(&self) -> Claim<'_> {
        let &Self { ref worker, order, token, lease_ms, attempts_max, size } = self;
        Claim { worker, order, token, lease_ms, attempts_max, size }
    }
}

/// The maximum number of jobs that claims try, including jobs whose slices other claims took first. Claims that are
/// left then end as if nothing were due.
const CHOICES_MAX: u32 = 8;

/// The next work that has no lease.
struct Due {
    /// When the work is due; `None` if there is no work.
    at: Option<Millis>,
    now: Millis,
    has_expired: bool,
}

#[async_trait]
impl ClaimStore for PostgresStore {
    async fn claim(&self, claim: Claim<'_>) -> Result<Claimed, StoreError> {
        self.claims.make(claim.into(), |claims| self.claim_slices(claims)).await
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        Ok(self.read_due().await?.at)
    }
}

impl PostgresStore {
    /// Claims one slice per call, until none is left. A transaction takes slices from one job only: if it locked
    /// several jobs, it could deadlock with another transaction.
    async fn claim_slices(&self, claims: Vec<Asked>) -> Result<Vec<Result<Claimed, StoreError>>, StoreError> {
        let mut left: Vec<_> = claims.iter().enumerate().collect();
        let mut claimed: Vec<_> = claims.iter().map(|_| Claimed::default()).collect();
        for _ in 0..CHOICES_MAX {
            let Some(&(teller, first)) = left.first() else { break };
            // Claims with the same order take from the same job.
            let alike: Vec<_> = left.iter().copied().filter(|(_, claim)| claim.order == first.order).collect();
            let claims: Vec<_> = alike.iter().map(|&(_, asked)| asked.claim()).collect();
            match self.connections.repeated(|| self.claim_of_next_job(&claims)).await {
                Ok(Taken { slices, reclaimed_slices }) => {
                    claimed[teller].reclaimed_slices.extend(reclaimed_slices);
                    // Nothing is due for any order.
                    let Some(slices) = slices else { break };
                    for (&(place, _), slice) in alike.iter().zip(slices) {
                        left.retain(|&(other, _)| other != place);
                        claimed[place].slice = Some(slice);
                    }
                }
                // Keep the slices that were claimed before the error.
                Err(error) if left.len() < claimed.len() => {
                    tracing::warn!(%error, "slice claims incomplete");
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(claimed.into_iter().map(Ok).collect())
    }

    /// Leases slices of the next job.
    async fn claim_of_next_job(&self, claims: &[Claim<'_>]) -> Result<Taken, StoreError> {
        // An idle worker claims often, and this read avoids a transaction for nothing. While the queue is stopped,
        // nothing is due. If the queue stops after this read, this claim continues.
        let due = self.read_due().await?;
        if due.at.is_none_or(|at| at > due.now) {
            return Ok(Taken::default());
        }
        claim_of_one_job(self.write("claim.begin").await?, claims, due.has_expired).await
    }

    async fn read_due(&self) -> Result<Due, StoreError> {
        let row = self
            .connections
            .one(|| {
                sqlx::query(concat!(
                    "with clock as (select coalesce($1, ",
                    clock!(),
                    ") as now)
                     select now,
                            (select min(due) from (
                                 select greatest(jobs.not_before_at,
                                                 coalesce(slices.lease_expires_at, slices.available_at)) as due
                                 from jobs join slices on slices.job_id = jobs.id
                                 where jobs.state in ('queued', 'running') and jobs.needed_version <= $2
                                 union all
                                 select not_before_at from jobs
                                 where state in ('queued', 'running') and next_index < wanted and needed_version <= $2
                             ) as open
                             where not exists (select from queue where ",
                    stopped!(),
                    ")) as due,
                            exists (select from slices where token is not null and lease_expires_at <= now) as has_expired
                     from clock",
                ))
                .bind(self.told_now())
                .bind(i64::from(self.settings.engine_version))
            })
            .await?;
        let at: Option<i64> = row.try_get("due")?;
        Ok(Due { at: at.map(Millis), now: Millis(row.try_get("now")?), has_expired: row.try_get("has_expired")? })
    }

    pub(super) async fn read_clock(&self) -> Result<Millis, StoreError> {
        if let Some(now) = self.told_now() {
            return Ok(Millis(now));
        }
        let row = self.connections.one(|| sqlx::query(concat!("select ", clock!()))).await?;
        Ok(Millis(row.try_get(0)?))
    }
}

#[async_trait]
impl Leaser for Write {
    async fn lease_offered(&mut self, job: &Job, claims: &[Claim<'_>]) -> Result<Vec<SliceRow>, StoreError> {
        lease_offered(self, job, claims).await
    }

    async fn carve(&mut self, job: &Job, claims: &[Claim<'_>]) -> Result<Vec<SliceRow>, StoreError> {
        carve(self, job, claims).await
    }
}

/// Leases slices on offer, in the order of the claims.
async fn lease_offered(write: &mut Write, job: &Job, claims: &[Claim<'_>]) -> Result<Vec<SliceRow>, StoreError> {
    let now = write.now;
    // Unlike everywhere else, the job is locked before the slices here, so this statement must not wait for slices.
    let leased = sqlx::query(concat!(
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
    ))
    .bind(job.id.0)
    .bind(now.0)
    .bind(i64::try_from(claims.len()).expect("a length fits"))
    .bind(tokens(claims))
    .bind(expiries(now, claims))
    .bind(workers(claims))
    .fetch_all(write.at("claim.lease_offered").await?)
    .await?;
    by_index(&leased)
}

/// Makes slices of the job's next indices, in the order of the claims, until the job has no more.
async fn carve(write: &mut Write, job: &Job, claims: &[Claim<'_>]) -> Result<Vec<SliceRow>, StoreError> {
    let now = write.now;
    // Each claim continues where the previous claim left the job.
    let mut after = job.clone();
    let mut ends = Vec::new();
    for claim in claims {
        if after.next_index == after.wanted {
            break;
        }
        after.next_index = claim.size.end_index(&after);
        ends.push(after.next_index);
    }
    let firsts = std::iter::once(job.next_index).chain(ends.iter().copied()).map(i64::from).take(ends.len());
    let claims = &claims[..ends.len()];
    let carved = sqlx::query(concat!(
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
    ))
    .bind(job.id.0)
    .bind(i64::from(job.next_index))
    .bind(i64::from(after.next_index))
    .bind(now.0)
    .bind(firsts.collect::<Vec<_>>())
    .bind(ends.iter().copied().map(i64::from).collect::<Vec<_>>())
    .bind(tokens(claims))
    .bind(expiries(now, claims))
    .bind(workers(claims))
    .fetch_all(write.at("claim.carve").await?)
    .await?;
    must_touch("carving slices", ends.len() as u64, carved.len() as u64)?;
    by_index(&carved)
}

fn tokens(claims: &[Claim<'_>]) -> Vec<i64> {
    claims.iter().map(|claim| claim.token).collect()
}

fn workers<'a>(claims: &[Claim<'a>]) -> Vec<&'a str> {
    claims.iter().map(|claim| claim.worker).collect()
}

fn expiries(now: Millis, claims: &[Claim<'_>]) -> Vec<i64> {
    claims.iter().map(|claim| now.plus_ms(claim.lease_ms).0).collect()
}

fn by_index(found: &[PgRow]) -> Result<Vec<SliceRow>, StoreError> {
    let mut slices = found.iter().map(rows::slice).collect::<Result<Vec<_>, _>>()?;
    slices.sort_by_key(|slice| slice.first_index);
    Ok(slices)
}
