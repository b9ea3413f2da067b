//! Inserts the new puzzles of a commit on PostgreSQL, in one statement, at the next positions of locked shelves.

use std::collections::HashMap;

use super::{Write, must_touch, shelve::New};
use crate::store::{StoreError, job::MadeAt, puzzle::Shelf, record::RecordColumn};
use puzzled_engine::ENGINE_VERSION;

pub(super) async fn insert_puzzles(write: &mut Write, shelves: &[Shelf], new: &[New<'_>]) -> Result<(), StoreError> {
    let mut free: HashMap<_, _> = shelves.iter().map(|shelf| (&shelf.key, (shelf.id.0, shelf.positions))).collect();
    let mut rows = Rows::default();
    for new in new {
        let place = free.get_mut(&new.key).ok_or(StoreError::Overtaken { statement: "locking shelves" })?;
        rows.push(new, *place);
        place.1 += 1;
    }
    let now = write.now;
    // Ids are in the order of the indices, so that pages list puzzles in this order. Rows are inserted in the order of their
    // solutions, so that two commits with the same solutions cannot deadlock. Forms need no order, because isomorphs of one
    // variant have the same solution. Isomorphs of two variants have different solutions, so two commits can deadlock on them.
    // After a second, the server then ends one of the two transactions, and the store repeats it.
    let inserted = sqlx::query(
        "with made as materialized (
             select nextval('puzzles_id_seq') as id, made.*
             from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[],
                         $8::bigint[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
                         $14::boolean[], $15::bytea[])
                  with ordinality as made (shelf_id, position, text, solution, canonical, givens, rater, rater_version,
                                           record, seed, job_id, job_index, job_try, is_surplus, grid, rank)
             order by rank)
         insert into puzzles (id, shelf_id, position, text, solution, canonical, givens, rater, rater_version, record,
                              seed, job_id, job_index, job_try, is_surplus, grid, engine_version, created_at)
         select id, shelf_id, position, text, solution, canonical, givens, rater, rater_version, record::json,
                seed, job_id, job_index, job_try, is_surplus, grid, $16, $17
         from made
         order by grid",
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
    .bind(rows.grid)
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
    grid: Vec<Vec<u8>>,
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
        self.grid.push(new.likeness.grid.to_vec());
    }
}
