//! Puts the new puzzles of a commit on their shelves on PostgreSQL: adds the shelves that they lack, up to the limit, locks
//! their shelves, and inserts them at the next positions.

use std::collections::{BTreeSet, HashMap};

use crate::{
    StoreError,
    error::must_touch,
    postgres::Write,
    sql::{
        database::{Lock, Write as _, id, number},
        record::RecordColumn,
        rows,
        statement::Value,
        statements::shelve,
    },
    stock::{
        puzzle::{Shelf, ShelfKey},
        shelving::New,
    },
};
use puzzled_engine::ENGINE_VERSION;

/// Returns the key of each new puzzle once.
fn keys<'a>(new: &[&'a New<'_>]) -> Vec<&'a ShelfKey> {
    new.iter().map(|new| &new.key).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The columns of keys: kind, variant, symmetry, rating, technique, and givens, which identify a shelf.
fn columns<'a>(keys: &[&'a ShelfKey]) -> [Value<'a>; 6] {
    [
        keys.iter().map(|key| key.kind.as_str()).collect::<Vec<_>>().into(),
        keys.iter().map(|key| key.variant.as_str()).collect::<Vec<_>>().into(),
        keys.iter().map(|key| key.symmetry.name()).collect::<Vec<_>>().into(),
        keys.iter().map(|key| i64::from(key.rating.0)).collect::<Vec<_>>().into(),
        keys.iter().map(|key| key.technique.as_str()).collect::<Vec<_>>().into(),
        keys.iter().map(|key| i64::from(key.givens)).collect::<Vec<_>>().into(),
    ]
}

/// Adds the missing shelves, up to the limit on shelves, and returns the keys of those that exceed it. Must be called
/// before any shelf is locked.
pub(super) async fn add_shelves(write: &mut Write, new: &[&New<'_>]) -> Result<Vec<ShelfKey>, StoreError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let keys = keys(new);
    if missing(write, &keys).await?.is_empty() {
        return Ok(Vec::new());
    }
    // With this lock, the statements below see all shelves that earlier holders of the lock have added, and no other
    // write adds shelves meanwhile.
    write.lock("commit.lock_new_shelves", Lock::Shelves).await?;
    let mut added = missing(write, &keys).await?;
    let shelves = write.one("commit.count_shelves", shelve::COUNT_SHELVES, &[], number).await?;
    let room = u64::from(write.shelves_max).saturating_sub(shelves);
    let without_room = added.split_off(added.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
    if !added.is_empty() {
        let [kind, variant, symmetry, rating, technique, givens] = columns(&added);
        let base = added.iter().map(|key| key.base.as_str()).collect::<Vec<_>>().into();
        let values = [kind, variant, symmetry, rating, technique, givens, base];
        write.execute("commit.add_shelves", shelve::ADD_SHELVES, &values).await?;
    }
    Ok(without_room.into_iter().cloned().collect())
}

/// Returns the keys without a shelf, in their order.
async fn missing<'a>(write: &mut Write, keys: &[&'a ShelfKey]) -> Result<Vec<&'a ShelfKey>, StoreError> {
    let found = write.all("commit.find_shelves", shelve::MISSING_SHELVES, &columns(keys), number).await?;
    Ok(found.into_iter().map(|at| keys[usize::try_from(at).expect("an index fits")]).collect())
}

/// Locks the shelves of new puzzles and the shelves `others`, by id. This is a separate statement, because a statement
/// that also changed the shelves would use values from before its wait for the locks.
pub(super) async fn lock_shelves(
    write: &mut Write,
    new: &[&New<'_>],
    others: Vec<i64>,
) -> Result<Vec<Shelf>, StoreError> {
    let [kind, variant, symmetry, rating, technique, givens] = columns(&keys(new));
    let values = [kind, variant, symmetry, rating, technique, givens, others.into()];
    write.all("commit.lock_shelves", shelve::LOCK_SHELVES, &values, rows::shelf).await
}

/// Inserts new puzzles, all in one statement, at the next positions of locked shelves. Returns their ids, in the order of the
/// puzzles.
pub(super) async fn insert_puzzles(
    write: &mut Write,
    shelves: &[Shelf],
    new: &[&New<'_>],
) -> Result<Vec<i64>, StoreError> {
    let mut free: HashMap<_, _> = shelves.iter().map(|shelf| (&shelf.key, (shelf.id.0, shelf.positions))).collect();
    let mut rows = Rows::default();
    for new in new {
        let (shelf_id, next) = free.get_mut(&new.key).ok_or(StoreError::Overtaken { statement: "locking shelves" })?;
        let position = new.holder.is_none().then_some(*next);
        rows.push(new, *shelf_id, position);
        *next += i64::from(position.is_some());
    }
    let now = write.now;
    let inserted = sqlx::query(shelve::INSERT_PUZZLES)
        .bind(rows.shelf_id)
        .bind(rows.position)
        .bind(rows.text)
        .bind(rows.solution)
        .bind(rows.canonical)
        .bind(rows.givens)
        .bind(rows.technique)
        .bind(rows.predicted_seconds)
        .bind(rows.rater)
        .bind(rows.rater_version)
        .bind(rows.record)
        .bind(rows.seed)
        .bind(rows.job_id)
        .bind(rows.job_index)
        .bind(rows.job_try)
        .bind(rows.repeat_hash)
        .bind(rows.import_id)
        .bind(rows.import_line)
        .bind(rows.import_note)
        .bind(rows.holder)
        .bind(i64::from(ENGINE_VERSION))
        .bind(now.0)
        .fetch_all(write.at("commit.insert_puzzles").await?)
        .await?;
    must_touch("inserting puzzles", new.len() as u64, inserted.len() as u64)?;
    let mut ids = inserted.iter().map(id).collect::<Result<Vec<_>, _>>()?;
    ids.sort_unstable();
    Ok(ids)
}

/// Rows to insert, column by column.
#[derive(Default)]
struct Rows<'a> {
    shelf_id: Vec<i64>,
    position: Vec<Option<i64>>,
    text: Vec<&'a str>,
    solution: Vec<&'a str>,
    canonical: Vec<&'a str>,
    givens: Vec<i32>,
    technique: Vec<&'a str>,
    predicted_seconds: Vec<Option<i64>>,
    rater: Vec<&'a str>,
    rater_version: Vec<i64>,
    record: Vec<String>,
    seed: Vec<Option<i64>>,
    job_id: Vec<Option<i64>>,
    job_index: Vec<Option<i64>>,
    job_try: Vec<Option<i64>>,
    repeat_hash: Vec<Vec<u8>>,
    import_id: Vec<Option<&'a str>>,
    import_line: Vec<Option<i64>>,
    import_note: Vec<Option<&'a str>>,
    holder: Vec<Option<&'a str>>,
}

impl<'a> Rows<'a> {
    fn push(&mut self, new: &'a New<'_>, shelf_id: i64, position: Option<i64>) {
        let made = new.made;
        let (job, import) = (new.origin.job(), new.origin.import());
        self.shelf_id.push(shelf_id);
        self.position.push(position);
        self.text.push(&made.text);
        self.solution.push(&made.solution);
        self.canonical.push(&new.likeness.form);
        self.givens.push(i32::from(made.givens));
        self.technique.push(made.record.technique);
        self.predicted_seconds.push(made.record.predicted_seconds.map(i64::from));
        self.rater.push(made.record.rater);
        self.rater_version.push(i64::from(made.record.rater_version));
        self.record.push(RecordColumn::of(&made.record).to_json());
        self.seed.push(job.map(|job| job.seed.cast_signed()));
        self.job_id.push(job.map(|job| job.job_id.0));
        self.job_index.push(job.map(|job| job.index.into()));
        self.job_try.push(job.map(|job| job.try_number.into()));
        self.repeat_hash.push(new.likeness.repeat_hash.to_vec());
        self.import_id.push(import.map(|import| import.import_id.as_str()));
        self.import_line.push(import.map(|import| import.line.into()));
        self.import_note.push(import.map(|import| import.note.as_str()));
        self.holder.push(new.holder.as_deref());
    }
}
