//! Counts held puzzles, and releases them: each gets the next position of its shelf, so that everyone can draw it.

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::json;

use super::{
    StockStore as _, StoreError, audit,
    error::must_touch,
    sql::{
        database::{Columns, Database, Write, id, number},
        statement::{Sql, Value, in_list, values},
    },
};
use crate::rules::{
    access::{actor::Actor, audit_entry::NewEntry},
    stock::{
        filter::ShelfFilter,
        holder::Holder,
        puzzle::PuzzleId,
        release::{Release, ReleaseOf},
    },
};

/// Held puzzles.
#[async_trait]
pub trait ReleaseStore {
    /// Counts the held puzzles on shelves that fit: those of one holder, or of all.
    async fn count_held(&self, holder: Option<&Holder>, filter: &ShelfFilter) -> Result<u64, StoreError>;

    /// Returns up to `limit` puzzles that a release would change, by id.
    async fn releasable(&self, of: &ReleaseOf, limit: u32) -> Result<Vec<PuzzleId>, StoreError>;

    /// Counts the puzzles that a release would change.
    async fn count_releasable(&self, of: &ReleaseOf) -> Result<u64, StoreError>;

    /// Gives up to `limit` held puzzles the next positions of their shelves, with one entry in the audit trail, and returns
    /// their ids.
    async fn release(&self, release: &Release, limit: u32, by: &Actor) -> Result<Vec<PuzzleId>, StoreError>;
}

#[async_trait]
impl<D: Database> ReleaseStore for D {
    async fn count_held(&self, holder: Option<&Holder>, filter: &ShelfFilter) -> Result<u64, StoreError> {
        let sql = Sql {
            sqlite: "select count(*) as number from puzzles
                     where position is null and withdrawn_at is null and ($1 is null or holder = $1)
                       and shelf_id in (select value from json_each($2))",
            postgres: "select count(*) as number from puzzles
                       where position is null and withdrawn_at is null and ($1::text is null or holder = $1)
                         and shelf_id = any($2)",
        };
        let shelves = self.shelves().await?;
        let fitting = shelves.iter().filter(|shelf| filter.fits(&shelf.key)).map(|shelf| shelf.id.0);
        let holder = holder.map(ToString::to_string);
        let values = values![holder.as_ref(), fitting.collect::<Vec<_>>()];
        Ok(self.all(sql, values, number).await?.pop().unwrap_or(0))
    }

    async fn releasable(&self, of: &ReleaseOf, limit: u32) -> Result<Vec<PuzzleId>, StoreError> {
        let asked = Asked::of(of);
        let values = [asked.value(), limit.into()];
        Ok(self.all(asked.find(), &values, id).await?.into_iter().map(PuzzleId).collect())
    }

    async fn count_releasable(&self, of: &ReleaseOf) -> Result<u64, StoreError> {
        let asked = Asked::of(of);
        Ok(self.all(asked.count(), &[asked.value()], number).await?.pop().unwrap_or(0))
    }

    async fn release(&self, release: &Release, limit: u32, by: &Actor) -> Result<Vec<PuzzleId>, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("release.begin").await?;
            let asked = Asked::of(&release.of);
            let ids = write.all("release.find", asked.find(), &[asked.value(), limit.into()], id).await?;
            if ids.is_empty() {
                return write.undone(Vec::new()).await;
            }
            lock_shelves(&mut write, &ids).await?;
            let mut released = write.all("release.update", RELEASE, values![ids], released).await?;
            released.sort_unstable();
            grow_shelves(&mut write, released.iter().map(|(_, shelf_id)| *shelf_id).collect()).await?;
            let released: Vec<_> = released.into_iter().map(|(id, _)| PuzzleId(id)).collect();
            let subjects = released.iter().map(ToString::to_string).collect();
            let details = json!({ "reason": release.reason, "released": released.len() });
            audit::insert(&mut write, "release.audit", &[NewEntry::of(by, subjects, details)]).await?;
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

    fn find(&self) -> Sql {
        const OF_HOLDER: &str = "select id from puzzles
                                 where holder = $1 and position is null and withdrawn_at is null
                                 order by id
                                 limit $2";
        const OF_IDS: Sql = in_list!(
            "select id from puzzles where position is null and withdrawn_at is null and id",
            "$1",
            " order by id limit $2"
        );
        match self {
            Self::Holder(_) => OF_HOLDER.into(),
            Self::Ids(_) => OF_IDS,
        }
    }

    fn count(&self) -> Sql {
        const OF_HOLDER: &str = "select count(*) as number from puzzles
                                 where holder = $1 and position is null and withdrawn_at is null";
        const OF_IDS: Sql = in_list!(
            "select count(*) as number from puzzles where position is null and withdrawn_at is null and id",
            "$1"
        );
        match self {
            Self::Holder(_) => OF_HOLDER.into(),
            Self::Ids(_) => OF_IDS,
        }
    }
}

/// Gives puzzles the next positions of their shelves, in the order of their ids.
const RELEASE: Sql = Sql {
    sqlite: "update puzzles set position = placed.position, holder = null
             from (select held.id, shelves.positions - 1
                                   + row_number() over (partition by held.shelf_id order by held.id) as position
                   from puzzles as held join shelves on shelves.id = held.shelf_id
                   where held.id in (select value from json_each($1))
                     and held.position is null and held.withdrawn_at is null) as placed
             where puzzles.id = placed.id
             returning puzzles.id, puzzles.shelf_id",
    postgres: "update puzzles set position = placed.position, holder = null
               from (select held.id, shelves.positions - 1
                                     + row_number() over (partition by held.shelf_id order by held.id) as position
                     from puzzles as held join shelves on shelves.id = held.shelf_id
                     where held.id = any($1) and held.position is null and held.withdrawn_at is null) as placed
               where puzzles.id = placed.id
               returning puzzles.id, puzzles.shelf_id",
};

/// Reads the id and the shelf of a released puzzle.
fn released(row: &impl Columns) -> Result<(i64, i64), StoreError> {
    Ok((id(row)?, row.integer("shelf_id")?.ok_or(sqlx::Error::RowNotFound)?))
}

/// Locks the shelves of puzzles, because all writes lock shelves before puzzles.
async fn lock_shelves<W: Write>(write: &mut W, ids: &[i64]) -> Result<(), StoreError> {
    let sql = "select from shelves
               where id in (select shelf_id from puzzles where id = any($1))
               order by id
               for no key update";
    write.lock_rows("release.lock_shelves", sql, values![ids.to_vec()]).await
}

/// Counts one position more for each of these shelves.
async fn grow_shelves<W: Write>(write: &mut W, shelves: Vec<i64>) -> Result<(), StoreError> {
    let wanted = shelves.iter().collect::<BTreeSet<_>>().len() as u64;
    let sql = Sql {
        sqlite: "update shelves set positions = positions + grown.more
                 from (select value as shelf_id, count(*) as more from json_each($1) group by value) as grown
                 where shelves.id = grown.shelf_id",
        postgres: "update shelves set positions = positions + grown.more
                   from (select shelf_id, count(*) as more from unnest($1::bigint[]) as shelf_id
                         group by shelf_id) as grown
                   where shelves.id = grown.shelf_id",
    };
    must_touch("growing shelves", wanted, write.execute("release.grow", sql, values![shelves]).await?)
}
