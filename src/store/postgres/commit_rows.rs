//! Puts the new puzzles of a commit on their shelves on PostgreSQL: adds the shelves that they lack, up to the limit, locks
//! their shelves, and inserts them at the next positions.

use std::collections::{BTreeSet, HashMap};

use super::{Write, commits::New};
use crate::{
    rules::{
        jobs::slice::MadeAt,
        stock::puzzle::{Shelf, ShelfKey},
    },
    store::{
        StoreError,
        error::must_touch,
        sql::{
            column_lists::shelf_columns,
            database::{Lock, Write as _},
            record::RecordColumn,
            rows,
        },
    },
};
use puzzled_engine::ENGINE_VERSION;

/// Keys of shelves, column by column.
#[derive(Debug, Clone)]
struct Keys<'a> {
    all: Vec<&'a ShelfKey>,
    kind: Vec<&'a str>,
    variant: Vec<&'a str>,
    base: Vec<&'a str>,
    symmetry: Vec<&'a str>,
    rating: Vec<i16>,
    technique: Vec<&'a str>,
    clues: Vec<i32>,
}

impl<'a> Keys<'a> {
    /// Returns each key once. The keys of wanted puzzles come first, so that they get the last free places.
    fn of(new: &'a [New<'_>]) -> Self {
        let of_wanted: BTreeSet<_> = new.iter().filter(|new| !new.is_surplus).map(|new| &new.key).collect();
        let others: BTreeSet<_> = new.iter().map(|new| &new.key).filter(|key| !of_wanted.contains(key)).collect();
        of_wanted.into_iter().chain(others).collect::<Vec<_>>().into()
    }
}

impl<'a> From<Vec<&'a ShelfKey>> for Keys<'a> {
    fn from(all: Vec<&'a ShelfKey>) -> Self {
        Self {
            kind: all.iter().map(|key| key.kind.as_str()).collect(),
            variant: all.iter().map(|key| key.variant.as_str()).collect(),
            base: all.iter().map(|key| key.base.as_str()).collect(),
            symmetry: all.iter().map(|key| key.symmetry.name()).collect(),
            rating: all.iter().map(|key| i16::from(key.rating.0)).collect(),
            technique: all.iter().map(|key| key.technique.as_deref().unwrap_or_default()).collect(),
            clues: all.iter().map(|key| i32::from(key.clues.unwrap_or_default())).collect(),
            all,
        }
    }
}

/// Adds the missing shelves, up to the limit on shelves, and returns the keys of those that exceed it. Must be called
/// before any shelf is locked.
pub(super) async fn add_shelves(write: &mut Write, new: &[New<'_>]) -> Result<Vec<ShelfKey>, StoreError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let keys = Keys::of(new);
    if missing(write, &keys).await?.is_empty() {
        return Ok(Vec::new());
    }
    // With this lock, the statements below see all shelves that earlier holders of the lock have added, and no other
    // write adds shelves meanwhile.
    write.lock("commit.lock_new_shelves", Lock::Shelves).await?;
    let mut added = missing(write, &keys).await?;
    let shelves: i64 =
        sqlx::query_scalar("select count(*) from shelves").fetch_one(write.at("commit.count_shelves").await?).await?;
    let room = usize::try_from(i64::from(write.shelves_max) - shelves).unwrap_or_default();
    let without_room = added.split_off(room.min(added.len()));
    insert(write, Keys::from(added)).await?;
    Ok(without_room.into_iter().cloned().collect())
}

/// Returns the keys without a shelf, in their order.
async fn missing<'a>(write: &mut Write, keys: &Keys<'a>) -> Result<Vec<&'a ShelfKey>, StoreError> {
    let Keys { all, kind, variant, symmetry, rating, technique, clues, .. } = keys.clone();
    let found: Vec<i64> = sqlx::query_scalar(
        "select rank
         from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[])
              with ordinality as asked (kind, variant, symmetry, rating, technique, clues, rank)
         where not exists (select from shelves
                           where (shelves.kind, shelves.variant, shelves.symmetry, shelves.rating, shelves.technique,
                                  shelves.clues)
                                 = (asked.kind, asked.variant, asked.symmetry, asked.rating, asked.technique,
                                    asked.clues))
         order by rank",
    )
    .bind(kind)
    .bind(variant)
    .bind(symmetry)
    .bind(rating)
    .bind(technique)
    .bind(clues)
    .fetch_all(write.at("commit.find_shelves").await?)
    .await?;
    let at = |rank: i64| usize::try_from(rank - 1).expect("ranks are from 1");
    Ok(found.into_iter().map(|rank| all[at(rank)]).collect())
}

async fn insert(write: &mut Write, keys: Keys<'_>) -> Result<(), StoreError> {
    if keys.all.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into shelves (kind, variant, base, symmetry, rating, technique, clues)
         select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::integer[])",
    )
    .bind(keys.kind)
    .bind(keys.variant)
    .bind(keys.base)
    .bind(keys.symmetry)
    .bind(keys.rating)
    .bind(keys.technique)
    .bind(keys.clues)
    .execute(write.at("commit.add_shelves").await?)
    .await?;
    Ok(())
}

/// Locks the shelves of new puzzles and the shelves `others`, by id. This is a separate statement, because a statement
/// that also changed the shelves would use values from before its wait for the locks.
pub(super) async fn lock_shelves(
    write: &mut Write,
    new: &[New<'_>],
    others: Vec<i64>,
) -> Result<Vec<Shelf>, StoreError> {
    let Keys { kind, variant, symmetry, rating, technique, clues, .. } = Keys::of(new);
    let found = sqlx::query(concat!(
        "select ",
        shelf_columns!(),
        " from shelves
         where id in (select shelves.id
                      from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[])
                           as asked (kind, variant, symmetry, rating, technique, clues)
                      join shelves using (kind, variant, symmetry, rating, technique, clues)
                      union
                      select unnest($7::bigint[]))
         order by id
         for no key update"
    ))
    .bind(kind)
    .bind(variant)
    .bind(symmetry)
    .bind(rating)
    .bind(technique)
    .bind(clues)
    .bind(others)
    .fetch_all(write.at("commit.lock_shelves").await?)
    .await?;
    found.iter().map(rows::shelf).collect()
}

/// Inserts new puzzles, all in one statement, at the next positions of locked shelves.
pub(super) async fn insert_puzzles(write: &mut Write, shelves: &[Shelf], new: &[New<'_>]) -> Result<(), StoreError> {
    let mut free: HashMap<_, _> = shelves.iter().map(|shelf| (&shelf.key, (shelf.id.0, shelf.positions))).collect();
    let mut rows = Rows::default();
    for new in new {
        let place = free.get_mut(&new.key).ok_or(StoreError::Overtaken { statement: "locking shelves" })?;
        rows.push(new, *place);
        place.1 += 1;
    }
    let now = write.now;
    // Ids are in the order of the indices, so that pages list puzzles in this order. Rows are in the order of their
    // solutions, so that two commits with the same solutions wait for each other in one direction. Forms need no order:
    // isomorphs of one variant have one solution. Isomorphs of two variants have two, and their waits can form a deadlock.
    // The server then ends one of the two transactions after a second, and it is repeated.
    let inserted = sqlx::query(
        "with made as materialized (
             select nextval('puzzles_id_seq') as id, made.*
             from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[],
                         $8::bigint[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
                         $14::boolean[], $15::bytea[])
                  with ordinality as made (shelf_id, position, text, solution, canonical, givens, rater, rater_version,
                                           record, seed, job_id, job_index, job_try, is_surplus, repeat_hash, rank)
             order by rank)
         insert into puzzles (id, shelf_id, position, text, solution, canonical, givens, rater, rater_version, record,
                              seed, job_id, job_index, job_try, is_surplus, repeat_hash, engine_version, created_at)
         select id, shelf_id, position, text, solution, canonical, givens, rater, rater_version, record::json,
                seed, job_id, job_index, job_try, is_surplus, repeat_hash, $16, $17
         from made
         order by repeat_hash",
    )
    .bind(rows.shelf_id)
    .bind(rows.position)
    .bind(rows.text)
    .bind(rows.solution)
    .bind(rows.canonical)
    .bind(rows.givens)
    .bind(rows.rater)
    .bind(rows.rater_version)
    .bind(rows.record)
    .bind(rows.seed)
    .bind(rows.job_id)
    .bind(rows.job_index)
    .bind(rows.job_try)
    .bind(rows.is_surplus)
    .bind(rows.repeat_hash)
    .bind(i64::from(ENGINE_VERSION))
    .bind(now.0)
    .execute(write.at("commit.insert_puzzles").await?)
    .await?;
    must_touch("inserting puzzles", new.len() as u64, inserted.rows_affected())
}

/// Rows to insert, column by column.
#[derive(Default)]
struct Rows<'a> {
    shelf_id: Vec<i64>,
    position: Vec<i64>,
    text: Vec<&'a str>,
    solution: Vec<&'a str>,
    canonical: Vec<&'a str>,
    givens: Vec<i32>,
    rater: Vec<&'a str>,
    rater_version: Vec<i64>,
    record: Vec<String>,
    seed: Vec<i64>,
    job_id: Vec<i64>,
    job_index: Vec<i64>,
    job_try: Vec<i64>,
    is_surplus: Vec<bool>,
    repeat_hash: Vec<Vec<u8>>,
}

impl<'a> Rows<'a> {
    fn push(&mut self, new: &'a New<'_>, (shelf_id, position): (i64, i64)) {
        let MadeAt { index, attempt, made } = new.made;
        self.shelf_id.push(shelf_id);
        self.position.push(position);
        self.text.push(&made.text);
        self.solution.push(&made.solution);
        self.canonical.push(&new.likeness.form);
        self.givens.push(i32::from(made.givens));
        self.rater.push(made.record.rater);
        self.rater_version.push(i64::from(made.record.rater_version));
        self.record.push(RecordColumn::of(&made.record).to_json());
        self.seed.push(i64::from_le_bytes(new.job.seed.to_le_bytes()));
        self.job_id.push(new.job.id.0);
        self.job_index.push(i64::from(*index));
        self.job_try.push(i64::from(*attempt));
        self.is_surplus.push(new.is_surplus);
        self.repeat_hash.push(new.likeness.repeat_hash.to_vec());
    }
}
