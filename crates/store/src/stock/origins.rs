//! The origin of puzzles: reads it, and pages through the puzzles of one job or one import.

use crate::{
    StoreError,
    jobs::slice::Alike,
    sql::{
        database::{Columns, Reading},
        statement::Value,
    },
    stock::puzzle::{ImportOrigin, JobOrigin, Origin, OriginFilter},
};
use puzzled_base::ids::JobId;

/// Reads the columns of `puzzles` that say which job made the puzzle, or which import brought it.
pub(crate) fn origin(row: &Reading<'_, impl Columns>) -> Result<Origin, StoreError> {
    match (row.get::<Option<i64>>("job_id")?, row.get::<Option<String>>("import_id")?) {
        (Some(job_id), None) => Ok(Origin::Job(JobOrigin {
            seed: row.seed()?,
            job_id: JobId(job_id),
            index: row.number("job_index")?,
            try_number: row.number("job_try")?,
        })),
        (None, Some(import_id)) => Ok(Origin::Import(ImportOrigin {
            import_id,
            line: row.number("import_line")?,
            note: row.get("import_note")?,
        })),
        _ => Err(row.corrupt("job_id")),
    }
}

/// Reads a row of `puzzles` as one that is alike to a new puzzle.
pub(crate) fn alike(row: &impl Columns) -> Result<Alike, StoreError> {
    let row = Reading::new(row, "puzzles")?;
    Ok(Alike {
        puzzle_id: row.id(),
        shelf_id: row.get("shelf_id")?,
        origin: origin(&row)?,
        text: row.get("text")?,
        form: row.get("canonical")?,
        in_circulation: row.get("in_circulation")?,
    })
}

/// The value by which statements find puzzles of a job or an import.
pub(crate) fn origin_value(origin: &OriginFilter) -> Value<'_> {
    match origin {
        OriginFilter::Job(job) => job.0.into(),
        OriginFilter::Import(import_id) => import_id.into(),
    }
}
