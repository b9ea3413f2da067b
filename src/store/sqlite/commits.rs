//! Stores the puzzles of a slice on SQLite, one after the other: leaves out repeats, adds missing shelves, and
//! withdraws the stored puzzles that new puzzles of the same job replace.

use async_trait::async_trait;

use super::Write;
use crate::{
    rules::{
        jobs::{
            job::Job,
            slice::{Again, Likeness, MadeAt, Origin, is_repeat, superseded_by},
        },
        stock::puzzle::ShelfKey,
    },
    store::{
        StoreError,
        error::must_touch,
        jobs::commits::{Allowed, CommitWrite, Shelved, Unshelved},
        sql::{
            database::Write as _,
            record::RecordColumn,
            rows::{self, Placed},
            statement::values,
        },
    },
};
use puzzled_engine::ENGINE_VERSION;

#[async_trait]
impl CommitWrite for Write {
    async fn shelve(&mut self, allowed: &[Allowed<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let mut all: Vec<_> = allowed.iter().map(|_| Shelved::default()).collect();
        for (Allowed { job, work, .. }, shelved) in allowed.iter().zip(&mut all) {
            for made in &work.made {
                shelve(self, job, made, shelved).await?;
            }
        }
        Ok(all)
    }
}

async fn shelve(write: &mut Write, job: &Job, made: &MadeAt, shelved: &mut Shelved) -> Result<(), StoreError> {
    let likeness = Likeness::of(job, &made.made);
    let known = alike(write, &likeness).await?;
    if is_repeat(&known, job.id, made.index) {
        shelved.again.push(Again { index: made.index, attempt: made.attempt + 1 });
        return Ok(());
    }
    let key = made.shelf(&job.spec);
    let Some(place) = next_place(write, &key, job.holder.is_some()).await? else {
        shelved.unshelved.push(Unshelved { index: made.index, attempt: made.attempt, key });
        return Ok(());
    };
    for known in &known {
        take_back(write, known, made.index).await?;
        shelved.again.push(Again { index: known.index, attempt: known.attempt + 1 });
    }
    insert_puzzle(write, job, made, &likeness, place).await
}

/// Returns the puzzles like this one that are in circulation or barred.
async fn alike(write: &mut Write, likeness: &Likeness) -> Result<Vec<Origin>, StoreError> {
    // One query per index: with "or", SQLite would check both conditions for every puzzle.
    let known = sqlx::query(
        "select id, job_id, job_index, job_try, withdrawn_at is null as in_circulation
         from puzzles
         where id in (select id from puzzles where canonical = ? and (withdrawn_at is null or barred = 1)
                      union all
                      select id from puzzles where repeat_hash = ? and (withdrawn_at is null or barred = 1))
         order by id",
    )
    .bind(&likeness.form)
    .bind(&likeness.repeat_hash[..])
    .fetch_all(write.at("commit.find_alike").await?)
    .await?;
    known.iter().map(rows::origin).collect()
}

/// Withdraws a puzzle that an index of the same job replaces. The row stays.
async fn take_back(write: &mut Write, known: &Origin, index: u32) -> Result<(), StoreError> {
    let withdraw = "update puzzles set withdrawn_at = $1, withdrawn_reason = $2 where id = $3 and withdrawn_at is null
                    returning shelf_id as id, position";
    let reason = superseded_by(index);
    let values = values![write.now, &reason, known.puzzle_id];
    let Placed { shelf_id, position } = write.one("commit.withdraw", withdraw, values, rows::placed).await?;
    if position.is_none() {
        return Ok(());
    }
    let count = "update shelves set empty = empty + 1 where id = $1";
    let counted = write.execute("commit.count_empty", count, values![shelf_id]).await?;
    must_touch("counting a withdrawn puzzle", 1, counted)
}

/// Returns the next position of a shelf; none on it for a held puzzle. Adds the shelf if it is missing. Returns `None` if the
/// number of shelves is at its limit.
async fn next_place(write: &mut Write, key: &ShelfKey, is_held: bool) -> Result<Option<Placed>, StoreError> {
    let ShelfKey { kind, variant, base, symmetry, rating, technique, givens } = key;
    let (rating, givens) = (u32::from(rating.0), u32::from(*givens));
    let taken = u32::from(!is_held);
    let grow = "update shelves set positions = positions + $7
                where kind = $1 and variant = $2 and symmetry = $3 and rating = $4 and technique = $5 and givens = $6
                returning id, case when $7 = 1 then positions - 1 end as position";
    let values = values![kind, variant, symmetry.name(), rating, technique, givens, taken];
    if let Some(place) = write.optional("commit.next_position", grow, values, rows::placed).await? {
        return Ok(Some(place));
    }
    let add = "insert into shelves (kind, variant, base, symmetry, rating, technique, givens, positions)
               select $1, $2, $3, $4, $5, $6, $7, $9 where (select count(*) from shelves) < $8
               returning id, case when $9 = 1 then positions - 1 end as position";
    let values = values![kind, variant, base, symmetry.name(), rating, technique, givens, write.shelves_max, taken];
    write.optional("commit.add_shelf", add, values, rows::placed).await
}

async fn insert_puzzle(
    write: &mut Write,
    job: &Job,
    made: &MadeAt,
    likeness: &Likeness,
    Placed { shelf_id, position }: Placed,
) -> Result<(), StoreError> {
    let now = write.now;
    let MadeAt { index, attempt, made } = made;
    let inserted = sqlx::query(
        "insert into puzzles (shelf_id, position, text, solution, canonical, givens, technique, predicted_seconds, rater,
                              rater_version, record, seed, job_id, job_index, job_try, engine_version, created_at,
                              repeat_hash, holder)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(shelf_id)
    .bind(position)
    .bind(&made.text)
    .bind(&made.solution)
    .bind(&likeness.form)
    .bind(made.givens)
    .bind(made.record.technique)
    .bind(made.record.predicted_seconds)
    .bind(made.record.rater)
    .bind(made.record.rater_version)
    .bind(RecordColumn::of(&made.record).to_json())
    .bind(i64::from_le_bytes(job.seed.to_le_bytes()))
    .bind(job.id.0)
    .bind(index)
    .bind(attempt)
    .bind(ENGINE_VERSION)
    .bind(now.0)
    .bind(&likeness.repeat_hash[..])
    .bind(job.holder.as_ref().map(ToString::to_string))
    .execute(write.at("commit.insert_puzzle").await?)
    .await?;
    must_touch("inserting a puzzle", 1, inserted.rows_affected())
}
