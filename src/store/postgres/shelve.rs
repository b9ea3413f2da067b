//! Putting the puzzles of slices on their shelves, except those that the stock has already.
//!
//! All of them at once, other than on SQLite: each statement is a round trip here, and shelves have to be locked in one
//! order. Row by row, committers of the same shelves would wait for each other in circles.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;

use super::{
    Write,
    alike::{Known, Stocked},
    insert::insert_puzzles,
    must_touch, rows,
};
use crate::store::{
    StoreError,
    commit::{Again, Likeness, Origin, is_repeat, signed, superseded_by},
    commits::{Allowed, Shelved, Shelver},
    job::{Job, MadeAt},
    puzzle::Shelf,
};
use puzzled_engine::{level::Tenths, symmetry::Symmetry};

/// A puzzle that goes on its shelf.
pub(super) struct New<'a> {
    pub(super) job: &'a Job,
    pub(super) made: &'a MadeAt,
    pub(super) likeness: Likeness,
    pub(super) is_extra: bool,
}

/// Kind, variant, symmetry and rating of a shelf.
pub(super) type Key<'a> = (&'a str, &'a str, Symmetry, Tenths);

impl New<'_> {
    pub(super) fn key(&self) -> Key<'_> {
        let spec = &self.job.spec;
        (&spec.kind, &spec.variant, spec.symmetry, self.made.made.record.rating)
    }
}

/// A puzzle to which a lower index of its job has made one that is alike, or that its job had left over before such a one was
/// wanted.
struct Superseded {
    puzzle_id: i64,
    shelf_id: i64,
    by_index: u32,
}

#[async_trait]
impl Shelver for Write {
    async fn shelve(&mut self, allowed: &[Allowed<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let all = |Allowed { job, work, .. }: &Allowed<'_>| {
            work.made.iter().chain(&work.extra).map(|at| Likeness::of(job, &at.made)).collect::<Vec<_>>()
        };
        let mut known = Known::read(self, allowed.iter().flat_map(all).collect()).await?;
        let mut goes = Goes::default();
        let mut all: Vec<_> = allowed.iter().map(|slice| goes.wanted(slice, &mut known)).collect();
        // After all that is wanted: an extra gives way to that, whichever slice it comes from.
        for (slice, shelved) in allowed.iter().zip(&mut all) {
            shelved.extra += goes.extra(slice, &mut known);
        }
        let Goes { new, superseded } = goes;
        if !new.is_empty() {
            add_shelves(self, &new).await?;
            let shelves = lock_shelves(self, &new, &superseded).await?;
            withdraw(self, &superseded).await?;
            grow_shelves(self, &shelves, &new, &superseded).await?;
            insert_puzzles(self, &shelves, &new).await?;
        }
        Ok(all)
    }
}

/// What goes on the shelves, and what goes out of circulation for it.
#[derive(Default)]
struct Goes<'a> {
    new: Vec<New<'a>>,
    superseded: Vec<Superseded>,
}

impl<'a> Goes<'a> {
    fn wanted(&mut self, Allowed { job, work, .. }: &'a Allowed<'_>, known: &mut Known) -> Shelved {
        let mut shelved = Shelved::default();
        for made in &work.made {
            let likeness = Likeness::of(job, &made.made);
            let alike = known.alike(&likeness);
            if is_repeat(alike.iter().map(|(_, stocked)| &stocked.origin), job.id, made.index) {
                shelved.again.push(Again { index: made.index, attempt: made.attempt + 1 });
                continue;
            }
            let places: Vec<_> = alike.into_iter().map(|(place, _)| place).collect();
            for Stocked { origin, shelf_id } in known.forget(&places) {
                if origin.is_extra {
                    shelved.extra -= 1;
                } else {
                    shelved.again.push(Again { index: origin.index, attempt: origin.attempt + 1 });
                }
                self.superseded.push(Superseded { puzzle_id: origin.puzzle_id, shelf_id, by_index: made.index });
            }
            self.goes(job, made, likeness, false, known);
        }
        shelved
    }

    fn extra(&mut self, Allowed { job, work, .. }: &'a Allowed<'_>, known: &mut Known) -> i64 {
        let mut stored = 0;
        for made in &work.extra {
            let likeness = Likeness::of(job, &made.made);
            if known.alike(&likeness).is_empty() {
                self.goes(job, made, likeness, true, known);
                stored += 1;
            }
        }
        stored
    }

    fn goes(&mut self, job: &'a Job, made: &'a MadeAt, likeness: Likeness, is_extra: bool, known: &mut Known) {
        // All that come after it and are alike repeat it: of its job they are higher indices, or extras.
        let MadeAt { index, attempt, .. } = *made;
        let origin = Origin { puzzle_id: 0, job_id: job.id, index, attempt, is_extra, in_circulation: true };
        known.add(likeness.clone(), Stocked { origin, shelf_id: 0 });
        self.new.push(New { job, made, likeness, is_extra });
    }
}

/// The keys of the shelves of new puzzles, column by column.
#[derive(Default)]
struct Keys<'a> {
    kind: Vec<&'a str>,
    variant: Vec<&'a str>,
    symmetry: Vec<&'a str>,
    rating: Vec<i16>,
}

impl<'a> Keys<'a> {
    fn of(new: &'a [New<'_>]) -> Self {
        let mut keys = Self::default();
        // By name and rating, in which order new ones are added.
        let all: BTreeSet<_> = new.iter().map(New::key).collect();
        for (kind, variant, symmetry, rating) in all {
            keys.kind.push(kind);
            keys.variant.push(variant);
            keys.symmetry.push(symmetry.name());
            keys.rating.push(i16::from(rating.0));
        }
        keys
    }
}

/// Adds the shelves that are missing. Before any is locked, and in one order: whoever adds the same ones is waited for.
async fn add_shelves(write: &mut Write, new: &[New<'_>]) -> Result<(), StoreError> {
    let keys = Keys::of(new);
    sqlx::query(
        "insert into shelves (kind, variant, symmetry, rating)
         select kind, variant, symmetry, rating
         from unnest($1::text[], $2::text[], $3::text[], $4::smallint[])
              with ordinality as wanted (kind, variant, symmetry, rating, rank)
         where not exists (select from shelves
                           where shelves.kind = wanted.kind and shelves.variant = wanted.variant
                             and shelves.symmetry = wanted.symmetry and shelves.rating = wanted.rating)
         order by rank
         on conflict do nothing",
    )
    .bind(keys.kind)
    .bind(keys.variant)
    .bind(keys.symmetry)
    .bind(keys.rating)
    .execute(write.at("commit.add_shelves").await?)
    .await?;
    Ok(())
}

/// Locks the shelves of all that comes and goes, by id, in a statement of its own: one that also changed them would go by
/// what it saw before it waited.
async fn lock_shelves(write: &mut Write, new: &[New<'_>], superseded: &[Superseded]) -> Result<Vec<Shelf>, StoreError> {
    let keys = Keys::of(new);
    let found = sqlx::query(
        "select * from shelves
         where id in (select shelves.id
                      from unnest($1::text[], $2::text[], $3::text[], $4::smallint[])
                           as wanted (kind, variant, symmetry, rating)
                      join shelves using (kind, variant, symmetry, rating)
                      union
                      select unnest($5::bigint[]))
         order by id
         for no key update",
    )
    .bind(keys.kind)
    .bind(keys.variant)
    .bind(keys.symmetry)
    .bind(keys.rating)
    .bind(superseded.iter().map(|old| old.shelf_id).collect::<Vec<_>>())
    .fetch_all(write.at("commit.lock_shelves").await?)
    .await?;
    found.iter().map(rows::shelf).collect()
}

async fn withdraw(write: &mut Write, superseded: &[Superseded]) -> Result<(), StoreError> {
    if superseded.is_empty() {
        return Ok(());
    }
    let now = write.now;
    let withdrawn = sqlx::query(
        "update puzzles set withdrawn_at = $1, withdrawn_reason = superseded.reason
         from unnest($2::bigint[], $3::text[]) as superseded (id, reason)
         where puzzles.id = superseded.id and withdrawn_at is null",
    )
    .bind(now.0)
    .bind(superseded.iter().map(|old| old.puzzle_id).collect::<Vec<_>>())
    .bind(superseded.iter().map(|old| superseded_by(old.by_index)).collect::<Vec<_>>())
    .execute(write.at("commit.withdraw").await?)
    .await?;
    if withdrawn.rows_affected() == superseded.len() as u64 {
        return Ok(());
    }
    // A still lower index was quicker.
    Err(StoreError::Overtaken { statement: "withdrawing puzzles" })
}

async fn grow_shelves(
    write: &mut Write,
    shelves: &[Shelf],
    new: &[New<'_>],
    superseded: &[Superseded],
) -> Result<(), StoreError> {
    let mut added = HashMap::<_, u64>::new();
    for new in new {
        *added.entry(new.key()).or_default() += 1;
    }
    let added = |shelf: &Shelf| signed(added.get(&key_of(shelf)).copied().unwrap_or(0));
    let gone = |shelf: &Shelf| signed(superseded.iter().filter(|old| old.shelf_id == shelf.id.0).count() as u64);
    let grown = sqlx::query(
        "update shelves
         set positions = positions + grown.added, withdrawn = shelves.withdrawn + grown.withdrawn
         from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as grown (id, added, withdrawn)
         where shelves.id = grown.id",
    )
    .bind(shelves.iter().map(|shelf| shelf.id.0).collect::<Vec<_>>())
    .bind(shelves.iter().map(added).collect::<Vec<_>>())
    .bind(shelves.iter().map(gone).collect::<Vec<_>>())
    .execute(write.at("commit.grow_shelves").await?)
    .await?;
    must_touch("growing shelves", shelves.len() as u64, grown.rows_affected())
}

pub(super) fn key_of(shelf: &Shelf) -> Key<'_> {
    (&shelf.key.kind, &shelf.key.variant, shelf.key.symmetry, shelf.key.rating)
}
