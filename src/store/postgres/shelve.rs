//! Stores the puzzles of slices on PostgreSQL: leaves out repeats, adds missing shelves, and withdraws the stored
//! puzzles that new puzzles of the same job replace. A few statements store all puzzles, because each statement is a
//! round trip. Shelves are locked in one order, so that commits to the same shelves do not deadlock.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;

use super::{
    Write,
    alike::{Known, Stocked},
    insert::insert_puzzles,
    must_touch,
    shelves::{add_shelves, lock_shelves},
};
use crate::store::{
    StoreError,
    commit::{Again, Likeness, Origin, is_repeat, signed, superseded_by},
    commits::{Allowed, Shelved, Shelver, Unshelved},
    job::{Job, MadeAt},
    puzzle::{Shelf, ShelfKey},
};

/// A puzzle that goes on its shelf.
pub(super) struct New<'a> {
    pub(super) job: &'a Job,
    pub(super) made: &'a MadeAt,
    pub(super) likeness: Likeness,
    /// Its shelf.
    pub(super) key: ShelfKey,
    pub(super) is_surplus: bool,
}

/// A stored puzzle that a new puzzle of its job replaces. Either a lower index has made a puzzle like it, or the stored
/// puzzle is surplus and the new one is wanted.
struct Superseded {
    puzzle_id: i64,
    shelf_id: i64,
    by_index: u32,
}

#[async_trait]
impl Shelver for Write {
    async fn shelve(&mut self, allowed: &[Allowed<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let (mut all, mut goes) = sort(self, allowed, BTreeSet::new()).await?;
        // A puzzle without a shelf must not replace others, so all puzzles are sorted again without it. Each round
        // excludes at least one more shelf, and a second round is rare.
        loop {
            let full = add_shelves(self, &goes.new).await?;
            if full.is_empty() {
                break;
            }
            goes.full.extend(full);
            (all, goes) = sort(self, allowed, goes.full).await?;
        }
        let Goes { new, superseded, .. } = goes;
        if !new.is_empty() {
            let shelves = lock_shelves(self, &new, superseded.iter().map(|old| old.shelf_id).collect()).await?;
            withdraw(self, &superseded).await?;
            grow_shelves(self, &shelves, &new, &superseded).await?;
            insert_puzzles(self, &shelves, &new).await?;
        }
        Ok(all)
    }
}

/// Decides what happens to each puzzle, if the shelves `full` cannot be added.
async fn sort<'a>(
    write: &mut Write,
    allowed: &'a [Allowed<'_>],
    full: BTreeSet<ShelfKey>,
) -> Result<(Vec<Shelved>, Goes<'a>), StoreError> {
    let all = |Allowed { job, work, .. }: &Allowed<'_>| {
        work.made.iter().chain(&work.surplus).map(|at| Likeness::of(job, &at.made)).collect::<Vec<_>>()
    };
    let mut known = Known::read(write, allowed.iter().flat_map(all).collect()).await?;
    let mut goes = Goes { full, ..Goes::default() };
    let mut all: Vec<_> = allowed.iter().map(|slice| goes.wanted(slice, &mut known)).collect();
    // Surplus puzzles come after all wanted puzzles, because a surplus puzzle must not make a wanted puzzle of any
    // slice a repeat.
    for (slice, shelved) in allowed.iter().zip(&mut all) {
        goes.surplus(slice, shelved, &mut known);
    }
    Ok((all, goes))
}

/// The puzzles to put on shelves, and the puzzles to withdraw for them.
#[derive(Default)]
struct Goes<'a> {
    new: Vec<New<'a>>,
    superseded: Vec<Superseded>,
    /// The shelves that are missing and cannot be added.
    full: BTreeSet<ShelfKey>,
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
            let key = ShelfKey::of(&job.spec, made.made.record.rating, false);
            if self.full.contains(&key) {
                shelved.unshelved.push(Unshelved { index: made.index, attempt: made.attempt, key });
                continue;
            }
            let places: Vec<_> = alike.into_iter().map(|(place, _)| place).collect();
            for Stocked { origin, shelf_id } in known.forget(&places) {
                if origin.is_surplus {
                    shelved.surplus -= 1;
                } else {
                    shelved.again.push(Again { index: origin.index, attempt: origin.attempt + 1 });
                }
                self.superseded.push(Superseded { puzzle_id: origin.puzzle_id, shelf_id, by_index: made.index });
            }
            self.goes(New { job, made, likeness, key, is_surplus: false }, known);
        }
        shelved
    }

    fn surplus(&mut self, Allowed { job, work, .. }: &'a Allowed<'_>, shelved: &mut Shelved, known: &mut Known) {
        for made in &work.surplus {
            let likeness = Likeness::of(job, &made.made);
            let key = ShelfKey::of(&job.spec, made.made.record.rating, true);
            if !known.alike(&likeness).is_empty() {
                continue;
            }
            if self.full.contains(&key) {
                shelved.dropped += 1;
            } else {
                self.goes(New { job, made, likeness, key, is_surplus: true }, known);
                shelved.surplus += 1;
            }
        }
    }

    fn goes(&mut self, new: New<'a>, known: &mut Known) {
        // All later puzzles like this one repeat it: those of its job have higher indices or are surplus puzzles.
        let New { job, made: &MadeAt { index, attempt, .. }, is_surplus, .. } = new;
        let origin = Origin { puzzle_id: 0, job_id: job.id, index, attempt, is_surplus, in_circulation: true };
        known.add(new.likeness.clone(), Stocked { origin, shelf_id: 0 });
        self.new.push(new);
    }
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
    // An even lower index replaced the puzzle first.
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
        *added.entry(&new.key).or_default() += 1;
    }
    let added = |shelf: &Shelf| signed(added.get(&shelf.key).copied().unwrap_or(0));
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
