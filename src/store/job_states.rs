//! Jobs: read and listed, and ended or revived by hand.

use async_trait::async_trait;

use super::{
    StoreError,
    column_lists::job_columns,
    database::{Database, Lock, Sql, Write, values},
    error::must_touch,
    growth_state::full,
    job::{Job, JobFilter, JobId, JobState, Retried},
    notice::Notice,
    rows,
};

/// Jobs.
#[async_trait]
pub trait JobStore {
    /// The job with an id.
    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Up to `limit` jobs with ids below `before`, newest first, without those that were taken off the lists.
    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError>;

    /// Ends an open job as cancelled; others stay as they are. None if there is no such job.
    async fn cancel(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Queues a failed, cancelled or ended job again: its slices are offered at once with their failed attempts forgotten, and
    /// each index may have `tries_more` further tries. Others stay as they are, and so do those that were taken off the lists,
    /// and all while the stock is full.
    async fn retry(&self, id: JobId, tries_more: u32) -> Result<Retried, StoreError>;
}

#[async_trait]
impl<D: Database> JobStore for D {
    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        Ok(self
            .all(concat!("select ", job_columns!(), " from jobs where id = $1"), values![id.0], rows::job)
            .await?
            .pop())
    }

    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        let states: Vec<_> = filter.states.iter().map(|state| state.name()).collect();
        let labels = serde_json::json!(filter.labels).to_string();
        let sql = Sql {
            sqlite: concat!(
                "select ",
                job_columns!(),
                " from jobs
                 where id < $1
                   and pruned_at is null
                   and ($2 is null or state in (select value from json_each($2)))
                   and ($3 is null or kind = $3)
                   and not exists (select 1 from json_each($4) as wanted
                                   where not exists (select 1 from json_each(jobs.labels) as own
                                                     where own.key = wanted.key and own.value = wanted.value))
                   and ($5 is null or target_id = $5)
                 order by id desc
                 limit $6"
            ),
            postgres: concat!(
                "select ",
                job_columns!(),
                " from jobs
                   where id < $1
                     and pruned_at is null
                     and ($2::text[] is null or state = any($2))
                     and ($3::text is null or kind = $3)
                     and labels::jsonb @> $4::jsonb
                     and ($5::bigint is null or target_id = $5)
                   order by id desc
                   limit $6"
            ),
        };
        let values = values![
            before.map_or(i64::MAX, |id| id.0),
            (!states.is_empty()).then_some(states),
            filter.kind.as_ref(),
            &labels,
            filter.target_id.map(|id| id.0),
            limit,
        ];
        self.all(sql, values, rows::job).await
    }

    async fn cancel(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("cancel.begin").await?;
            let Some(job) = locked_job(&mut write, "cancel.read", id).await? else { return write.undone(None).await };
            if !job.state.is_open() {
                return write.undone(Some(job)).await;
            }
            // The slices are left alone: their leases end with the job's state, and a retry goes on with what they hold. A
            // cancel that locked them would do so in the other order than a commit.
            let job = end_job(&mut write, "cancel.update", id, JobState::Cancelled, job.error.as_deref()).await?;
            write.commit("cancel.commit", "cancel.committed").await?;
            Ok(Some(job))
        })
        .await
    }

    async fn retry(&self, id: JobId, tries_more: u32) -> Result<Retried, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("retry.begin").await?;
            // Else a refill could be queued, or another one revived, for the target that this job is to keep.
            write.lock("retry.lock", Lock::Enqueue).await?;
            lock_slices(&mut write, "retry.lock_slices", vec![id.0]).await?;
            let Some(job) = locked_job(&mut write, "retry.read", id).await? else {
                return write.undone(Retried::NoJob).await;
            };
            if !job.state.is_unfinished() || job.pruned_at.is_some() {
                return write.undone(Retried::Job(Box::new(job))).await;
            }
            if let Some(full) = full(&mut write, "retry.read_full").await? {
                return write.undone(Retried::StockFull(full)).await;
            }
            let offer = "update slices
                     set token = null, lease_expires_at = null, available_at = 0, failed_attempts = 0
                     where job_id = $1";
            write.execute("retry.update_slices", offer, values![id.0]).await?;
            let job = write.one("retry.update_job", RETRY, values![tries_more, u32::MAX, id.0], rows::job).await?;
            write.notify("retry.notify", &[Notice::Queued(id)]).await?;
            write.commit("retry.commit", "retry.committed").await?;
            Ok(Retried::Job(Box::new(job)))
        })
        .await
    }
}

/// By hand a job may take its time, and if its target has another job by now it is none of its any more. Another job may also
/// have taken over what it was to make up for.
const RETRY: Sql = Sql {
    sqlite: concat!("update jobs
             set state = 'queued', ended_at = null, error = null, failed_attempts = 0, not_after_at = null, shortfall = null,
                 target_id = case when exists (select 1 from jobs as other
                                               where other.target_id = jobs.target_id
                                                 and other.state in ('queued', 'running'))
                             then null else target_id end,
                 tries_max = min(tries_max + $1, $2),
                 turn = (select coalesce(max(turn), 0) + 1 from jobs where state in ('queued', 'running'))
             where id = $3
             returning ", job_columns!()),
    postgres: concat!("update jobs
               set state = 'queued', ended_at = null, error = null, failed_attempts = 0, not_after_at = null, shortfall = null,
                   target_id = case when exists (select from jobs as other
                                                 where other.target_id = jobs.target_id
                                                   and other.state in ('queued', 'running'))
                               then null else target_id end,
                   tries_max = least(tries_max + $1, $2),
                   turn = nextval('turns')
               where id = $3
               returning ", job_columns!()),
};

/// Locks the slices of jobs. They are locked before their jobs, as everywhere: a commit under way that holds one of them may be
/// about to take the job.
pub(super) async fn lock_slices<W: Write>(
    write: &mut W,
    point: &'static str,
    jobs: Vec<i64>,
) -> Result<(), StoreError> {
    write.lock_rows(point, "select from slices where job_id = any($1) order by id for update", values![jobs]).await
}

/// The job, as it stays until this write ends. No puzzle or slice that refers to it has to wait for this kind of lock.
pub(super) async fn locked_job<W: Write>(
    write: &mut W,
    point: &'static str,
    id: JobId,
) -> Result<Option<Job>, StoreError> {
    let sql = Sql {
        sqlite: concat!("select ", job_columns!(), " from jobs where id = $1"),
        postgres: concat!("select ", job_columns!(), " from jobs where id = $1 for no key update"),
    };
    write.optional(point, sql, values![id.0], rows::job).await
}

/// Puts an open job into one of its ends, and notifies of it.
pub(super) async fn end_job<W: Write>(
    write: &mut W,
    point: &'static str,
    id: JobId,
    state: JobState,
    error: Option<&str>,
) -> Result<Job, StoreError> {
    let sql = concat!(
        "update jobs
               set state = $1, error = $2, ended_at = $3
               where id = $4 and state in ('queued', 'running')
               returning ",
        job_columns!()
    );
    let mut ended = write.all(point, sql, values![state.name(), error, write.now(), id.0], rows::job).await?;
    let job = ended.pop();
    must_touch("the end of a job", 1, u64::from(job.is_some()))?;
    write.notify("end.notify", &[Notice::Ended(id)]).await?;
    job.ok_or(StoreError::RowCount { statement: "the end of a job", wanted: 1, found: 0 })
}
