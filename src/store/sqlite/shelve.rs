//! Putting puzzles on their shelves, one after the other, except those that the stock has already.

use async_trait::async_trait;

use super::{Write, must_touch, rows};
use crate::store::{
    StoreError,
    commit::{Again, Likeness, Origin, is_repeat, superseded_by},
    commits::{Allowed, Shelved, Shelver},
    job::{Job, MadeAt},
    record::RecordColumn,
};
use puzzled_engine::{ENGINE_VERSION, kind::Made};

#[async_trait]
impl Shelver for Write {
    async fn shelve(&mut self, allowed: &[Allowed<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let mut all: Vec<_> = allowed.iter().map(|_| Shelved::default()).collect();
        for (Allowed { job, work, .. }, shelved) in allowed.iter().zip(&mut all) {
            for made in &work.made {
                shelve_wanted(self, job, made, shelved).await?;
            }
        }
        // After all that is wanted: an extra gives way to that, whichever slice it comes from.
        for (Allowed { job, work, .. }, shelved) in allowed.iter().zip(&mut all) {
            for extra in &work.extra {
                shelved.extra += shelve_extra(self, job, extra).await?;
            }
        }
        Ok(all)
    }
}

async fn shelve_wanted(write: &mut Write, job: &Job, made: &MadeAt, shelved: &mut Shelved) -> Result<(), StoreError> {
    let likeness = Likeness::of(job, &made.made);
    let known = alike(write, &likeness).await?;
    if is_repeat(&known, job.id, made.index) {
        shelved.again.push(Again { index: made.index, attempt: made.attempt + 1 });
        return Ok(());
    }
    for known in &known {
        take_back(write, known, made.index).await?;
        if known.is_extra {
            shelved.extra -= 1;
        } else {
            shelved.again.push(Again { index: known.index, attempt: known.attempt + 1 });
        }
    }
    insert_puzzle(write, job, made, &likeness, false).await
}

/// How many puzzles more there are.
async fn shelve_extra(write: &mut Write, job: &Job, extra: &MadeAt) -> Result<i64, StoreError> {
    let likeness = Likeness::of(job, &extra.made);
    if !alike(write, &likeness).await?.is_empty() {
        return Ok(0);
    }
    insert_puzzle(write, job, extra, &likeness, true).await?;
    Ok(1)
}

/// The puzzles that are alike to one and in circulation, or barred from it.
async fn alike(write: &mut Write, likeness: &Likeness) -> Result<Vec<Origin>, StoreError> {
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

/// Takes back what an index of the same job now makes itself: leaves a tombstone where it stands.
async fn take_back(write: &mut Write, known: &Origin, index: u32) -> Result<(), StoreError> {
    let now = write.now;
    let shelf_id: i64 = sqlx::query_scalar(
        "update puzzles set withdrawn_at = ?, withdrawn_reason = ? where id = ? and withdrawn_at is null
         returning shelf_id",
    )
    .bind(now.0)
    .bind(superseded_by(index))
    .bind(known.puzzle_id)
    .fetch_one(write.at("commit.withdraw").await?)
    .await?;
    let counted = sqlx::query("update shelves set withdrawn = withdrawn + 1 where id = ?")
        .bind(shelf_id)
        .execute(write.at("commit.count_withdrawn").await?)
        .await?;
    must_touch("counting a withdrawn puzzle", 1, counted.rows_affected())
}

async fn next_position(write: &mut Write, job: &Job, made: &Made) -> Result<(i64, i64), StoreError> {
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
    write: &mut Write,
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
