//! Creates, updates, ends, and lists daily series, and declares those of a configuration. `day_store.rs` gives their days a puzzle.

use async_trait::async_trait;
use jiff::civil::Date;
use serde_json::json;

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    error::must_touch,
    series::{
        daily_series::{SERIES_MAX, Series, SeriesId, SeriesWish, Terms, Zone},
        day_criteria,
        update::{SeriesChange, SeriesCreated, SeriesRefusal, SeriesUpdated, declared},
    },
    sql::{
        database::{Columns, Database, Lock, Reading, Write, number},
        statement::values,
        statements::series,
    },
    targets::declaration::{Act, Clash, Declaration, Declared, Step},
};

/// Daily series.
#[async_trait]
pub trait SeriesStore {
    /// Creates a series whose first day is `first`, or the current day of its zone. Refuses an earlier day, a name that is
    /// in use, and more than [`SERIES_MAX`] series.
    async fn create_series(
        &self,
        wish: &SeriesWish,
        first: Option<Date>,
        by: &Actor,
    ) -> Result<SeriesCreated, StoreError>;

    /// Changes a series that no configuration declares, and lets it continue if it has ended. Writes nothing if nothing
    /// changes.
    async fn update_series(&self, name: &str, change: &SeriesChange, by: &Actor) -> Result<SeriesUpdated, StoreError>;

    /// Ends a series and returns it. It keeps its name and its days, and no configuration declares it any more. `None` if
    /// there is no such series. A series that has ended does not change.
    async fn end_series(&self, name: &str, by: &Actor) -> Result<Option<Series>, StoreError>;

    /// Returns all series, by name.
    async fn all_series(&self) -> Result<Vec<Series>, StoreError>;

    /// Returns the series with a name.
    async fn series(&self, name: &str) -> Result<Option<Series>, StoreError>;

    /// Changes the series of a configuration to match its declaration, and returns the series that changed. Processes
    /// declare one after the other, so each sees the changes of the previous one.
    async fn declare_series(
        &self,
        declaration: &Declaration<SeriesWish>,
        by: &Actor,
    ) -> Result<Result<Vec<Declared<Series>>, Clash>, StoreError>;
}

#[async_trait]
impl<D: Database> SeriesStore for D {
    async fn create_series(
        &self,
        wish: &SeriesWish,
        first: Option<Date>,
        by: &Actor,
    ) -> Result<SeriesCreated, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("create_series.begin").await?;
            write.lock("create_series.lock", Lock::Targets).await?;
            if series_of(&mut write, "create_series.find", &wish.name).await?.is_some() {
                return write.roll_back(SeriesCreated::Exists).await;
            }
            let series = write.one("create_series.count", series::COUNT, &[], number).await?;
            if series >= u64::from(SERIES_MAX) {
                let series = u32::try_from(series).unwrap_or(u32::MAX);
                return write.roll_back(SeriesCreated::TooMany { series }).await;
            }
            let earliest = wish.current_date(write.now());
            let first = first.unwrap_or(earliest);
            if first < earliest {
                return write.roll_back(SeriesCreated::TooEarly { earliest }).await;
            }
            let created = insert_series(&mut write, wish, first, None).await?;
            audit_store::insert(&mut write, "create_series.audit", &[entry(by, None, &created)]).await?;
            write.commit("create_series.commit", "create_series.committed").await?;
            Ok(SeriesCreated::Created(created))
        })
        .await
    }

    async fn update_series(&self, name: &str, change: &SeriesChange, by: &Actor) -> Result<SeriesUpdated, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("update_series.begin").await?;
            write.lock("update_series.lock", Lock::Targets).await?;
            let Some(series) = locked_series(&mut write, "update_series.find", name).await? else {
                return write.roll_back(SeriesUpdated::NoSeries).await;
            };
            let last = last_date(&mut write, series.id).await?;
            let terms = match change.applied(&series, last, write.now()) {
                Err(refusal @ (SeriesRefusal::Declared(_) | SeriesRefusal::TooEarly { .. })) => {
                    return write.roll_back(SeriesUpdated::Refused(refusal)).await;
                }
                Ok(None) if series.ended_at.is_none() => return write.roll_back(SeriesUpdated::Updated(series)).await,
                Ok(terms) => terms,
            };
            let updated = put_series(&mut write, &series, terms.as_ref(), None).await?;
            audit_store::insert(&mut write, "update_series.audit", &[entry(by, Some(&series), &updated)]).await?;
            write.commit("update_series.commit", "update_series.committed").await?;
            Ok(SeriesUpdated::Updated(updated))
        })
        .await
    }

    async fn end_series(&self, name: &str, by: &Actor) -> Result<Option<Series>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("end_series.begin").await?;
            write.lock("end_series.lock", Lock::Targets).await?;
            let Some(series) = locked_series(&mut write, "end_series.find", name).await? else {
                return write.roll_back(None).await;
            };
            if series.ended_at.is_some() {
                return write.roll_back(Some(series)).await;
            }
            let ended = end(&mut write, &series).await?;
            audit_store::insert(&mut write, "end_series.audit", &[entry(by, Some(&series), &ended)]).await?;
            write.commit("end_series.commit", "end_series.committed").await?;
            Ok(Some(ended))
        })
        .await
    }

    async fn all_series(&self) -> Result<Vec<Series>, StoreError> {
        let mut all = folded(self.all(series::ALL, &[], row).await?);
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    async fn series(&self, name: &str) -> Result<Option<Series>, StoreError> {
        Ok(folded(self.all(series::BY_NAME, values![name], row).await?).pop())
    }

    async fn declare_series(
        &self,
        declaration: &Declaration<SeriesWish>,
        by: &Actor,
    ) -> Result<Result<Vec<Declared<Series>>, Clash>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("declare_series.begin").await?;
            write.lock("declare_series.lock", Lock::Targets).await?;
            // With this lock, a concurrent draw of a day uses the terms either before or after this write.
            write.lock_rows("declare_series.lock_rows", series::LOCK_ALL, &[]).await?;
            let known = folded(write.all("declare_series.read", series::ALL, &[], row).await?);
            let steps = match declaration.steps(&known, SERIES_MAX) {
                Err(clash) => return write.roll_back(Err(clash)).await,
                Ok(steps) if steps.is_empty() => return write.roll_back(Ok(Vec::new())).await,
                Ok(steps) => steps,
            };
            let mut declared = Vec::with_capacity(steps.len());
            for step in steps {
                declared.push(take_step(&mut write, step, declaration.name()).await?);
            }
            let entries: Vec<_> = declared.iter().map(|declared| declared_entry(by, declared, &known)).collect();
            audit_store::insert(&mut write, "declare_series.audit", &entries).await?;
            write.commit("declare_series.commit", "declare_series.committed").await?;
            Ok(Ok(declared))
        })
        .await
    }
}

async fn take_step<W: Write>(
    write: &mut W,
    step: Step<'_, SeriesWish>,
    name: &str,
) -> Result<Declared<Series>, StoreError> {
    let (act, of) = match step {
        Step::Add(wish) => {
            let first = wish.current_date(write.now());
            (Act::Added, insert_series(write, wish, first, Some(name)).await?)
        }
        Step::Put(act, series, wish) => {
            let last = last_date(write, series.id).await?;
            let terms = declared(wish, series, last, write.now());
            (act, put_series(write, series, terms.as_ref(), Some(name)).await?)
        }
        Step::Remove(series) => (Act::Removed, end(write, series).await?),
    };
    Ok(Declared { act, of })
}

/// The audit entry of a change to a series.
fn entry<'a>(by: &'a Actor, before: Option<&Series>, after: &Series) -> NewEntry<'a> {
    let described = |series: &Series| {
        let terms = series.terms.last().map(|terms| {
            let criteria = day_criteria::as_json(&terms.days);
            json!({
                "effective_date": terms.effective_date.to_string(),
                "time_zone": terms.zone.name(),
                "criteria": serde_json::from_str::<serde_json::Value>(&criteria).unwrap_or_default(),
            })
        });
        let puzzles = format!("{} {}", series.kind, series.variant);
        json!({
            "puzzles": puzzles,
            "terms": terms,
            "has_ended": series.ended_at.is_some(),
            "declared_by": series.declared_by,
        })
    };
    NewEntry::of(by, vec![after.name.clone()], json!({ "before": before.map(described), "after": described(after) }))
}

/// The audit entry of a declared change. Its method is that of the call that makes the same change.
fn declared_entry<'a>(by: &'a Actor, Declared { act, of }: &Declared<Series>, known: &[Series]) -> NewEntry<'a> {
    let method = match act {
        Act::Added => "CreateDailySeries",
        Act::Changed | Act::Declared | Act::Kept => "UpdateDailySeries",
        Act::Removed => "EndDailySeries",
    };
    NewEntry { method, ..entry(by, known.iter().find(|known| known.id == of.id), of) }
}

/// Reads a series and locks it until the write ends, so that no day is drawn by old terms meanwhile.
async fn locked_series<W: Write>(write: &mut W, point: &'static str, name: &str) -> Result<Option<Series>, StoreError> {
    write.lock_rows(point, series::LOCK, values![name]).await?;
    series_of(write, point, name).await
}

async fn series_of<W: Write>(write: &mut W, point: &'static str, name: &str) -> Result<Option<Series>, StoreError> {
    Ok(folded(write.all(point, series::BY_NAME, values![name], row).await?).pop())
}

/// The last day that has or had a puzzle.
async fn last_date<W: Write>(write: &mut W, id: SeriesId) -> Result<Option<Date>, StoreError> {
    let read = |row: &W::Row| Reading::new(row, "days")?.optional_word("date");
    write.one("series.last_date", series::LAST_DATE, values![id.0], read).await
}

async fn insert_series<W: Write>(
    write: &mut W,
    wish: &SeriesWish,
    first: Date,
    declared_by: Option<&str>,
) -> Result<Series, StoreError> {
    let now = write.now();
    let values = values![&wish.name, &wish.kind, &wish.variant, declared_by, now];
    let inserted = write.execute("series.insert", series::INSERT, values).await?;
    must_touch("inserting a series", 1, inserted)?;
    insert_terms(write, &wish.name, &wish.terms(first)).await?;
    reread(write, &wish.name).await
}

/// Replaces the terms of a series from the effective date of the new terms on. If the series has ended, it continues.
async fn put_series<W: Write>(
    write: &mut W,
    series: &Series,
    terms: Option<&Terms>,
    declared_by: Option<&str>,
) -> Result<Series, StoreError> {
    if let Some(terms) = terms {
        let from = terms.effective_date.to_string();
        write.execute("series.delete_terms", series::DELETE_TERMS, values![series.id.0, &from]).await?;
        insert_terms(write, &series.name, terms).await?;
    }
    let updated =
        write.execute("series.update", series::UPDATE, values![declared_by, write.now(), series.id.0]).await?;
    must_touch("updating a series", 1, updated)?;
    reread(write, &series.name).await
}

async fn insert_terms<W: Write>(write: &mut W, name: &str, terms: &Terms) -> Result<(), StoreError> {
    let (from, criteria) = (terms.effective_date.to_string(), day_criteria::as_json(&terms.days));
    let values = values![name, &from, terms.zone.name(), &criteria];
    let inserted = write.execute("series.insert_terms", series::INSERT_TERMS, values).await?;
    must_touch("inserting the terms of a series", 1, inserted)
}

async fn end<W: Write>(write: &mut W, series: &Series) -> Result<Series, StoreError> {
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
    let days = day_criteria::from_json(row.get("criteria")?).ok_or_else(|| row.corrupt("criteria"))?;
    let effective_date = row.word("effective_date")?;
    Ok(Series {
        id: SeriesId(row.id()),
        name: row.get("name")?,
        kind: row.get("kind")?,
        variant: row.get("variant")?,
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
