//! Counts held puzzles, and releases them: each gets the next position of its shelf, so that everyone can draw it.

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::json;

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    deliveries::holder::{Holder, Release, ReleaseOf},
    error::must_touch,
    series::{daily_series::Series, series_store::SeriesStore as _},
    sql::{
        database::{Columns, Database, Write, id, number},
        statement::{Sql, Value, values},
        statements::held,
    },
    stock::{
        filter::ShelfFilter,
        stock_store::{StockStore as _, lock_shelves},
    },
};
use puzzled_base::{clock::Millis, ids::PuzzleId};

/// Held puzzles.
#[async_trait]
pub trait ReleaseStore {
    /// Counts the held puzzles on shelves that fit: those of one holder, or of all.
    async fn count_held(&self, holder: Option<&Holder>, filter: &ShelfFilter) -> Result<u64, StoreError>;

    /// Returns up to `limit` puzzles that a release would change, by id: all except those of days that have not begun.
    async fn releasable(&self, of: &ReleaseOf, limit: u32) -> Result<Vec<PuzzleId>, StoreError>;

    /// Counts the puzzles that a release would change.
    async fn count_releasable(&self, of: &ReleaseOf) -> Result<u64, StoreError>;

    /// Counts the puzzles that a release would leave held because they belong to days that have not begun.
    async fn count_kept(&self, of: &ReleaseOf) -> Result<u64, StoreError>;

    /// Releases at most `limit` held puzzles: each gets the next position of its shelf. Writes one entry into the audit trail, and
    /// returns the ids.
    async fn release(&self, release: &Release, limit: u32, by: &Actor) -> Result<Vec<PuzzleId>, StoreError>;
}

#[async_trait]
impl<D: Database> ReleaseStore for D {
    async fn count_held(&self, holder: Option<&Holder>, filter: &ShelfFilter) -> Result<u64, StoreError> {
        let shelves = self.shelves().await?;
        let fitting = shelves.iter().filter(|shelf| filter.fits(&shelf.key)).map(|shelf| shelf.id.0);
        let holder = holder.map(ToString::to_string);
        let values = values![holder.as_ref(), fitting.collect::<Vec<_>>()];
        Ok(self.all(held::COUNT, values, number).await?.pop().unwrap_or(0))
    }

    async fn releasable(&self, of: &ReleaseOf, limit: u32) -> Result<Vec<PuzzleId>, StoreError> {
        let (asked, days) = (Asked::of(of), current_days(&self.all_series().await?, self.now().await?));
        let values = [asked.value(), (&days).into(), limit.into()];
        Ok(self.all(asked.choose(&FIND), &values, id).await?.into_iter().map(PuzzleId).collect())
    }

    async fn count_releasable(&self, of: &ReleaseOf) -> Result<u64, StoreError> {
        counted(self, of, &COUNT).await
    }

    async fn count_kept(&self, of: &ReleaseOf) -> Result<u64, StoreError> {
        counted(self, of, &COUNT_KEPT).await
    }

    async fn release(&self, release: &Release, limit: u32, by: &Actor) -> Result<Vec<PuzzleId>, StoreError> {
        self.with_retries(|| async {
            let series = self.all_series().await?;
            let mut write = self.write("release.begin").await?;
            let (asked, days) = (Asked::of(&release.of), current_days(&series, write.now()));
            let values = [asked.value(), (&days).into(), limit.into()];
            let ids = write.all("release.find", asked.choose(&FIND), &values, id).await?;
            if ids.is_empty() {
                return write.roll_back(Vec::new()).await;
            }
            lock_shelves(&mut write, "release.lock_shelves", &ids).await?;
            let mut released = write.all("release.update", held::RELEASE, values![ids], released).await?;
            released.sort_unstable();
            grow_shelves(&mut write, released.iter().map(|(_, shelf_id)| *shelf_id).collect()).await?;
            let released: Vec<_> = released.into_iter().map(|(id, _)| PuzzleId(id)).collect();
            let subjects = released.iter().map(ToString::to_string).collect();
            let details = json!({ "reason": release.reason, "released": released.len() });
            audit_store::insert(&mut write, "release.audit", &[NewEntry::of(by, subjects, details)]).await?;
            write.commit("release.commit", "release.committed").await?;
            Ok(released)
        })
        .await
    }
}

/// The puzzles of a release as a parameter: the name of their holder, or their ids.
enum Asked {
    Holder(String),
    Ids(Vec<i64>),
}

/// A statement for each form of [`Asked`]. Its parameters are the puzzles and the current days of the series.
struct Statements {
    of_holder: Sql,
    of_ids: Sql,
}

/// Finds the puzzles to release; the third parameter is the limit.
const FIND: Statements = Statements { of_holder: held::RELEASABLE_OF_HOLDER, of_ids: held::RELEASABLE_OF_IDS };

/// Counts the puzzles to release.
const COUNT: Statements =
    Statements { of_holder: held::COUNT_RELEASABLE_OF_HOLDER, of_ids: held::COUNT_RELEASABLE_OF_IDS };

/// Counts the puzzles that stay held.
const COUNT_KEPT: Statements = Statements { of_holder: held::COUNT_KEPT_OF_HOLDER, of_ids: held::COUNT_KEPT_OF_IDS };

impl Asked {
    fn of(of: &ReleaseOf) -> Self {
        match of {
            ReleaseOf::Holder(holder) => Self::Holder(holder.to_string()),
            ReleaseOf::Ids(ids) => Self::Ids(ids.iter().map(|id| id.0).collect()),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Self::Holder(holder) => holder.into(),
            Self::Ids(ids) => ids.clone().into(),
        }
    }

    fn choose(&self, statements: &Statements) -> Sql {
        match self {
            Self::Holder(_) => statements.of_holder,
            Self::Ids(_) => statements.of_ids,
        }
    }
}

/// Counts puzzles of a release by the clock of the store.
async fn counted<D: Database>(db: &D, of: &ReleaseOf, statements: &Statements) -> Result<u64, StoreError> {
    let (asked, days) = (Asked::of(of), current_days(&db.all_series().await?, db.now().await?));
    let values = [asked.value(), (&days).into()];
    Ok(db.all(asked.choose(statements), &values, number).await?.pop().unwrap_or(0))
}

/// The current day of each series as JSON: `[[series, date], …]`. Before its first day, a series has the date `""`.
fn current_days(all: &[Series], now: Millis) -> String {
    let days = all.iter().map(|series| {
        let current = series.current_date(now).map(|date| date.to_string());
        json!([series.id.0, current.unwrap_or_default()])
    });
    days.collect::<serde_json::Value>().to_string()
}

/// Reads the id and the shelf of a released puzzle.
fn released(row: &impl Columns) -> Result<(i64, i64), StoreError> {
    Ok((id(row)?, row.integer("shelf_id")?.ok_or(sqlx::Error::RowNotFound)?))
}

/// Adds one position to a shelf for each time that the list has it.
async fn grow_shelves<W: Write>(write: &mut W, shelves: Vec<i64>) -> Result<(), StoreError> {
    let wanted = shelves.iter().collect::<BTreeSet<_>>().len() as u64;
    must_touch("growing shelves", wanted, write.execute("release.grow", held::GROW_SHELVES, values![shelves]).await?)
}
