//! Finds the PostgreSQL session that holds the lock for which a migration waits. Messages name the session by its
//! process ID on the server.

use std::{fmt, time::Duration};

use sqlx::{FromRow, PgConnection, Row as _, postgres::PgRow};
use tokio::time::sleep;

use super::{StoreError, locks::Lock};

/// A session of the server.
#[derive(Debug, Clone)]
pub(super) struct Blocker {
    pid: i32,
    application_name: Option<String>,
    /// `None` for most roles if the session belongs to another role, as is `query_start`.
    state: Option<String>,
    /// When the statement of the session began, in UTC.
    query_start: Option<String>,
}

impl FromRow<'_, PgRow> for Blocker {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        let (pid, application_name) = (row.try_get("pid")?, row.try_get("application_name")?);
        Ok(Self { pid, application_name, state: row.try_get("state")?, query_start: row.try_get("query_start")? })
    }
}

impl fmt::Display for Blocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, application_name, state, query_start } = self;
        let named = application_name.as_deref().filter(|name| !name.is_empty()).unwrap_or("unnamed");
        write!(f, "session {pid} (application {named}, {}", state.as_deref().unwrap_or("state not shown"))?;
        match query_start {
            Some(at) => write!(f, ", its statement began at {at})"),
            None => write!(f, ")"),
        }
    }
}

/// The text for a session in messages. Also covers the case that no session was found.
pub(super) fn name(blocker: Option<&Blocker>) -> String {
    blocker.map_or_else(|| "a session that has ended or is not shown".to_owned(), Blocker::to_string)
}

/// Returns the session that holds an advisory lock of this database, if one does.
pub(super) async fn holder_of(db: &mut PgConnection, lock: &Lock) -> Result<Option<Blocker>, StoreError> {
    let found = sqlx::query_as(
        "select pid, application_name, state,
                to_char(query_start at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') as query_start
         from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and granted and objsubid = 1
           and database = (select oid from pg_database where datname = current_database())
           and classid::bigint << 32 | objid::bigint = $1
         limit 1",
    )
    .bind(lock.key())
    .fetch_optional(db)
    .await?;
    Ok(found)
}

/// Polls until a session blocks the session `pid`, and returns the blocking session. Returns `None` only if the check fails.
pub(super) async fn in_the_way_of(watch: &mut PgConnection, pid: i32, every: Duration) -> Option<Blocker> {
    loop {
        // If several sessions block it, choose the one with the oldest transaction, because the others may wait for that one.
        let found = sqlx::query_as(
            "select pid, application_name, state,
                    to_char(query_start at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') as query_start
             from pg_stat_activity
             where pid = any(pg_blocking_pids($1))
             order by xact_start nulls last, pid
             limit 1",
        )
        .bind(pid)
        .fetch_optional(&mut *watch)
        .await;
        match found {
            Ok(Some(blocker)) => return Some(blocker),
            Ok(None) => sleep(every).await,
            Err(error) => {
                tracing::debug!(%error, "blocking session not found");
                return None;
            }
        }
    }
}
