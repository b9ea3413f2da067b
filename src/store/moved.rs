//! Whether a database is an end of a copy, and so no longer, or not yet, one to work on; and how a process notices.

use std::sync::OnceLock;

use sqlx::{PgConnection, SqliteConnection};

use super::StoreError;

/// What a database is to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// It was moved there, and is fenced.
    Source,
    /// It is moved here, and not all of it has come yet.
    Target,
}

impl Side {
    /// The word in the database.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
        }
    }

    /// What it has to do with the other end.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Source => "was moved to",
            Self::Target => "is an unfinished copy of",
        }
    }

    fn of(name: &str) -> Result<Self, StoreError> {
        let side = [Self::Source, Self::Target].into_iter().find(|side| side.name() == name);
        side.ok_or(StoreError::Corrupt { table: "moved", column: "side", id: 1 })
    }
}

/// The statement that makes the table which says so. No migration makes it: it is there as long as the state lasts.
pub(super) const MARK: &str = "create table moved (side text not null, other text not null)";

/// The statement that takes the mark away.
pub(super) const UNMARK: &str = "drop table if exists moved";

/// What the error of a fenced database begins with; the name of the other one follows.
pub(super) const FENCED: &str = "fenced: this database was moved to ";

/// What a fenced database says of a write, as the error that it is.
pub(super) fn met_fence(message: &str) -> Option<StoreError> {
    let other = message.strip_prefix(FENCED)?;
    Some(StoreError::Moved { what: Side::Source.what(), other: other.to_owned() })
}

/// What a process has noticed of a move. It never forgets: there is no way back, but to serve the other database.
#[derive(Debug, Default)]
pub(super) struct Fence(OnceLock<(&'static str, String)>);

impl Fence {
    /// Fails once a move was noticed.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.0.get().map_or(Ok(()), |(what, other)| Err(StoreError::Moved { what, other: other.clone() }))
    }

    /// Passes a result on, and notices a move in it. The first to notice it logs it, and nobody else does.
    pub(super) fn noticing<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error) = &result
            && let Some((what, other)) = error.moved()
            && self.0.set((what, other.to_owned())).is_ok()
        {
            tracing::error!(other, "database moved: calls are refused and workers stopped; serve the other one");
        }
        result
    }
}

/// What a file is to which other database, if it is part of a copy.
pub(super) async fn side_of_sqlite(db: &mut SqliteConnection) -> Result<Option<(Side, String)>, StoreError> {
    let is_marked: bool = sqlx::query_scalar("select exists (select 1 from sqlite_master where name = 'moved')")
        .fetch_one(&mut *db)
        .await?;
    if !is_marked {
        return Ok(None);
    }
    let (side, other): (String, String) = sqlx::query_as("select side, other from moved").fetch_one(db).await?;
    Ok(Some((Side::of(&side)?, other)))
}

/// What a database is to which other one, if it is part of a copy.
pub(super) async fn side_of_postgres(db: &mut PgConnection) -> Result<Option<(Side, String)>, StoreError> {
    let is_marked: bool = sqlx::query_scalar("select to_regclass('moved') is not null").fetch_one(&mut *db).await?;
    if !is_marked {
        return Ok(None);
    }
    let (side, other): (String, String) = sqlx::query_as("select side, other from moved").fetch_one(db).await?;
    Ok(Some((Side::of(&side)?, other)))
}

/// Refuses to work on an end of a copy.
pub(super) fn refuse(side: Option<(Side, String)>) -> Result<(), StoreError> {
    side.map_or(Ok(()), |(side, other)| Err(StoreError::Moved { what: side.what(), other }))
}
