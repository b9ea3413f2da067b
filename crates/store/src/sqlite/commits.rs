//! Puts new puzzles on their shelves on SQLite, one after the other: leaves out repeats, adds missing shelves, and
//! withdraws the stored puzzles that new puzzles of the same job replace.

use async_trait::async_trait;

use crate::{
    StoreError,
    error::must_touch,
    jobs::slice::{Alike, Likeness, Replaced, replaced, superseded_by},
    sql::{
        database::Write as _,
        record::RecordColumn,
        rows::{self, Placed},
        statement::values,
        statements::{shelve, stock},
    },
    sqlite::Write,
    stock::{
        origins::alike as alike_of,
        puzzle::ShelfKey,
        shelving::{New, ShelveWrite, Shelved},
    },
};
use puzzled_engine::ENGINE_VERSION;

#[async_trait]
impl ShelveWrite for Write {
    async fn shelve(&mut self, all: &[New<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let mut shelved = Vec::with_capacity(all.len());
        for new in all {
            shelved.push(shelve(self, new).await?);
        }
        Ok(shelved)
    }
}

async fn shelve(write: &mut Write, new: &New<'_>) -> Result<Shelved, StoreError> {
    let known = alike(write, &new.likeness).await?;
    let Some(replaced) = replaced(&new.origin, &known) else { return Ok(Shelved::Repeat(known)) };
    let Some(place) = next_place(write, &new.key, new.holder.is_some()).await? else {
        return Ok(Shelved::NoShelf(new.key.clone()));
    };
    for old in &replaced {
        take_back(write, old).await?;
    }
    let id = insert_puzzle(write, new, place).await?;
    Ok(Shelved::Stored { id, again: replaced.into_iter().map(|old| old.again).collect() })
}

/// Returns the puzzles that are alike to this one, and in circulation or barred.
async fn alike(write: &mut Write, likeness: &Likeness) -> Result<Vec<Alike>, StoreError> {
    let known = sqlx::query(shelve::ALIKE.sqlite)
        .bind(&likeness.form)
        .bind(&likeness.repeat_hash[..])
        .fetch_all(write.at("commit.find_alike").await?)
        .await?;
    known.iter().map(alike_of).collect()
}

/// Withdraws a puzzle that an index of the same job replaces. The row stays.
async fn take_back(write: &mut Write, old: &Replaced) -> Result<(), StoreError> {
    let reason = superseded_by(old.by_index);
    let values = values![write.now, &reason, old.puzzle_id];
    let Placed { shelf_id, position } = write.one("commit.withdraw", shelve::WITHDRAW, values, rows::placed).await?;
    if position.is_none() {
        return Ok(());
    }
    let counted = write.execute("commit.count_empty", stock::COUNT_EMPTY, values![shelf_id]).await?;
    must_touch("counting a withdrawn puzzle", 1, counted)
}

/// Returns a shelf with its next position, or without one if the puzzle is held. Adds the shelf if it is missing. Returns `None`
/// if the number of shelves is at its limit.
async fn next_place(write: &mut Write, key: &ShelfKey, is_held: bool) -> Result<Option<Placed>, StoreError> {
    let ShelfKey { kind, variant, base, symmetry, rating, technique, givens } = key;
    let (rating, givens) = (u32::from(rating.0), u32::from(*givens));
    let taken = u32::from(!is_held);
    let values = values![kind, variant, symmetry.name(), rating, technique, givens, taken];
    if let Some(place) = write.optional("commit.next_position", shelve::NEXT_POSITION, values, rows::placed).await? {
        return Ok(Some(place));
    }
    let values = values![kind, variant, base, symmetry.name(), rating, technique, givens, write.shelves_max, taken];
    write.optional("commit.add_shelf", shelve::ADD_SHELF, values, rows::placed).await
}

/// Inserts a puzzle, and returns its id.
async fn insert_puzzle(
    write: &mut Write,
    new: &New<'_>,
    Placed { shelf_id, position }: Placed,
) -> Result<i64, StoreError> {
    let now = write.now;
    let New { origin, likeness, made, .. } = new;
    let (job, import) = (origin.job(), origin.import());
    let inserted = sqlx::query(shelve::INSERT_PUZZLE)
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
        .bind(job.map(|job| job.seed.cast_signed()))
        .bind(job.map(|job| job.job_id.0))
        .bind(job.map(|job| job.index))
        .bind(job.map(|job| job.try_number))
        .bind(import.map(|import| &import.import_id))
        .bind(import.map(|import| import.line))
        .bind(import.map(|import| &import.note))
        .bind(ENGINE_VERSION)
        .bind(now.0)
        .bind(&likeness.repeat_hash[..])
        .bind(new.holder.as_deref())
        .execute(write.at("commit.insert_puzzle").await?)
        .await?;
    must_touch("inserting a puzzle", 1, inserted.rows_affected())?;
    Ok(inserted.last_insert_rowid())
}
