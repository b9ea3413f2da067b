//! Puts new puzzles on their shelves on PostgreSQL: leaves out repeats, adds missing shelves, and withdraws the stored
//! puzzles that new puzzles of the same job replace. A few statements store all puzzles, because each statement is a
//! round trip. Shelves are locked in one order, so that writes to the same shelves do not deadlock.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use sqlx::Row as _;

use crate::{
    StoreError,
    error::must_touch,
    jobs::slice::{Alike, Likeness, Replaced, replaced, signed, superseded_by},
    postgres::{
        Write,
        commit_rows::{add_shelves, insert_puzzles, lock_shelves},
    },
    sql::{database::Write as _, rows, statement::values, statements::shelve},
    stock::{
        origins::alike as alike_of,
        puzzle::{Shelf, ShelfKey},
        shelving::{New, ShelveWrite, Shelved},
    },
};

#[async_trait]
impl ShelveWrite for Write {
    async fn shelve(&mut self, all: &[New<'_>]) -> Result<Vec<Shelved>, StoreError> {
        let mut sorted = sort(self, all, BTreeSet::new()).await?;
        // A puzzle without a shelf must not replace others, so all puzzles are sorted again without it. Each round
        // excludes at least one more shelf, and a second round is rare.
        loop {
            let full = add_shelves(self, &sorted.new).await?;
            if full.is_empty() {
                break;
            }
            sorted.full.extend(full);
            sorted = sort(self, all, sorted.full).await?;
        }
        let Sorted { shelved, new, replaced, .. } = sorted;
        let mut ids = Vec::new();
        if !new.is_empty() {
            let shelves = lock_shelves(self, &new, replaced.iter().map(|old| old.shelf_id).collect()).await?;
            let emptied = withdraw(self, &replaced).await?;
            grow_shelves(self, &shelves, &new, &emptied).await?;
            ids = insert_puzzles(self, &shelves, &new).await?;
        }
        let mut ids = ids.into_iter();
        let numbered = shelved.into_iter().map(|shelved| match shelved {
            Shelved::Stored { again, .. } => Shelved::Stored { id: ids.next().unwrap_or_default(), again },
            other => other,
        });
        Ok(numbered.collect())
    }
}

/// Decides what happens to each puzzle, if the shelves `full` cannot be added.
async fn sort<'a>(write: &mut Write, all: &'a [New<'a>], full: BTreeSet<ShelfKey>) -> Result<Sorted<'a>, StoreError> {
    let mut known = AlikeInStock::read(write, all.iter().map(|new| &new.likeness)).await?;
    let mut sorted = Sorted { full, ..Sorted::default() };
    for new in all {
        let shelved = sorted.sort(new, &mut known);
        sorted.shelved.push(shelved);
    }
    Ok(sorted)
}

/// The puzzles to put on shelves, and the puzzles to withdraw for them.
#[derive(Default)]
struct Sorted<'a> {
    /// The result for each puzzle. Those to store have no id yet.
    shelved: Vec<Shelved>,
    new: Vec<&'a New<'a>>,
    replaced: Vec<Replaced>,
    /// The shelves that are missing and cannot be added.
    full: BTreeSet<ShelfKey>,
}

impl<'a> Sorted<'a> {
    fn sort(&mut self, new: &'a New<'_>, known: &mut AlikeInStock) -> Shelved {
        let (places, alike): (Vec<_>, Vec<_>) = known.alike(&new.likeness).into_iter().unzip();
        let Some(replaced) = replaced(&new.origin, alike.iter().copied()) else {
            return Shelved::Repeat(alike.into_iter().cloned().collect());
        };
        if self.full.contains(&new.key) {
            return Shelved::NoShelf(new.key.clone());
        }
        known.forget(&places);
        // All later puzzles like this one repeat it, because those of its job have higher indices.
        known.insert(
            Alike {
                puzzle_id: 0,
                shelf_id: 0,
                origin: new.origin.clone(),
                text: new.made.text.clone(),
                form: new.likeness.form.clone(),
                in_circulation: true,
            },
            new.likeness.repeat_hash.to_vec(),
        );
        self.new.push(new);
        self.replaced.extend(&replaced);
        Shelved::Stored { id: 0, again: replaced.into_iter().map(|old| old.again).collect() }
    }
}

/// Puzzles that are in circulation or barred, by form and by repeat hash.
#[derive(Default)]
struct AlikeInStock {
    /// `None` after the puzzle was replaced.
    all: Vec<Option<Alike>>,
    /// Indices into `all`.
    by_form: HashMap<String, Vec<usize>>,
    by_hash: HashMap<Vec<u8>, Vec<usize>>,
}

impl AlikeInStock {
    /// Reads the puzzles in stock that are alike to any of these. If another write commits such a puzzle after this read,
    /// the insert fails and the whole write is repeated.
    async fn read(write: &mut Write, wanted: impl Iterator<Item = &Likeness>) -> Result<Self, StoreError> {
        let mut known = Self::default();
        let (forms, repeat_hashes): (Vec<_>, Vec<_>) =
            wanted.map(|Likeness { form, repeat_hash }| (form.as_str(), &repeat_hash[..])).unzip();
        if forms.is_empty() {
            return Ok(known);
        }
        let found = sqlx::query(shelve::ALIKE.postgres)
            .bind(forms)
            .bind(repeat_hashes)
            .fetch_all(write.at("commit.find_alike").await?)
            .await?;
        for row in &found {
            known.insert(alike_of(row)?, row.try_get("repeat_hash")?);
        }
        Ok(known)
    }

    fn insert(&mut self, alike: Alike, repeat_hash: Vec<u8>) {
        let place = self.all.len();
        self.by_form.entry(alike.form.clone()).or_default().push(place);
        self.by_hash.entry(repeat_hash).or_default().push(place);
        self.all.push(Some(alike));
    }

    /// Returns the puzzles that are alike, each with its index.
    fn alike(&self, likeness: &Likeness) -> Vec<(usize, &Alike)> {
        let by_form = self.by_form.get(&likeness.form).into_iter().flatten();
        let by_hash = self.by_hash.get(&likeness.repeat_hash[..]).into_iter().flatten();
        let places: BTreeSet<_> = by_form.chain(by_hash).copied().collect();
        places.into_iter().filter_map(|place| Some((place, self.all[place].as_ref()?))).collect()
    }

    /// Removes the puzzles that are replaced.
    fn forget(&mut self, places: &[usize]) {
        for &place in places {
            self.all[place] = None;
        }
    }
}

/// Withdraws puzzles, and returns the shelf of each that had a position.
async fn withdraw(write: &mut Write, replaced: &[Replaced]) -> Result<Vec<i64>, StoreError> {
    if replaced.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = replaced.iter().map(|old| old.puzzle_id).collect();
    let reasons: Vec<_> = replaced.iter().map(|old| superseded_by(old.by_index)).collect();
    let reasons: Vec<_> = reasons.iter().map(String::as_str).collect();
    let withdrawn =
        write.all("commit.withdraw", shelve::WITHDRAW, values![write.now, ids, reasons], rows::placed).await?;
    if withdrawn.len() == replaced.len() {
        let live = withdrawn.into_iter().filter(|placed| placed.position.is_some());
        return Ok(live.map(|placed| placed.shelf_id).collect());
    }
    // An even lower index replaced the puzzle first.
    Err(StoreError::Overtaken { statement: "withdrawing puzzles" })
}

async fn grow_shelves(
    write: &mut Write,
    shelves: &[Shelf],
    new: &[&New<'_>],
    emptied: &[i64],
) -> Result<(), StoreError> {
    let mut added = HashMap::<_, u64>::new();
    for new in new.iter().filter(|new| new.holder.is_none()) {
        *added.entry(&new.key).or_default() += 1;
    }
    let added = |shelf: &Shelf| signed(added.get(&shelf.key).copied().unwrap_or(0));
    let gone = |shelf: &Shelf| signed(emptied.iter().filter(|shelf_id| **shelf_id == shelf.id.0).count() as u64);
    let columns = shelves.iter().map(|shelf| (shelf.id.0, added(shelf), gone(shelf)));
    let (ids, added, gone): (Vec<_>, Vec<_>, Vec<_>) = columns.collect();
    let grown = write.execute("commit.grow_shelves", shelve::GROW_SHELVES, values![ids, added, gone]).await?;
    must_touch("growing shelves", shelves.len() as u64, grown)
}
