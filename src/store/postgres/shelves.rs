//! Adds the shelves that new puzzles lack on PostgreSQL, up to the limit, and locks the shelves of a commit.

use std::collections::BTreeSet;

use super::{Write, rows, shelve::New};
use crate::store::{
    StoreError,
    column_lists::shelf_columns,
    database::{Lock, Write as _},
    puzzle::{Shelf, ShelfKey},
};

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
              with ordinality as wanted (kind, variant, symmetry, rating, technique, clues, rank)
         where not exists (select from shelves
                           where (shelves.kind, shelves.variant, shelves.symmetry, shelves.rating, shelves.technique,
                                  shelves.clues)
                                 = (wanted.kind, wanted.variant, wanted.symmetry, wanted.rating, wanted.technique,
                                    wanted.clues))
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
                           as wanted (kind, variant, symmetry, rating, technique, clues)
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
