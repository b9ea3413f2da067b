//! Putting one puzzle on its shelf, unless the stock has it already.

use super::{
    Write, must_touch, rows,
    withdraw::{Withdrawal, withdraw},
};
use crate::{
    engine::{ENGINE_VERSION, kind::Made},
    store::{
        StoreError,
        delivery::grid_of,
        job::{Job, MadeAt},
        puzzle::PuzzleId,
        record::RecordColumn,
        rows::Origin,
        verdict::{Verdict, canonical_of, superseded_by, verdict},
    },
};

/// What came of it.
pub(super) enum Shelved {
    /// It stands on its shelf.
    Stored,
    /// The stock had it, itself or an isomorph.
    Repeat,
    /// It stands on its shelf, and the isomorph that its job had stored as an extra is withdrawn.
    InsteadOfExtra,
    /// It stands on its shelf, and the isomorph that a higher index of the same job had made is withdrawn.
    Superseded {
        /// The higher index.
        index: u32,
        /// The try that had made the isomorph.
        attempt: u32,
    },
}

/// What came of an extra puzzle.
pub(super) enum Extra {
    /// It stands on its shelf.
    Stored,
    /// The stock had it, itself or an isomorph.
    Repeat,
}

pub(super) async fn shelve(write: &mut Write<'_>, job: &Job, made: &MadeAt) -> Result<Shelved, StoreError> {
    let canonical = canonical_of(job, made);
    let known = isomorph(write, &canonical).await?;
    let shelved = match (verdict(known.as_ref(), job.id, made.index), known) {
        (Verdict::Repeat, _) => return Ok(Shelved::Repeat),
        (Verdict::InsteadOfExtra, Some(known)) => {
            take_back(write, &known, made.index).await?;
            Shelved::InsteadOfExtra
        }
        (Verdict::Supersedes, Some(known)) => {
            take_back(write, &known, made.index).await?;
            Shelved::Superseded { index: known.index, attempt: known.attempt }
        }
        _ => Shelved::Stored,
    };
    insert_puzzle(write, job, made, &canonical, false).await?;
    Ok(shelved)
}

pub(super) async fn shelve_extra(write: &mut Write<'_>, job: &Job, extra: &MadeAt) -> Result<Extra, StoreError> {
    let canonical = canonical_of(job, extra);
    if isomorph(write, &canonical).await?.is_some() {
        return Ok(Extra::Repeat);
    }
    insert_puzzle(write, job, extra, &canonical, true).await?;
    Ok(Extra::Stored)
}

async fn isomorph(write: &mut Write<'_>, canonical: &str) -> Result<Option<Origin>, StoreError> {
    let known = sqlx::query(
        "select id, job_id, job_index, job_try, is_extra, withdrawn_at is null as in_circulation
         from puzzles
         where canonical = ? and (withdrawn_at is null or barred = 1)",
    )
    .bind(canonical)
    .fetch_optional(write.at("commit.find_isomorph").await?)
    .await?;
    known.as_ref().map(rows::origin).transpose()
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
    canonical: &str,
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
    .bind(canonical)
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
    .bind(&grid_of(&job.spec.kind, &job.spec.variant, &made.solved)[..])
    .execute(write.at("commit.insert_puzzle").await?)
    .await?;
    must_touch("inserting a puzzle", 1, inserted.rows_affected())
}
