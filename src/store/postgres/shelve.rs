//! Putting a slice's puzzles on their shelves, except those that the stock has already.
//!
//! All of them at once, other than on SQLite: each statement is a round trip here, and shelves have to be locked in one
//! order. Row by row, committers of the same shelves would wait for each other in circles.

use std::collections::{BTreeMap, HashMap};

use super::{Write, must_touch, rows};
use crate::{
    engine::ENGINE_VERSION,
    store::{
        StoreError,
        job::{Job, MadeAt},
        puzzle::Shelf,
        record::RecordColumn,
        rows::Origin,
        verdict::{Again, Verdict, signed, superseded_by, verdict},
    },
};

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct ShelvedAll {
    /// The indices that are left without a puzzle, by a repeat or by being taken over.
    pub(super) again: Vec<Again>,
}

/// A puzzle that goes on its shelf.
struct New<'a> {
    made: &'a MadeAt,
    canonical: String,
}

/// A puzzle that a lower index of its job has made too.
struct Superseded {
    puzzle_id: i64,
    shelf_id: i64,
    by_index: u32,
}

pub(super) async fn shelve(write: &mut Write<'_>, job: &Job, made: &[MadeAt]) -> Result<ShelvedAll, StoreError> {
    let mut all = ShelvedAll::default();
    if made.is_empty() {
        return Ok(all);
    }
    let forms: Vec<_> =
        made.iter().map(|made| format!("{}/{}/{}", job.spec.kind, job.spec.variant, made.made.canonical)).collect();
    let mut known = isomorphs(write, &forms).await?;
    let (mut new, mut superseded) = (Vec::new(), Vec::new());
    for (made, canonical) in made.iter().zip(forms) {
        let isomorph = known.get(&canonical);
        match (verdict(isomorph.map(|(origin, _)| origin), job.id, made.index), isomorph) {
            (Verdict::Repeat, _) => {
                all.again.push(Again { index: made.index, attempt: made.attempt + 1 });
                continue;
            }
            (Verdict::Supersedes, Some((origin, shelf_id))) => {
                all.again.push(Again { index: origin.index, attempt: origin.attempt + 1 });
                superseded.push(Superseded { puzzle_id: origin.puzzle_id, shelf_id: *shelf_id, by_index: made.index });
            }
            _ => {}
        }
        // Further ones in this slice are repeats of it.
        let origin = Origin { puzzle_id: 0, job_id: job.id, index: made.index, attempt: made.attempt };
        known.insert(canonical.clone(), (origin, 0));
        new.push(New { made, canonical });
    }
    if !new.is_empty() {
        add_shelves(write, job, &new).await?;
        let shelves = lock_shelves(write, job, &new, &superseded).await?;
        withdraw(write, &superseded).await?;
        grow_shelves(write, &shelves, &new, &superseded).await?;
        insert_puzzles(write, job, &shelves, &new).await?;
    }
    Ok(all)
}

/// Where the puzzles in circulation with these canonical forms come from, and their shelves. One that is committed after
/// this was read makes the insert fail, and then all of it is repeated.
async fn isomorphs(write: &mut Write<'_>, forms: &[String]) -> Result<HashMap<String, (Origin, i64)>, StoreError> {
    let found = sqlx::query(
        "select id, job_id, job_index, job_try, shelf_id, canonical
         from puzzles
         where md5(canonical)::uuid = any(select md5(form)::uuid from unnest($1::text[]) as form)
           and canonical = any($1)
           and withdrawn_at is null",
    )
    .bind(forms)
    .fetch_all(write.at("commit.find_isomorphs").await?)
    .await?;
    found.iter().map(rows::isomorph).collect()
}

/// Adds the shelves that are missing. Before any is locked, and by rating: whoever adds the same ones is waited for.
async fn add_shelves(write: &mut Write<'_>, job: &Job, new: &[New<'_>]) -> Result<(), StoreError> {
    sqlx::query(
        "insert into shelves (kind, variant, symmetry, rating)
         select distinct $1, $2, $3, rating
         from unnest($4::smallint[]) as rating
         where not exists (select from shelves
                           where kind = $1 and variant = $2 and symmetry = $3 and shelves.rating = rating.rating)
         order by rating
         on conflict do nothing",
    )
    .bind(&job.spec.kind)
    .bind(&job.spec.variant)
    .bind(job.spec.symmetry.name())
    .bind(ratings(new))
    .execute(write.at("commit.add_shelves").await?)
    .await?;
    Ok(())
}

fn ratings(new: &[New<'_>]) -> Vec<i16> {
    let mut ratings: Vec<_> = new.iter().map(|new| i16::from(new.made.made.record.rating.0)).collect();
    ratings.sort_unstable();
    ratings.dedup();
    ratings
}

/// Locks the shelves of all that comes and goes, by id, in a statement of its own: one that also changed them would go by
/// what it saw before it waited.
async fn lock_shelves(
    write: &mut Write<'_>,
    job: &Job,
    new: &[New<'_>],
    superseded: &[Superseded],
) -> Result<Vec<Shelf>, StoreError> {
    let found = sqlx::query(
        "select * from shelves
         where kind = $1 and variant = $2 and symmetry = $3 and rating = any($4) or id = any($5)
         order by id
         for no key update",
    )
    .bind(&job.spec.kind)
    .bind(&job.spec.variant)
    .bind(job.spec.symmetry.name())
    .bind(ratings(new))
    .bind(superseded.iter().map(|old| old.shelf_id).collect::<Vec<_>>())
    .fetch_all(write.at("commit.lock_shelves").await?)
    .await?;
    found.iter().map(rows::shelf).collect()
}

async fn withdraw(write: &mut Write<'_>, superseded: &[Superseded]) -> Result<(), StoreError> {
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
    write: &mut Write<'_>,
    shelves: &[Shelf],
    new: &[New<'_>],
    superseded: &[Superseded],
) -> Result<(), StoreError> {
    let added = |shelf: &Shelf| new.iter().filter(|new| is_on(shelf, new)).count() as u64;
    let gone = |shelf: &Shelf| superseded.iter().filter(|old| old.shelf_id == shelf.id.0).count() as u64;
    let grown = sqlx::query(
        "update shelves
         set positions = positions + grown.added, withdrawn = shelves.withdrawn + grown.withdrawn
         from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as grown (id, added, withdrawn)
         where shelves.id = grown.id",
    )
    .bind(shelves.iter().map(|shelf| shelf.id.0).collect::<Vec<_>>())
    .bind(shelves.iter().map(|shelf| signed(added(shelf))).collect::<Vec<_>>())
    .bind(shelves.iter().map(|shelf| signed(gone(shelf))).collect::<Vec<_>>())
    .execute(write.at("commit.grow_shelves").await?)
    .await?;
    must_touch("growing shelves", shelves.len() as u64, grown.rows_affected())
}

/// All that goes on shelves at once is of one job, so that the rating alone tells where.
fn is_on(shelf: &Shelf, new: &New<'_>) -> bool {
    new.made.made.record.rating == shelf.key.rating
}

async fn insert_puzzles(
    write: &mut Write<'_>,
    job: &Job,
    shelves: &[Shelf],
    new: &[New<'_>],
) -> Result<(), StoreError> {
    let mut free: BTreeMap<_, _> =
        shelves.iter().map(|shelf| (shelf.key.rating, (shelf.id.0, shelf.positions))).collect();
    let mut rows = Columns::default();
    for new in new {
        let rating = new.made.made.record.rating;
        let Some((shelf_id, position)) = free.get_mut(&rating) else {
            return Err(StoreError::Overtaken { statement: "locking shelves" });
        };
        rows.push(new, *shelf_id, *position);
        *position += 1;
    }
    let now = write.now;
    // Ids in the order of the indices, so that pages show them so; rows in the order of their forms, so that two commits
    // with the same forms wait for each other in one direction.
    let inserted = sqlx::query(
        "with made as materialized (
             select nextval('puzzles_id_seq') as id, made.*
             from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[],
                         $8::bigint[], $9::text[], $10::bigint[], $11::bigint[])
                  with ordinality as made (shelf_id, position, text, solution, canonical, givens, rater, rater_version,
                                           record, job_index, job_try, rank)
             order by rank)
         insert into puzzles (id, shelf_id, position, text, solution, canonical, givens, rater, rater_version, record,
                              job_index, job_try, seed, job_id, engine_version, created_at)
         select id, shelf_id, position, text, solution, canonical, givens, rater, rater_version, record::json,
                job_index, job_try, $12, $13, $14, $15
         from made
         order by canonical collate \"C\"",
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
    .bind(rows.job_index)
    .bind(rows.job_try)
    .bind(i64::from_le_bytes(job.seed.to_le_bytes()))
    .bind(job.id.0)
    .bind(i64::from(ENGINE_VERSION))
    .bind(now.0)
    .execute(write.at("commit.insert_puzzles").await?)
    .await?;
    must_touch("inserting puzzles", new.len() as u64, inserted.rows_affected())
}

/// Rows to be inserted, column by column.
#[derive(Default)]
struct Columns<'a> {
    shelf_id: Vec<i64>,
    position: Vec<i64>,
    text: Vec<&'a str>,
    solution: Vec<&'a str>,
    canonical: Vec<&'a str>,
    givens: Vec<i32>,
    rater: Vec<&'a str>,
    rater_version: Vec<i64>,
    record: Vec<String>,
    job_index: Vec<i64>,
    job_try: Vec<i64>,
}

impl<'a> Columns<'a> {
    fn push(&mut self, new: &'a New<'_>, shelf_id: i64, position: i64) {
        let MadeAt { index, attempt, made } = new.made;
        self.shelf_id.push(shelf_id);
        self.position.push(position);
        self.text.push(&made.text);
        self.solution.push(&made.solution);
        self.canonical.push(&new.canonical);
        self.givens.push(i32::from(made.givens));
        self.rater.push(made.record.rater);
        self.rater_version.push(i64::from(made.record.rater_version));
        self.record.push(RecordColumn::of(&made.record).to_json());
        self.job_index.push(i64::from(*index));
        self.job_try.push(i64::from(*attempt));
    }
}
