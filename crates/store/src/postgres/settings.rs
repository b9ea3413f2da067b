//! The address of a PostgreSQL database, and the limits of its connections.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::{
    AssertSqlSafe, ConnectOptions as _, PgConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::stock::puzzle::SHELVES_MAX;
use puzzled_engine::ENGINE_VERSION;

/// `PostgreSQL`'s time limit for one statement, and for an idle transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// The address of a database. `Display` and `Debug` leave out the password.
#[derive(Clone)]
pub struct PostgresUrl(Box<PgConnectOptions>);

impl PostgresUrl {
    /// The same address with another password.
    #[must_use]
    pub fn with_password(&self, password: &str) -> Self {
        Self(Box::new(self.options().password(password)))
    }

    /// The options of one connection.
    #[must_use]
    pub fn options(&self) -> PgConnectOptions {
        (*self.0).clone()
    }
}

impl FromStr for PostgresUrl {
    type Err = sqlx::Error;

    fn from_str(url: &str) -> Result<Self, sqlx::Error> {
        Ok(Self(Box::new(url.parse::<PgConnectOptions>()?.application_name("puzzled").extra_float_digits(None))))
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
    /// The address.
    pub url: PostgresUrl,
    /// The maximum number of connections of the pool, at least 2. The listener has one more. Further calls wait.
    pub connections: u32,
    /// Time limit of the server for one statement, including waits for locks. A whole call may take
    /// twice as long; then it ends, also if its connection was cut without a message.
    pub patience: Duration,
    /// The maximum number of shelves.
    pub shelves_max: u32,
    /// Engine version of the workers that use this store. They do not claim jobs that need a newer version.
    pub engine_version: u32,
}

impl PostgresSettings {
    /// Default settings: ten connections, and a time limit of ten seconds.
    #[must_use]
    pub fn of(url: PostgresUrl) -> Self {
        Self { url, connections: 10, patience: PATIENCE, shelves_max: SHELVES_MAX, engine_version: ENGINE_VERSION }
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        self.url.options().options(self.limits())
    }

    /// The limits of a session.
    fn limits(&self) -> [(&'static str, String); 2] {
        let patience_ms = self.patience.as_millis().to_string();
        // If a process loses its connection, the second limit ends its transaction, which frees its locks.
        [("statement_timeout", patience_ms.clone()), ("idle_in_transaction_session_timeout", patience_ms)]
    }

    /// Connects a session that runs migrations. Statements have no time limit, but waits for locks do.
    pub(super) async fn connect_to_migrate(&self, lock_timeout: Duration) -> Result<PgConnection, sqlx::Error> {
        let [_, idle] = self.limits();
        let lock_timeout_ms = lock_timeout.as_millis().to_string();
        let limits = [("statement_timeout", "0".to_owned()), ("lock_timeout", lock_timeout_ms), idle];
        let mut db = self.url.options().options(limits.clone()).connect().await?;
        set(&mut db, &limits).await?;
        Ok(db)
    }

    pub(super) fn pool(&self) -> PgPoolOptions {
        let limits = self.limits();
        PgPoolOptions::new()
            .after_connect(move |db, _| {
                let limits = limits.clone();
                Box::pin(async move { set(db, &limits).await })
            })
            .max_connections(self.connections)
            .acquire_timeout(self.patience)
            // If a connection has died, the first statement fails and is repeated. A test before each use would double
            // the time of a draw.
            .test_before_acquire(false)
    }
}

/// Sets the limits of a session again: a pooler in session mode may have ignored those that the connection was opened
/// with.
async fn set(db: &mut PgConnection, limits: &[(&'static str, String)]) -> Result<(), sqlx::Error> {
    let set: Vec<_> = limits.iter().map(|(name, value)| format!("set {name} = {value};")).collect();
    sqlx::raw_sql(AssertSqlSafe(set.concat())).execute(db).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_displayed_without_its_password() {
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
