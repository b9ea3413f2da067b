//! Reads and writes the rows of series: a row of the series itself, and one for each change of its terms.

use jiff::civil::Date;
use serde_json::json;

use crate::{
    StoreError,
    error::must_touch,
    series::{
        daily_series::{Series, SeriesId, SeriesWish, Terms, Zone, stored_puzzles},
        day_criteria,
    },
    sql::{
        database::{Columns, Reading, Write},
        statement::values,
        statements::series,
    },
};

/// Reads a series and locks it until the write ends, so that no day is drawn by old terms meanwhile.
pub(super) async fn locked_series<W: Write>(
    write: &mut W,
    point: &'static str,
    name: &str,
) -> Result<Option<Series>, StoreError> {
    write.lock_rows(point, series::LOCK, values![name]).await?;
    series_of(write, point, name).await
}

pub(super) async fn series_of<W: Write>(
    write: &mut W,
    point: &'static str,
    name: &str,
) -> Result<Option<Series>, StoreError> {
    Ok(folded(write.all(point, series::BY_NAME, values![name], row).await?).pop())
}

/// The last day that has or had a puzzle.
pub(super) async fn last_date<W: Write>(write: &mut W, id: SeriesId) -> Result<Option<Date>, StoreError> {
    let read = |row: &W::Row| Reading::new(row, "days")?.optional_word("date");
    write.one("series.last_date", series::LAST_DATE, values![id.0], read).await
}

pub(super) async fn insert_series<W: Write>(
    write: &mut W,
    wish: &SeriesWish,
    first: Date,
    declared_by: Option<&str>,
) -> Result<Series, StoreError> {
    let now = write.now();
    let (kind, variant) = stored_puzzles(&wish.days);
    let inserted =
        write.execute("series.insert", series::INSERT, values![&wish.name, kind, variant, declared_by, now]).await?;
    must_touch("inserting a series", 1, inserted)?;
    insert_terms(write, &wish.name, &wish.terms(first), (kind, variant)).await?;
    reread(write, &wish.name).await
}

/// Replaces the terms of a series from the effective date of the new terms on. If the series has ended, it continues.
pub(super) async fn put_series<W: Write>(
    write: &mut W,
    series: &Series,
    terms: Option<&Terms>,
    declared_by: Option<&str>,
) -> Result<Series, StoreError> {
    let mut changed = series.clone();
    if let Some(terms) = terms {
        changed.terms.retain(|known| known.effective_date < terms.effective_date);
        changed.terms.push(terms.clone());
    }
    let (kind, variant) = &changed.settled(write.now());
    if let Some(terms) = terms {
        let from = terms.effective_date.to_string();
        write.execute("series.delete_terms", series::DELETE_TERMS, values![series.id.0, &from]).await?;
        state_puzzles(write, series, (kind, variant)).await?;
        insert_terms(write, &series.name, terms, (kind, variant)).await?;
    }
    let values = values![kind, variant, declared_by, write.now(), series.id.0];
    let updated = write.execute("series.update", series::UPDATE, values).await?;
    must_touch("updating a series", 1, updated)?;
    reread(write, &series.name).await
}

/// If a series gets another kind or variant, writes the old ones into the terms that state none, because past days keep them.
/// Returns whether the series gets another one.
pub(super) async fn state_puzzles<W: Write>(
    write: &mut W,
    series: &Series,
    to: (&str, &str),
) -> Result<bool, StoreError> {
    let changes = (series.kind.as_str(), series.variant.as_str()) != to;
    if let Some((kind, variant)) = series.puzzles().filter(|_| changes) {
        let puzzles = json!([[kind, variant]]).to_string();
        write.execute("series.state_puzzles", series::STATE_PUZZLES, values![&puzzles, series.id.0]).await?;
    }
    Ok(changes)
}

/// Adds terms to a series of this kind and variant.
async fn insert_terms<W: Write>(
    write: &mut W,
    name: &str,
    terms: &Terms,
    of_series: (&str, &str),
) -> Result<(), StoreError> {
    let (from, criteria) = (terms.effective_date.to_string(), day_criteria::as_json(&terms.days));
    let puzzles = day_criteria::puzzles_as_json(&terms.days, of_series);
    let values = values![name, &from, terms.zone.name(), &criteria, puzzles.as_ref()];
    let inserted = write.execute("series.insert_terms", series::INSERT_TERMS, values).await?;
    must_touch("inserting the terms of a series", 1, inserted)
}

pub(super) async fn end<W: Write>(write: &mut W, series: &Series) -> Result<Series, StoreError> {
    let ended = write.execute("series.end", series::END, values![write.now(), series.id.0]).await?;
    must_touch("ending a series", 1, ended)?;
    reread(write, &series.name).await
}

async fn reread<W: Write>(write: &mut W, name: &str) -> Result<Series, StoreError> {
    let series = series_of(write, "series.reread", name).await?;
    series.ok_or(StoreError::RowCount { statement: "reading a series", wanted: 1, found: 0 })
}

/// Reads a series from a row, with the terms of this row only.
pub(crate) fn row(row: &impl Columns) -> Result<Series, StoreError> {
    let row = Reading::new(row, "series")?;
    let zone = Zone::named(row.get("time_zone")?).ok_or_else(|| row.corrupt("time_zone"))?;
    let (kind, variant): (String, String) = (row.get("kind")?, row.get("variant")?);
    let puzzles: Option<String> = row.get("puzzles")?;
    let days = day_criteria::from_json(row.get("criteria")?, puzzles.as_deref(), (&kind, &variant));
    let days = days.ok_or_else(|| row.corrupt("criteria"))?;
    let effective_date = row.word("effective_date")?;
    Ok(Series {
        id: SeriesId(row.id()),
        name: row.get("name")?,
        kind,
        variant,
        terms: vec![Terms { effective_date, zone, days }],
        declared_by: row.get("declared_by")?,
        ended_at: row.optional_instant("ended_at")?,
        created_at: row.instant("created_at")?,
        updated_at: row.instant("updated_at")?,
    })
}

/// Joins the rows of each series, which are next to each other in the order of their terms.
pub(crate) fn folded(rows: Vec<Series>) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        match all.last_mut() {
            Some(series) if series.id == row.id => series.terms.extend(row.terms),
            _ => all.push(row),
        }
    }
    all
}
