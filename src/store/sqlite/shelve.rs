//! Putting one puzzle on its shelf, unless the stock has it already.

use super::{
    Write, must_touch, rows,
    withdraw::{Withdrawal, withdraw},
};
use crate::store::{
    StoreError,
    commit::{Likeness, Origin, is_repeat, superseded_by},
    job::{Job, MadeAt},
    puzzle::PuzzleId,
    record::RecordColumn,
};
use puzzled_engine::{ENGINE_VERSION, kind::Made};

/// What came of it.
pub(super) enum Shelved {
    /// It stands on its shelf. These are withdrawn for it, mostly none: extras of its job that are alike to it, or puzzles
    /// of higher indices.
    InsteadOf(Vec<Origin>),
    /// The stock had it, or one that is alike.
    Repeat,
}

/// What came of an extra puzzle.
pub(super) enum Extra {
    /// It stands on its shelf.
    Stored,
    /// The stock had it, or one that is alike.
    Repeat,
}

pub(super) async fn shelve(write: &mut Write<'_>, job: &Job, made: &MadeAt) -> Result<Shelved, StoreError> {
    let likeness = Likeness::of(job, &made.made);
    let known = alike(write, &likeness).await?;
    if is_repeat(&known, job.id, made.index) {
        return Ok(Shelved::Repeat);
    }
    for known in &known {
        take_back(write, known, made.index).await?;
    }
    insert_puzzle(write, job, made, &likeness, false).await?;
    Ok(Shelved::InsteadOf(known))
}

pub(super) async fn shelve_extra(write: &mut Write<'_>, job: &Job, extra: &MadeAt) -> Result<Extra, StoreError> {
    let likeness = Likeness::of(job, &extra.made);
    if !alike(write, &likeness).await?.is_empty() {
        return Ok(Extra::Repeat);
    }
    insert_puzzle(write, job, extra, &likeness, true).await?;
    Ok(Extra::Stored)
}

/// The puzzles that are alike to one and in circulation, or barred from it.
async fn alike(write: &mut Write<'_>, likeness: &Likeness) -> Result<Vec<Origin>, StoreError> {
    // By either index on its own: joined by "or", both conditions are asked of every puzzle.
    let known = sqlx::query(
        "select id, job_id, job_index, job_try, is_extra, withdrawn_at is null as in_circulation
         from puzzles
         where id in (select id from puzzles where canonical = ? and (withdrawn_at is null or barred = 1)
                      union all
                      select id from puzzles where grid = ? and (withdrawn_at is null or barred = 1))
         order by id",
    )
    .bind(&likeness.form)
    .bind(&likeness.grid[..])
    .fetch_all(write.at("commit.find_alike").await?)
    .await?;
    known.iter().map(rows::origin).collect()
}

/// Takes back what an index of the same job now makes itself.
async fn take_back(write: &mut Write<'_>, known: &Origin, index: u32) -> Result<(), StoreError> {
    let withdrawal = Withdrawal { reason: &superseded_by(index), barred: false };
    withdraw(write, ["commit.withdraw", "commit.count_withdrawn"], PuzzleId(known.puzzle_id), withdrawal).await
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
    likeness: &Likeness,
    is_extra: bool,
) -> Result<(), StoreError> {
    let (shelf_id, position) = next_position(write, job, &made.made).await?;
    let now = write.now;
    let MadeAt { index, attempt, made } = made;
    let inserted = sqlx::query(
        "insert into puzzles (shelf_id, position, text, solution, canonical, givens, rater, rater_version, record, seed,
                              job_id, job_index, job_try, is_extra, engine_version, created_at, grid)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(shelf_id)
    .bind(position)
    .bind(&made.text)
    .bind(&made.solution)
    .bind(&likeness.form)
    .bind(made.givens)
    .bind(made.record.rater)
    .bind(made.record.rater_version)
    .bind(RecordColumn::of(&made.record).to_json())
    .bind(i64::from_le_bytes(job.seed.to_le_bytes()))
    .bind(job.id.0)
    .bind(index)
    .bind(attempt)
    .bind(is_extra)
    .bind(ENGINE_VERSION)
    .bind(now.0)
    .bind(&likeness.grid[..])
    .execute(write.at("commit.insert_puzzle").await?)
    .await?;
    must_touch("inserting a puzzle", 1, inserted.rows_affected())
}
