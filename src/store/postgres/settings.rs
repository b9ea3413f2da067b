//! Where a PostgreSQL database is, and how its connections are kept.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::store::puzzle::SHELVES_MAX;
use puzzled_engine::ENGINE_VERSION;

/// How long the server may take to do what it is told, and how long an idle transaction may hold its locks.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a database is. Shown without its password.
#[derive(Clone)]
pub struct PostgresUrl(Box<PgConnectOptions>);

impl PostgresUrl {
    /// How one connection to it is opened.
    #[must_use]
    pub fn options(&self) -> PgConnectOptions {
        (*self.0).clone()
    }
}

impl FromStr for PostgresUrl {
    type Err = sqlx::Error;

    fn from_str(url: &str) -> Result<Self, sqlx::Error> {
        Ok(Self(Box::new(url.parse::<PgConnectOptions>()?.application_name("puzzled"))))
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (user, host, port) = (self.0.get_username(), self.0.get_host(), self.0.get_port());
        write!(f, "postgres://{user}@{host}:{port}/{}", self.0.get_database().unwrap_or(user))
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct PostgresSettings {
    /// Where it is.
    pub url: PostgresUrl,
    /// Most connections at a time, from 2; one more hears what other processes do. Further calls wait.
    pub connections: u32,
    /// How long the server may take for one statement, waiting for locks included. A whole call may take twice that, and
    /// is then given up: a connection that was cut without a word answers nothing for ever.
    pub patience: Duration,
    /// Most shelves.
    pub shelves_max: u32,
    /// Version of the engine of the workers that claim by it: jobs that need a newer one are left to others.
    pub engine_version: u32,
}

impl PostgresSettings {
    /// The usual settings: ten connections, ten seconds of patience.
    #[must_use]
    pub fn of(url: PostgresUrl) -> Self {
        Self { url, connections: 10, patience: PATIENCE, shelves_max: SHELVES_MAX, engine_version: ENGINE_VERSION }
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        let patience_ms = self.patience.as_millis().to_string();
        self.url.options().options([
            ("statement_timeout", patience_ms.as_str()),
            // The locks of a process that was cut off are free again after so long.
            ("idle_in_transaction_session_timeout", patience_ms.as_str()),
        ])
    }

    /// How a session is opened that runs migrations: no statement of it is too long, but a lock is waited for only so long.
    pub(super) fn options_to_migrate(&self, lock_timeout: Duration) -> PgConnectOptions {
        let lock_timeout_ms = lock_timeout.as_millis().to_string();
        let patience_ms = self.patience.as_millis().to_string();
        self.url.options().options([
            ("statement_timeout", "0"),
            ("lock_timeout", lock_timeout_ms.as_str()),
            ("idle_in_transaction_session_timeout", patience_ms.as_str()),
        ])
    }

    pub(super) fn pool(&self) -> PgPoolOptions {
        PgPoolOptions::new()
            .max_connections(self.connections)
            .acquire_timeout(self.patience)
            // A connection that died is found by its first statement, which is then repeated; asking it each time would
            // double the time of a draw.
            .test_before_acquire(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        let cases = [
            ("postgres://puzzled:secret@db/stock", "postgres://puzzled@db:5432/stock"),
            ("postgresql://puzzled:secret@10.0.0.1:6000", "postgres://puzzled@10.0.0.1:6000/puzzled"),
            ("postgres://a:secret@h/b?sslmode=require&password=secret", "postgres://a@h:5432/b"),
        ];
        for (url, shown) in cases {
            let url: PostgresUrl = url.parse().unwrap();
            assert_eq!((url.to_string(), format!("{url:?}")), (shown.to_owned(), shown.to_owned()));
            assert!(!format!("{:?}", PostgresSettings::of(url)).contains("secret"));
        }
    }
}
