//! Creates, updates, ends, and lists daily series, and declares those of a configuration. `day_store.rs` gives their days a puzzle.

use async_trait::async_trait;
use jiff::civil::Date;
use serde_json::json;

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    error::must_touch,
    jobs::{process::OlderProcess, process_store::older_process},
    series::{
        daily_series::{SERIES_MAX, SEVERAL, Series, SeriesId, SeriesWish},
        day_criteria,
        series_rows::{
            end, folded, insert_series, last_date, locked_series, put_series, row, series_of, state_puzzles,
        },
        update::{SeriesChange, SeriesCreated, SeriesRefusal, SeriesUpdated, declared},
    },
    sql::{
        database::{Database, Lock, Write, number},
        statement::values,
        statements::series,
    },
    targets::declaration::{Act, Clash, Declaration, Declared, Step},
};

/// Daily series.
#[async_trait]
pub trait SeriesStore {
    /// Creates a series whose first day is `first`, or the current day of its zone. Refuses an earlier day, a name that is
    /// in use, more than [`SERIES_MAX`] series, and different kinds while a process before 0.3 runs.
    async fn create_series(
        &self,
        wish: &SeriesWish,
        first: Option<Date>,
        by: &Actor,
    ) -> Result<SeriesCreated, StoreError>;

    /// Changes a series that no configuration declares, and lets it continue if it has ended. Writes nothing if nothing
    /// changes. Refuses different kinds as [`create_series`](Self::create_series) does.
    async fn update_series(&self, name: &str, change: &SeriesChange, by: &Actor) -> Result<SeriesUpdated, StoreError>;

    /// Ends a series and returns it. It keeps its name and its days, and no configuration declares it any more. `None` if
    /// there is no such series. A series that has ended does not change.
    async fn end_series(&self, name: &str, by: &Actor) -> Result<Option<Series>, StoreError>;

    /// Returns all series, by name.
    async fn all_series(&self) -> Result<Vec<Series>, StoreError>;

    /// Returns the series with a name.
    async fn series(&self, name: &str) -> Result<Option<Series>, StoreError>;

    /// Gives a series the kind that it should have now, if it has another one: after the last day of its days with different
    /// kinds.
    async fn settle_series(&self, id: SeriesId) -> Result<(), StoreError>;

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
            if wish.puzzles().is_none()
                && let Some(older) = without_kinds_of_days(&mut write).await?
            {
                return write.roll_back(SeriesCreated::Older(older)).await;
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
                Err(refusal) => return write.roll_back(SeriesUpdated::Refused(refusal)).await,
                Ok(None) if series.ended_at.is_none() => return write.roll_back(SeriesUpdated::Updated(series)).await,
                Ok(terms) => terms,
            };
            if terms.as_ref().is_some_and(|terms| series.becomes_several(&terms.days))
                && let Some(older) = without_kinds_of_days(&mut write).await?
            {
                return write.roll_back(SeriesUpdated::Refused(SeriesRefusal::Older(older))).await;
            }
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

    async fn settle_series(&self, id: SeriesId) -> Result<(), StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("settle_series.begin").await?;
            write.lock_rows("settle_series.lock", series::LOCK_BY_ID, values![id.0]).await?;
            let rows = write.all("settle_series.read", series::BY_ID, values![id.0], row).await?;
            let Some(series) = folded(rows).pop() else { return write.roll_back(()).await };
            let (kind, variant) = &series.settled(write.now());
            if !state_puzzles(&mut write, &series, (kind, variant)).await? {
                return write.roll_back(()).await;
            }
            let settled = write.execute("settle_series.write", series::SETTLE, values![kind, variant, id.0]).await?;
            must_touch("settling the kind of a series", 1, settled)?;
            write.commit("settle_series.commit", "settle_series.committed").await
        })
        .await
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
            if let Some(wish) = steps.iter().find_map(becoming_several)
                && let Some(older) = without_kinds_of_days(&mut write).await?
            {
                let table = 1 + declaration.wishes().iter().position(|table| table == wish).unwrap_or_default();
                return write.roll_back(Err(Clash::Older { table, series: wish.name.clone(), older })).await;
            }
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

/// The first version that plans series whose days have different kinds.
const KINDS_OF_DAYS_SINCE: &str = "0.3.0";

/// A running process that plans no series whose days have different kinds.
async fn without_kinds_of_days<W: Write>(write: &mut W) -> Result<Option<OlderProcess>, StoreError> {
    older_process(write, KINDS_OF_DAYS_SINCE).await
}

/// The wish of a step that makes the kinds of days differ for the first time.
fn becoming_several<'a>(step: &Step<'a, SeriesWish>) -> Option<&'a SeriesWish> {
    match step {
        Step::Add(wish) if wish.puzzles().is_none() => Some(wish),
        Step::Put(_, series, wish) if series.becomes_several(&wish.days) => Some(wish),
        _ => None,
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
            let parsed = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
            let mut described = json!({
                "effective_date": terms.effective_date.to_string(),
                "time_zone": terms.zone.name(),
                "criteria": parsed(day_criteria::as_json(&terms.days)),
            });
            if let Some(puzzles) = day_criteria::puzzles_as_json(&terms.days, (&series.kind, &series.variant)) {
                described["puzzles"] = parsed(puzzles);
            }
            described
        });
        let puzzles =
            series.puzzles().map_or_else(|| SEVERAL.to_owned(), |(kind, variant)| format!("{kind} {variant}"));
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
