//! What both databases do in the same words. A macro, because the driver's statements and rows belong to one database: each
//! store expands it once.

use puzzled_engine::spec::Target;

/// A target's columns: the word of its level, or both ends of its range.
pub(super) fn target_columns(target: Target) -> (Option<&'static str>, Option<(i16, i16)>) {
    match target {
        Target::Any => (None, None),
        Target::Level(level) => (Some(level.name()), None),
        Target::Range { min, max } => (None, Some((i16::from(min.0), i16::from(max.0)))),
    }
}

/// The columns of a puzzle with its shelf. A macro, because a statement has to be one literal.
macro_rules! select_puzzles {
    ($rest:literal) => {
        concat!(
            "select puzzles.*, shelves.kind, shelves.variant, shelves.symmetry, shelves.rating
             from puzzles join shelves on shelves.id = puzzles.shelf_id ",
            $rest
        )
    };
}
pub(super) use select_puzzles;

/// The job that is open for each target, which may be an earlier one that was retried, else its last.
pub(super) const REFILLS: &str = "
    select * from jobs
    where id in (select coalesce((select max(id) from jobs
                                  where target_id = targets.id and state in ('queued', 'running')),
                                 (select max(id) from jobs where target_id = targets.id)) from targets)
    order by id";

/// A page of what was handed out to an audience, by its name, below an id.
pub(super) const DELIVERIES: &str = "
    select deliveries.id, deliveries.puzzle_id, deliveries.name, deliveries.created_at
    from audiences join deliveries on deliveries.audience_id = audiences.id
    where audiences.name = $1 and deliveries.id < $2
    order by deliveries.id desc
    limit $3";

/// All of a store's module `same`, in terms of its `Write` and `rows`.
macro_rules! functions {
    () => {
        use super::{Write, must_touch, rows};
        use puzzled_engine::symmetry::Symmetry;
        use crate::store::{
                StoreError,
                job::{Job, JobId, JobState},
                puzzle::{Puzzle, PuzzleId, ShelfFilter},
                same::{select_puzzles, target_columns},
                refill::not_after_at,
                target::{Refill, StockTarget, TargetId, Wish},
            };

        /// Puts an open job into one of its ends.
        pub(super) async fn end_job(
            write: &mut Write<'_>,
            point: &'static str,
            id: JobId,
            state: JobState,
            error: Option<&str>,
        ) -> Result<Job, StoreError> {
            let now = write.now;
            let ended = sqlx::query(
                "update jobs
                 set state = $1, error = $2, ended_at = $3
                 where id = $4 and state in ('queued', 'running')
                 returning *",
            )
            .bind(state.name())
            .bind(error)
            .bind(now.0)
            .bind(id.0)
            .fetch_all(write.at(point).await?)
            .await?;
            must_touch("the end of a job", 1, ended.len() as u64)?;
            rows::job(&ended[0])
        }

        pub(super) async fn open_jobs(write: &mut Write<'_>) -> Result<u32, StoreError> {
            let open: i64 = sqlx::query_scalar("select count(*) from jobs where state in ('queued', 'running')")
                .fetch_one(write.at("enqueue.count_open").await?)
                .await?;
            Ok(u32::try_from(open).unwrap_or(u32::MAX))
        }

        pub(super) async fn open_refills(write: &mut Write<'_>) -> Result<u32, StoreError> {
            let open: i64 = sqlx::query_scalar(
                "select count(*) from jobs where target_id is not null and state in ('queued', 'running')",
            )
            .fetch_one(write.at("refill.count_open").await?)
            .await?;
            Ok(u32::try_from(open).unwrap_or(u32::MAX))
        }

        /// The target's open job, which may be an earlier one that was retried, else its last.
        pub(super) async fn last_refill(write: &mut Write<'_>, id: TargetId) -> Result<Option<Job>, StoreError> {
            let row = sqlx::query(
                "select * from jobs where target_id = $1 order by state in ('queued', 'running') desc, id desc limit 1",
            )
            .bind(id.0)
            .fetch_optional(write.at("refill.find_last").await?)
            .await?;
            row.as_ref().map(rows::job).transpose()
        }

        /// Puzzles in circulation on the shelves that fit.
        pub(super) async fn have(write: &mut Write<'_>, shelves: &ShelfFilter) -> Result<u64, StoreError> {
            let have: i64 = sqlx::query_scalar(
                "select cast(coalesce(sum(positions - withdrawn), 0) as bigint) from shelves
                 where (cast($1 as text) is null or kind = $1)
                   and (cast($2 as text) is null or variant = $2)
                   and (cast($3 as text) is null or symmetry = $3)
                   and rating between $4 and $5",
            )
            .bind(&shelves.kind)
            .bind(&shelves.variant)
            .bind(shelves.symmetry.map(Symmetry::name))
            .bind(i16::from(shelves.rating_min.0))
            .bind(i16::from(shelves.rating_max.0))
            .fetch_one(write.at("refill.count_stock").await?)
            .await?;
            Ok(u64::try_from(have).unwrap_or(0))
        }

        /// Makes a job the target's.
        pub(super) async fn mark_refill(write: &mut Write<'_>, job: &Job, refill: &Refill) -> Result<Job, StoreError> {
            let row = sqlx::query("update jobs set target_id = $1, not_after_at = $2 where id = $3 returning *")
                .bind(refill.target_id.0)
                .bind(not_after_at(refill).map(|at| at.0))
                .bind(job.id.0)
                .fetch_one(write.at("refill.mark_job").await?)
                .await?;
            rows::job(&row)
        }

        pub(super) async fn put_target(
            write: &mut Write<'_>,
            wish: &Wish,
            is_declared: bool,
        ) -> Result<StockTarget, StoreError> {
            let (level, range) = target_columns(wish.spec.target);
            let schedule = wish.schedule.as_ref();
            let now = write.now;
            let row = sqlx::query(
                "insert into targets (spec, kind, variant, symmetry, level, rating_min, rating_max, low_water, target,
                                      priority, cron, time_zone, window_minutes, declared, created_at, updated_at, no_extras)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)
                 on conflict (spec) do update
                 set low_water = excluded.low_water, target = excluded.target, priority = excluded.priority,
                     cron = excluded.cron, time_zone = excluded.time_zone, window_minutes = excluded.window_minutes,
                     no_extras = excluded.no_extras, declared = excluded.declared, updated_at = excluded.updated_at
                 returning *",
            )
            .bind(wish.spec.words())
            .bind(&wish.spec.kind)
            .bind(&wish.spec.variant)
            .bind(wish.spec.symmetry.name())
            .bind(level)
            .bind(range.map(|(min, _)| min))
            .bind(range.map(|(_, max)| max))
            .bind(i64::from(wish.low_water))
            .bind(i64::from(wish.target))
            .bind(wish.priority)
            .bind(schedule.map(|schedule| &schedule.cron))
            .bind(schedule.map(|schedule| &schedule.time_zone))
            .bind(schedule.map(|schedule| i64::from(schedule.window_minutes)))
            .bind(is_declared)
            .bind(now.0)
            .bind(wish.no_extras)
            .fetch_one(write.at("set_target.upsert").await?)
            .await?;
            rows::target(&row)
        }

        /// A puzzle as this write sees it.
        pub(super) async fn puzzle_of(
            write: &mut Write<'_>,
            point: &'static str,
            id: PuzzleId,
        ) -> Result<Option<Puzzle>, StoreError> {
            let row = sqlx::query(select_puzzles!("where puzzles.id = $1"))
                .bind(id.0)
                .fetch_optional(write.at(point).await?)
                .await?;
            row.as_ref().map(rows::puzzle).transpose()
        }

        /// Deletes an audience with all that was handed out to it; how much that was.
        pub(super) async fn delete_audience(write: &mut Write<'_>, id: i64) -> Result<u64, StoreError> {
            sqlx::query("delete from swaps where audience_id = $1")
                .bind(id)
                .execute(write.at("forget.swaps").await?)
                .await?;
            sqlx::query("delete from cursors where audience_id = $1")
                .bind(id)
                .execute(write.at("forget.cursors").await?)
                .await?;
            let forgotten = sqlx::query("delete from deliveries where audience_id = $1")
                .bind(id)
                .execute(write.at("forget.deliveries").await?)
                .await?;
            sqlx::query("delete from audiences where id = $1")
                .bind(id)
                .execute(write.at("forget.audience").await?)
                .await?;
            Ok(forgotten.rows_affected())
        }
    };
}
pub(super) use functions;
