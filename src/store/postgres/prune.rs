//! Clearing away what is old: jobs, names of requests, deliveries. A bounded part of it in one write.

use super::{PostgresStore, Write, locks};
use crate::{
    clock::Millis,
    store::{
        StoreError,
        delivery::DAILY,
        queue::{Prune, Pruned},
    },
};

impl PostgresStore {
    pub(super) async fn prune_old(&self, prune: Prune) -> Result<Pruned, StoreError> {
        let mut write = self.write("prune.begin").await?;
        locks::PRUNE.take(write.at("prune.lock").await?).await?;
        let rows_max = i64::from(prune.rows_max);
        let mut pruned = Pruned::default();
        if let Some(before) = prune.ended_before {
            pruned.jobs = take_off_the_lists(&mut write, before, rows_max).await?;
        }
        if let Some(before) = prune.pruned_before {
            pruned.requests = forget_requests(&mut write, before, rows_max).await?;
        }
        pruned.deleted = delete_jobs(&mut write, rows_max).await?;
        if let Some(before) = prune.delivered_before {
            pruned.deliveries = forget_deliveries(&mut write, before, rows_max).await?;
        }
        write.commit("prune.commit", "prune.committed").await?;
        Ok(pruned)
    }
}

async fn take_off_the_lists(write: &mut Write<'_>, before: Millis, rows_max: i64) -> Result<u64, StoreError> {
    let now = write.now;
    let old: Vec<i64> = sqlx::query_scalar(
        "select id from jobs as old
         where ended_at is not null and pruned_at is null
           and ended_at < $1
           -- The last job of a target stays, because the target's forecast reads it.
           and (target_id is null
                or exists (select from jobs as later
                           where later.target_id = old.target_id and later.id > old.id))
         order by ended_at
         limit $2",
    )
    .bind(before.0)
    .bind(rows_max)
    .fetch_all(write.at("prune.find_jobs").await?)
    .await?;
    if old.is_empty() {
        return Ok(0);
    }
    // The slices first, as everywhere: a late commit may hold one and be about to ask for its job.
    sqlx::query("select from slices where job_id = any($1) order by id for update")
        .bind(&old)
        .execute(write.at("prune.lock_slices").await?)
        .await?;
    // Somebody may have retried one meanwhile.
    let ids: Vec<i64> = sqlx::query_scalar(
        "update jobs set pruned_at = $1
         from (select id from jobs where id = any($2) order by id for no key update) as old
         where jobs.id = old.id and ended_at is not null and pruned_at is null and ended_at < $3
         returning jobs.id",
    )
    .bind(now.0)
    .bind(&old)
    .bind(before.0)
    .fetch_all(write.at("prune.jobs").await?)
    .await?;
    // A job that cannot be retried needs no slices.
    sqlx::query("delete from slices where job_id = any($1)")
        .bind(&ids)
        .execute(write.at("prune.slices").await?)
        .await?;
    Ok(ids.len() as u64)
}

async fn forget_requests(write: &mut Write<'_>, before: Millis, rows_max: i64) -> Result<u64, StoreError> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "update jobs set request_id = null
         where id in (select id from jobs
                      where pruned_at is not null and request_id is not null and pruned_at < $1
                      order by pruned_at
                      limit $2)
         returning id",
    )
    .bind(before.0)
    .bind(rows_max)
    .fetch_all(write.at("prune.names").await?)
    .await?;
    let forgotten = sqlx::query("delete from requests where job_id = any($1)")
        .bind(&ids)
        .execute(write.at("prune.requests").await?)
        .await?;
    Ok(forgotten.rows_affected())
}

/// A job with puzzles stays: its spec and its seed make them again.
async fn delete_jobs(write: &mut Write<'_>, rows_max: i64) -> Result<u64, StoreError> {
    let deleted = sqlx::query(
        "delete from jobs
         where id in (select id from jobs
                      where pruned_at is not null and request_id is null and made = 0 and extra = 0
                        and not exists (select from puzzles where puzzles.job_id = jobs.id)
                      order by pruned_at
                      limit $1)",
    )
    .bind(rows_max)
    .execute(write.at("prune.delete_jobs").await?)
    .await?;
    Ok(deleted.rows_affected())
}

/// Deliveries come with rising numbers, so they are looked through by these, from where the last look ended: an index by time
/// would be paid for by each hand-out. One that is committed later than those behind it is met when it begins anew.
async fn forget_deliveries(write: &mut Write<'_>, before: Millis, rows_max: i64) -> Result<u64, StoreError> {
    let found: Vec<(i64, i64, Option<String>)> = sqlx::query_as(
        "select id, created_at, name from deliveries
         where id > (select seen_delivery_id from queue)
         order by id
         limit $1",
    )
    .bind(rows_max)
    .fetch_all(write.at("prune.read_deliveries").await?)
    .await?;
    let is_at_the_end = found.is_empty();
    let old: Vec<_> = found.into_iter().take_while(|(_, created_at, _)| *created_at < before.0).collect();
    let seen = old.last().map(|(id, ..)| *id).or(is_at_the_end.then_some(0));
    let Some(seen) = seen else { return Ok(0) };
    let is_of_a_day = |name: &Option<String>| name.as_ref().is_some_and(|name| name.starts_with(DAILY));
    let ids: Vec<_> = old.iter().filter(|(.., name)| !is_of_a_day(name)).map(|(id, ..)| *id).collect();
    let forgotten = sqlx::query("delete from deliveries where id = any($1)")
        .bind(ids)
        .execute(write.at("prune.deliveries").await?)
        .await?;
    sqlx::query("update queue set seen_delivery_id = $1").bind(seen).execute(write.at("prune.seen").await?).await?;
    Ok(forgotten.rows_affected())
}
