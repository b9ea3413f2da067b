//! Stores the puzzles of a slice on SQLite, one after the other: leaves out repeats, adds missing shelves, and
//! withdraws the stored puzzles that new puzzles of the same job replace.

use async_trait::async_trait;

use super::{Write, must_touch, rows};
use crate::store::{
    StoreError,
    commit::{Again, Likeness, Origin, is_repeat, superseded_by},
    commits::{Allowed, Shelved, Shelver, Unshelved},
    job::{Job, MadeAt},
    puzzle::ShelfKey,
    record::RecordColumn,
};
use puzzled_engine::ENGINE_VERSION;

#[async_trait]
impl Shelver for Write {
    async fn shelve(&mut self, allowed: &[Allowed<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let mut all: Vec<_> = allowed.iter().map(|_| Shelved::default()).collect();
        for (Allowed { job, work, .. }, shelved) in allowed.iter().zip(&mut all) {
            for made in &work.made {
                shelve_wanted(self, job, made, shelved).await?;
            }
        }
        // Surplus puzzles come after all wanted puzzles, because a surplus puzzle must not make a wanted puzzle of any
        // slice a repeat.
        for (Allowed { job, work, .. }, shelved) in allowed.iter().zip(&mut all) {
            for surplus in &work.surplus {
                shelve_surplus(self, job, surplus, shelved).await?;
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
    let key = ShelfKey::of(&job.spec, made.made.record.rating, false);
    let Some(place) = next_place(write, &key, false).await? else {
        shelved.unshelved.push(Unshelved { index: made.index, attempt: made.attempt, key });
        return Ok(());
    };
    for known in &known {
        take_back(write, known, made.index).await?;
        if known.is_surplus {
            shelved.surplus -= 1;
        } else {
            shelved.again.push(Again { index: known.index, attempt: known.attempt + 1 });
        }
    }
    insert_puzzle(write, job, made, &likeness, place).await
}

async fn shelve_surplus(
    write: &mut Write,
    job: &Job,
    surplus: &MadeAt,
    shelved: &mut Shelved,
) -> Result<(), StoreError> {
    let likeness = Likeness::of(job, &surplus.made);
    if !alike(write, &likeness).await?.is_empty() {
        return Ok(());
    }
    let key = ShelfKey::of(&job.spec, surplus.made.record.rating, true);
    let Some(place) = next_place(write, &key, true).await? else {
        shelved.dropped += 1;
        return Ok(());
    };
    insert_puzzle(write, job, surplus, &likeness, place).await?;
    shelved.surplus += 1;
    Ok(())
}

/// Returns the puzzles like this one that are in circulation or barred.
async fn alike(write: &mut Write, likeness: &Likeness) -> Result<Vec<Origin>, StoreError> {
    // One query per index: with "or", SQLite would check both conditions for every puzzle.
    let known = sqlx::query(
        "select id, job_id, job_index, job_try, is_surplus, withdrawn_at is null as in_circulation
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

/// Withdraws a puzzle that an index of the same job replaces. The row stays.
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

/// The place of a new puzzle.
struct Placed {
    shelf_id: i64,
    position: i64,
    is_surplus: bool,
}

/// Returns the next position of a shelf. Adds the shelf if it is missing. Returns `None` if the number of shelves is at
/// its limit.
async fn next_place(write: &mut Write, key: &ShelfKey, is_surplus: bool) -> Result<Option<Placed>, StoreError> {
    let grown = sqlx::query_as(
        "update shelves set positions = positions + 1
         where kind = ? and variant = ? and symmetry = ? and rating = ? and technique = ? and clues = ?
         returning id, positions - 1",
    )
    .bind(&key.kind)
    .bind(&key.variant)
    .bind(key.symmetry.name())
    .bind(key.rating.0)
    .bind(key.technique.as_deref().unwrap_or_default())
    .bind(key.clues.unwrap_or_default())
    .fetch_optional(write.at("commit.next_position").await?)
    .await?;
    let place = match grown {
        Some(place) => Some(place),
        None => add_shelf(write, key).await?,
    };
    Ok(place.map(|(shelf_id, position)| Placed { shelf_id, position, is_surplus }))
}

async fn add_shelf(write: &mut Write, key: &ShelfKey) -> Result<Option<(i64, i64)>, StoreError> {
    let shelves_max = write.shelves_max;
    let place = sqlx::query_as(
        "insert into shelves (kind, variant, base, symmetry, rating, technique, clues, positions)
         select ?, ?, ?, ?, ?, ?, ?, 1 where (select count(*) from shelves) < ?
         returning id, positions - 1",
    )
    .bind(&key.kind)
    .bind(&key.variant)
    .bind(&key.base)
    .bind(key.symmetry.name())
    .bind(key.rating.0)
    .bind(key.technique.as_deref().unwrap_or_default())
    .bind(key.clues.unwrap_or_default())
    .bind(shelves_max)
    .fetch_optional(write.at("commit.add_shelf").await?)
    .await?;
    Ok(place)
}

async fn insert_puzzle(
    write: &mut Write,
    job: &Job,
    made: &MadeAt,
    likeness: &Likeness,
    Placed { shelf_id, position, is_surplus }: Placed,
) -> Result<(), StoreError> {
    let now = write.now;
    let MadeAt { index, attempt, made } = made;
    let inserted = sqlx::query(
        "insert into puzzles (shelf_id, position, text, solution, canonical, givens, rater, rater_version, record, seed,
                              job_id, job_index, job_try, is_surplus, engine_version, created_at, grid)
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
    .bind(is_surplus)
    .bind(ENGINE_VERSION)
    .bind(now.0)
    .bind(&likeness.grid[..])
    .execute(write.at("commit.insert_puzzle").await?)
    .await?;
    must_touch("inserting a puzzle", 1, inserted.rows_affected())
}
