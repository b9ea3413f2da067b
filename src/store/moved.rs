//! Marks the two ends of a copy, and makes a process that finds a mark refuse to use the database: either the database
//! was moved, or its copy is not complete.

use std::sync::OnceLock;

use sqlx::{PgConnection, SqliteConnection};

use super::StoreError;

/// The role of a database in a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// The database was moved to the other one, and is fenced.
    Source,
    /// The other database is moved here, and the copy is not complete.
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

    /// The relation to the other database, for messages.
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

/// Creates the mark, a table. No migration creates it, because it exists only as long as the state lasts.
pub(super) const MARK: &str = "create table moved (side text not null, other text not null)";

/// Removes the mark.
pub(super) const UNMARK: &str = "drop table if exists moved";

/// Start of the error that a fenced database returns; the name of the other database follows.
pub(super) const FENCED: &str = "fenced: this database was moved to ";

/// Recognizes the message of a fenced database that refused a write.
pub(super) fn met_fence(message: &str) -> Option<StoreError> {
    let other = message.strip_prefix(FENCED)?;
    Some(StoreError::Moved { what: Side::Source.what(), other: other.to_owned() })
}

/// Remembers a move that this process noticed. It is never reset: the only way to continue is to serve the other
/// database.
#[derive(Debug, Default)]
pub(super) struct Fence(OnceLock<(&'static str, String)>);

impl Fence {
    /// Fails once a move was noticed.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.0.get().map_or(Ok(()), |(what, other)| Err(StoreError::Moved { what, other: other.clone() }))
    }

    /// Passes a result on, and remembers a move that it reports. Only the first caller to notice it logs
    /// it.
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

/// Returns the role of a file in a copy and the other database, if it is part of one.
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

/// Returns the role of a database in a copy and the other database, if it is part of one.
pub(super) async fn side_of_postgres(db: &mut PgConnection) -> Result<Option<(Side, String)>, StoreError> {
    let is_marked: bool = sqlx::query_scalar("select to_regclass('moved') is not null").fetch_one(&mut *db).await?;
    if !is_marked {
        return Ok(None);
    }
    let (side, other): (String, String) = sqlx::query_as("select side, other from moved").fetch_one(db).await?;
    Ok(Some((Side::of(&side)?, other)))
}

/// Fails if the database is an end of a copy.
pub(super) fn refuse(side: Option<(Side, String)>) -> Result<(), StoreError> {
    side.map_or(Ok(()), |(side, other)| Err(StoreError::Moved { what: side.what(), other }))
}
