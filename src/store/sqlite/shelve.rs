//! Putting one puzzle on its shelf, unless the stock has it already.

use super::{Write, must_touch, record::RecordColumn, rows};
use crate::{
    engine::{ENGINE_VERSION, kind::Made},
    store::{
        StoreError,
        job::{Job, MadeAt},
    },
};

/// What came of it.
pub(super) enum Shelved {
    /// It stands on its shelf.
    Stored,
    /// The stock had it, itself or an isomorph.
    Repeat,
    /// It stands on its shelf, and the isomorph that a higher index of the same job had made is withdrawn.
    Superseded {
        /// The higher index.
        index: u32,
        /// The try that had made the isomorph.
        attempt: u32,
    },
}

pub(super) async fn shelve(write: &mut Write<'_>, job: &Job, made: &MadeAt) -> Result<Shelved, StoreError> {
    // Of whatever variant: a puzzle under two names of its layout is one puzzle.
    let canonical = format!("{}/{}", job.spec.kind, made.made.canonical);
    let known =
        sqlx::query("select id, job_id, job_index, job_try from puzzles where canonical = ? and withdrawn_at is null")
            .bind(&canonical)
            .fetch_optional(write.at("commit.find_isomorph").await?)
            .await?;
    let shelved = match known.as_ref().map(rows::origin).transpose()? {
        None => Shelved::Stored,
        // A job's puzzles must not depend on which of its slices was quicker, so the lower index keeps it.
        Some(known) if known.job_id == job.id && known.index > made.index => {
            withdraw(write, known.puzzle_id, made.index).await?;
            Shelved::Superseded { index: known.index, attempt: known.attempt }
        }
        Some(_) => return Ok(Shelved::Repeat),
    };
    let (shelf_id, position) = next_position(write, job, &made.made).await?;
    insert_puzzle(write, job, made, &canonical, shelf_id, position).await?;
    Ok(shelved)
}

async fn withdraw(write: &mut Write<'_>, puzzle_id: i64, index: u32) -> Result<(), StoreError> {
    let now = write.now;
    let shelf_id: i64 = sqlx::query_scalar(
        "update puzzles set withdrawn_at = ?, withdrawn_reason = ?
         where id = ? and withdrawn_at is null
         returning shelf_id",
    )
    .bind(now.0)
    .bind(format!("index {index} of the same job made an isomorph"))
    .bind(puzzle_id)
    .fetch_one(write.at("commit.withdraw").await?)
    .await?;
    let counted = sqlx::query("update shelves set withdrawn = withdrawn + 1 where id = ?")
        .bind(shelf_id)
        .execute(write.at("commit.count_withdrawn").await?)
        .await?;
    must_touch("counting a withdrawn puzzle", 1, counted.rows_affected())
}

async fn next_position(write: &mut Write<'_>, job: &Job, made: &Made) -> Result<(i64, i64), StoreError> {
    let place = sqlx::query_as(
        "insert into shelves (kind, variant, symmetry, rating, positions) values (?, ?, ?, ?, 1)
         on conflict (kind, variant, symmetry, rating) do update set positions = positions + 1
         returning id, positions - 1",
    )
    .bind(&job.spec.kind)
    .bind(&job.spec.variant)
    .bind(job.spec.symmetry.name())
    .bind(made.record.rating.0)
    .fetch_one(write.at("commit.next_position").await?)
    .await?;
    Ok(place)
}

async fn insert_puzzle(
    write: &mut Write<'_>,
    job: &Job,
    made: &MadeAt,
    canonical: &str,
    shelf_id: i64,
    position: i64,
) -> Result<(), StoreError> {
    let now = write.now;
    let MadeAt { index, attempt, made } = made;
    let inserted = sqlx::query(
        "insert into puzzles (shelf_id, position, text, solution, canonical, givens, rater, rater_version, record, seed,
                              job_id, job_index, job_try, engine_version, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(shelf_id)
    .bind(position)
    .bind(&made.text)
    .bind(&made.solution)
    .bind(canonical)
    .bind(made.givens)
    .bind(made.record.rater)
    .bind(made.record.rater_version)
    .bind(RecordColumn::of(&made.record).to_json())
    .bind(i64::from_le_bytes(job.seed.to_le_bytes()))
    .bind(job.id.0)
    .bind(index)
    .bind(attempt)
    .bind(ENGINE_VERSION)
    .bind(now.0)
    .execute(write.at("commit.insert_puzzle").await?)
    .await?;
    must_touch("inserting a puzzle", 1, inserted.rows_affected())
}
