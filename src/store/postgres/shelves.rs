//! The shelves of new puzzles: those that are missing are added, and all are locked.

use std::collections::BTreeSet;

use sqlx::Row as _;

use super::{Write, rows, shelve::New};
use crate::store::{
    StoreError,
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
    /// Each once; those of wanted puzzles first, so that they get what room is left.
    fn of(new: &'a [New<'_>]) -> Self {
        let of_wanted: BTreeSet<_> = new.iter().filter(|new| !new.is_extra).map(|new| &new.key).collect();
        let others: BTreeSet<_> = new.iter().map(|new| &new.key).filter(|key| !of_wanted.contains(key)).collect();
        let all: Vec<_> = of_wanted.into_iter().chain(others).collect();
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

/// Adds the shelves that are missing, as many as there may be, and returns the keys of those for which there is no room.
/// Before any is locked.
pub(super) async fn add_shelves(write: &mut Write, new: &[New<'_>]) -> Result<Vec<ShelfKey>, StoreError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let keys = Keys::of(new);
    if missing(write, &keys).await?.is_empty() {
        return Ok(Vec::new());
    }
    // In a statement of its own: the next one sees what those before us have added.
    write.lock("commit.lock_new_shelves", Lock::Shelves).await?;
    let shelves_max = i64::from(write.shelves_max);
    let Keys { kind, variant, base, symmetry, rating, technique, clues, .. } = keys.clone();
    sqlx::query(
        "insert into shelves (kind, variant, base, symmetry, rating, technique, clues)
         select kind, variant, base, symmetry, rating, technique, clues
         from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[], $7::text[])
              with ordinality as wanted (kind, variant, symmetry, rating, technique, clues, base, rank)
         where not exists (select from shelves
                           where (shelves.kind, shelves.variant, shelves.symmetry, shelves.rating, shelves.technique,
                                  shelves.clues)
                                 = (wanted.kind, wanted.variant, wanted.symmetry, wanted.rating, wanted.technique,
                                    wanted.clues))
         order by rank
         limit greatest($8 - (select count(*) from shelves), 0)",
    )
    .bind(kind)
    .bind(variant)
    .bind(symmetry)
    .bind(rating)
    .bind(technique)
    .bind(clues)
    .bind(base)
    .bind(shelves_max)
    .execute(write.at("commit.add_shelves").await?)
    .await?;
    missing(write, &keys).await
}

/// The keys without a shelf.
async fn missing(write: &mut Write, keys: &Keys<'_>) -> Result<Vec<ShelfKey>, StoreError> {
    let Keys { all, kind, variant, symmetry, rating, technique, clues, .. } = keys.clone();
    let found = sqlx::query(
        "select rank
         from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[])
              with ordinality as wanted (kind, variant, symmetry, rating, technique, clues, rank)
         where not exists (select from shelves
                           where (shelves.kind, shelves.variant, shelves.symmetry, shelves.rating, shelves.technique,
                                  shelves.clues)
                                 = (wanted.kind, wanted.variant, wanted.symmetry, wanted.rating, wanted.technique,
                                    wanted.clues))",
    )
    .bind(kind)
    .bind(variant)
    .bind(symmetry)
    .bind(rating)
    .bind(technique)
    .bind(clues)
    .fetch_all(write.at("commit.find_shelves").await?)
    .await?;
    let mut missing = Vec::with_capacity(found.len());
    for row in found {
        let rank: i64 = row.try_get("rank")?;
        let at = usize::try_from(rank - 1).expect("ranks are from 1");
        missing.push(all[at].clone());
    }
    Ok(missing)
}

/// Locks the shelves of new puzzles and these others, by id, in a statement of its own: one that also changed them would go by
/// what it saw before it waited.
pub(super) async fn lock_shelves(
    write: &mut Write,
    new: &[New<'_>],
    others: Vec<i64>,
) -> Result<Vec<Shelf>, StoreError> {
    let Keys { kind, variant, symmetry, rating, technique, clues, .. } = Keys::of(new);
    let found = sqlx::query(
        "select * from shelves
         where id in (select shelves.id
                      from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[])
                           as wanted (kind, variant, symmetry, rating, technique, clues)
                      join shelves using (kind, variant, symmetry, rating, technique, clues)
                      union
                      select unnest($7::bigint[]))
         order by id
         for no key update",
    )
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
