//! Stores the puzzles of slices on PostgreSQL: leaves out repeats, adds missing shelves, and withdraws the stored
//! puzzles that new puzzles of the same job replace. A few statements store all puzzles, because each statement is a
//! round trip. Shelves are locked in one order, so that commits to the same shelves do not deadlock.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use sqlx::Row as _;

use super::{
    Write,
    commit_rows::{add_shelves, insert_puzzles, lock_shelves},
};
use crate::{
    rules::{
        jobs::{
            job::Job,
            slice::{Again, Likeness, MadeAt, Origin, is_repeat, signed, superseded_by},
        },
        stock::puzzle::{Shelf, ShelfKey},
    },
    store::{
        StoreError,
        error::must_touch,
        jobs::commits::{Allowed, CommitWrite, Shelved, Unshelved},
        sql::{database::Write as _, rows, statement::values},
    },
};

/// A puzzle that goes on its shelf.
pub(super) struct New<'a> {
    pub(super) job: &'a Job,
    pub(super) made: &'a MadeAt,
    pub(super) likeness: Likeness,
    pub(super) key: ShelfKey,
}

/// A stored puzzle that a new puzzle of a lower index of its job replaces.
struct Superseded {
    puzzle_id: i64,
    shelf_id: i64,
    by_index: u32,
}

#[async_trait]
impl CommitWrite for Write {
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
            let emptied = withdraw(self, &superseded).await?;
            grow_shelves(self, &shelves, &new, &emptied).await?;
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
        work.made.iter().map(|at| Likeness::of(job, &at.made)).collect::<Vec<_>>()
    };
    let mut known = Known::read(write, allowed.iter().flat_map(all).collect()).await?;
    let mut goes = Goes { full, ..Goes::default() };
    let all = allowed.iter().map(|slice| goes.sort(slice, &mut known)).collect();
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
    fn sort(&mut self, Allowed { job, work, .. }: &'a Allowed<'_>, known: &mut Known) -> Shelved {
        let mut shelved = Shelved::default();
        for made in &work.made {
            let likeness = Likeness::of(job, &made.made);
            let alike = known.alike(&likeness);
            if is_repeat(alike.iter().map(|(_, stocked)| &stocked.origin), job.id, made.index) {
                shelved.again.push(Again { index: made.index, attempt: made.attempt + 1 });
                continue;
            }
            let key = made.shelf(&job.spec);
            if self.full.contains(&key) {
                shelved.unshelved.push(Unshelved { index: made.index, attempt: made.attempt, key });
                continue;
            }
            let places: Vec<_> = alike.into_iter().map(|(place, _)| place).collect();
            for Stocked { origin, shelf_id } in known.forget(&places) {
                shelved.again.push(Again { index: origin.index, attempt: origin.attempt + 1 });
                self.superseded.push(Superseded { puzzle_id: origin.puzzle_id, shelf_id, by_index: made.index });
            }
            self.goes(New { job, made, likeness, key }, known);
        }
        shelved
    }

    fn goes(&mut self, new: New<'a>, known: &mut Known) {
        // All later puzzles like this one repeat it, because those of its job have higher indices.
        let New { job, made: &MadeAt { index, attempt, .. }, .. } = new;
        let origin = Origin { puzzle_id: 0, job_id: job.id, index, attempt, in_circulation: true };
        known.add(new.likeness.clone(), Stocked { origin, shelf_id: 0 });
        self.new.push(new);
    }
}

/// A puzzle that is in circulation or barred.
struct Stocked {
    origin: Origin,
    shelf_id: i64,
}

/// Puzzles by form and by solution.
#[derive(Default)]
struct Known {
    /// `None` after the puzzle was replaced.
    all: Vec<Option<Stocked>>,
    /// Indices into `all`.
    by_form: HashMap<String, Vec<usize>>,
    by_hash: HashMap<Vec<u8>, Vec<usize>>,
}

impl Known {
    /// Reads the puzzles in stock that are alike to any of these. If another write commits such a puzzle after this read,
    /// the insert fails and the whole write is repeated.
    async fn read(write: &mut Write, wanted: Vec<Likeness>) -> Result<Self, StoreError> {
        let mut known = Self::default();
        if wanted.is_empty() {
            return Ok(known);
        }
        let (forms, repeat_hashes): (Vec<_>, Vec<_>) =
            wanted.into_iter().map(|Likeness { form, repeat_hash }| (form, repeat_hash.to_vec())).unzip();
        // Unlike SQLite, the server uses both indexes even with "or".
        let found = sqlx::query(
            "select id, job_id, job_index, job_try, withdrawn_at is null as in_circulation, shelf_id, canonical,
                    repeat_hash
             from puzzles
             where (md5(canonical)::uuid = any(array(select md5(form)::uuid from unnest($1::text[]) as form))
                    and canonical = any($1)
                    or repeat_hash = any($2))
               and (withdrawn_at is null or barred)",
        )
        .bind(forms)
        .bind(repeat_hashes)
        .fetch_all(write.at("commit.find_alike").await?)
        .await?;
        for row in &found {
            let stocked = Stocked { origin: rows::origin(row)?, shelf_id: row.try_get("shelf_id")? };
            known.insert(row.try_get("canonical")?, row.try_get("repeat_hash")?, stocked);
        }
        Ok(known)
    }

    fn add(&mut self, likeness: Likeness, stocked: Stocked) {
        self.insert(likeness.form, likeness.repeat_hash.to_vec(), stocked);
    }

    fn insert(&mut self, form: String, repeat_hash: Vec<u8>, stocked: Stocked) {
        let place = self.all.len();
        self.all.push(Some(stocked));
        self.by_form.entry(form).or_default().push(place);
        self.by_hash.entry(repeat_hash).or_default().push(place);
    }

    /// Returns the puzzles that are alike, each with its index.
    fn alike(&self, likeness: &Likeness) -> Vec<(usize, &Stocked)> {
        let by_form = self.by_form.get(&likeness.form).into_iter().flatten();
        let by_hash = self.by_hash.get(&likeness.repeat_hash[..]).into_iter().flatten();
        let places: BTreeSet<_> = by_form.chain(by_hash).copied().collect();
        places.into_iter().filter_map(|place| Some((place, self.all[place].as_ref()?))).collect()
    }

    /// Removes and returns the puzzles that are replaced.
    fn forget(&mut self, places: &[usize]) -> Vec<Stocked> {
        places.iter().filter_map(|&place| self.all[place].take()).collect()
    }
}

/// Withdraws puzzles, and returns the shelf of each that had a position.
async fn withdraw(write: &mut Write, superseded: &[Superseded]) -> Result<Vec<i64>, StoreError> {
    if superseded.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "update puzzles set withdrawn_at = $1, withdrawn_reason = superseded.reason
               from unnest($2::bigint[], $3::text[]) as superseded (id, reason)
               where puzzles.id = superseded.id and withdrawn_at is null
               returning shelf_id as id, position";
    let ids: Vec<_> = superseded.iter().map(|old| old.puzzle_id).collect();
    let reasons: Vec<_> = superseded.iter().map(|old| superseded_by(old.by_index)).collect();
    let reasons: Vec<_> = reasons.iter().map(String::as_str).collect();
    let withdrawn = write.all("commit.withdraw", sql, values![write.now, ids, reasons], rows::placed).await?;
    if withdrawn.len() == superseded.len() {
        let live = withdrawn.into_iter().filter(|placed| placed.position.is_some());
        return Ok(live.map(|placed| placed.shelf_id).collect());
    }
    // An even lower index replaced the puzzle first.
    Err(StoreError::Overtaken { statement: "withdrawing puzzles" })
}

async fn grow_shelves(
    write: &mut Write,
    shelves: &[Shelf],
    new: &[New<'_>],
    emptied: &[i64],
) -> Result<(), StoreError> {
    let mut added = HashMap::<_, u64>::new();
    for new in new.iter().filter(|new| new.job.holder.is_none()) {
        *added.entry(&new.key).or_default() += 1;
    }
    let added = |shelf: &Shelf| signed(added.get(&shelf.key).copied().unwrap_or(0));
    let gone = |shelf: &Shelf| signed(emptied.iter().filter(|shelf_id| **shelf_id == shelf.id.0).count() as u64);
    let sql = "update shelves
               set positions = positions + grown.added, empty = shelves.empty + grown.emptied
               from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as grown (id, added, emptied)
               where shelves.id = grown.id";
    let columns = shelves.iter().map(|shelf| (shelf.id.0, added(shelf), gone(shelf)));
    let (ids, added, gone): (Vec<_>, Vec<_>, Vec<_>) = columns.collect();
    let grown = write.execute("commit.grow_shelves", sql, values![ids, added, gone]).await?;
    must_touch("growing shelves", shelves.len() as u64, grown)
}
