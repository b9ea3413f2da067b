//! The pool of PostgreSQL connections: runs reads and transactions with a time limit, and repeats transactions that
//! conflict. If a borrower leaves a transaction unfinished, it is rolled back before another borrower gets the connection; if
//! a read, the connection is closed.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use sqlx::{
    PgConnection, PgPool, Postgres, Row as _,
    pool::PoolConnection,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use tokio::{runtime::Handle, time::timeout};

use crate::{PoolUse, StoreError, sql::statements::server};
use puzzled_base::{
    clock::{Clock, SystemClock},
    counters::{Durations, SHORT_US},
};

/// The maximum number of repeats of a transaction that conflicts with others. In each conflict, one of the transactions
/// succeeds.
const REPEATS_MAX: u32 = 16;

/// Time limit for the rollback of an abandoned transaction. If a statement is in progress, the rollback takes longer.
/// The connection is then closed, and the server rolls back on its own.
const UNDO_PATIENCE: Duration = Duration::from_secs(1);

/// A borrowed connection. If its borrower fails or goes away, the drop of this value rolls back a transaction, or closes a
/// connection with a read in progress. The rollback runs in the background, and the next borrower gets a clean connection.
#[derive(Debug)]
pub(super) struct Borrowed {
    /// `None` only during the drop.
    connection: Option<PoolConnection<Postgres>>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No statement or transaction is in progress.
    Clean,
    /// A statement may be in progress.
    InUse,
    /// A transaction is in progress.
    InTransaction,
}

impl Borrowed {
    pub(super) async fn from(pool: &PgPool) -> Result<Self, sqlx::Error> {
        Ok(Self { connection: Some(pool.acquire().await?), state: State::InUse })
    }

    /// Returns the connection to the pool.
    pub(super) fn release(mut self) {
        self.state = State::Clean;
    }
}

impl Deref for Borrowed {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.connection {
            Some(connection) => connection,
            None => unreachable!("only the drop takes the connection"),
        }
    }
}

impl DerefMut for Borrowed {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("only the drop takes the connection"),
        }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        match (self.state, Handle::try_current()) {
            (State::Clean, _) => {}
            (State::InTransaction, Ok(runtime)) => drop(runtime.spawn(undo(connection))),
            _ => connection.close_on_drop(),
        }
    }
}

async fn undo(mut connection: PoolConnection<Postgres>) {
    let rollback = sqlx::raw_sql("rollback").execute(&mut *connection);
    if !matches!(timeout(UNDO_PATIENCE, rollback).await, Ok(Ok(_))) {
        connection.close_on_drop();
    }
}

/// The pool, with its limits on time and repeats.
#[derive(Debug)]
pub(super) struct Connections {
    pool: PgPool,
    /// The maximum number of connections. All of them may have died together, so this is also the maximum number of
    /// retries on a dead connection.
    most: u32,
    /// Time limit for one statement or transaction, including waits and repeats.
    patience: Duration,
    /// Whether the last transaction began on a read-only session, which means that new sessions are read-only too.
    is_read_only: AtomicBool,
    clock: Arc<dyn Clock>,
    /// How long reads and writes have waited for a connection.
    waits: Durations,
}

/// A query with its parameters.
type Asked<'q> = Query<'q, Postgres, PgArguments>;

impl Connections {
    pub(super) fn new(pool: PgPool, most: u32, patience: Duration) -> Self {
        let (clock, waits) = (SystemClock::shared(), Durations::new(SHORT_US));
        Self { pool, most, patience, is_read_only: AtomicBool::new(false), clock, waits }
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    /// The connections in use and idle now.
    pub(super) fn in_use(&self) -> PoolUse {
        PoolUse::of(self.pool.size(), self.pool.num_idle())
    }

    /// How long reads and writes have waited for a connection.
    pub(super) fn waits(&self) -> &Durations {
        &self.waits
    }

    async fn borrowed(&self) -> Result<Borrowed, sqlx::Error> {
        let asked = self.clock.elapsed();
        let borrowed = Borrowed::from(&self.pool).await;
        self.waits.add(self.clock.elapsed().saturating_sub(asked));
        borrowed
    }

    /// Returns all rows of a query that only reads.
    pub(super) async fn all<'q>(&self, query: impl Fn() -> Asked<'q>) -> Result<Vec<PgRow>, StoreError> {
        let read = async {
            let mut left = self.most;
            loop {
                let mut db = self.borrowed().await?;
                match query().fetch_all(&mut *db).await {
                    Err(error) if is_lost(&error) && left > 0 => left -= 1,
                    Err(error) => return Err(error.into()),
                    Ok(rows) => {
                        db.release();
                        return Ok(rows);
                    }
                }
            }
        };
        self.in_time(read).await
    }

    /// Returns the row of a query that only reads and finds exactly one row.
    pub(super) async fn one<'q>(&self, query: impl Fn() -> Asked<'q>) -> Result<PgRow, StoreError> {
        self.all(query).await?.pop().ok_or(StoreError::Refused(sqlx::Error::RowNotFound))
    }

    /// Begins a transaction, and returns its connection and the server's clock, in milliseconds since 1970. Closes read-only sessions,
    /// because a new session may be able to write: the setting may have changed, or the address may lead to another server.
    pub(super) async fn begin(&self) -> Result<(Borrowed, i64), StoreError> {
        let mut left = self.most;
        // While new sessions are read-only too, a transaction replaces only the idle ones. Otherwise, it would open as many as the pool holds.
        let mut read_only_left =
            if self.is_read_only.load(Relaxed) { self.pool.num_idle() } else { self.most as usize };
        loop {
            let mut db = self.borrowed().await?;
            match sqlx::raw_sql(server::BEGIN).fetch_one(&mut *db).await {
                // The transaction has not begun, so another connection can be used.
                Err(error) if is_lost(&error) && left > 0 => left -= 1,
                Err(error) => return Err(error.into()),
                Ok(row) => {
                    let is_read_only = row.try_get(1)?;
                    if is_read_only && read_only_left > 0 {
                        read_only_left -= 1;
                        continue;
                    }
                    self.is_read_only.store(is_read_only, Relaxed);
                    db.state = State::InTransaction;
                    return Ok((db, row.try_get(0)?));
                }
            }
        }
    }

    /// Begins a read-only transaction that sees the database at one moment.
    pub(super) async fn moment(&self) -> Result<Borrowed, StoreError> {
        let mut db = self.borrowed().await?;
        sqlx::raw_sql("begin isolation level repeatable read, read only").execute(&mut *db).await?;
        db.state = State::InTransaction;
        Ok(db)
    }

    /// Runs a transaction, and repeats it as long as it conflicts with others.
    pub(super) async fn with_retries<T, F>(&self, attempt: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let attempts = async {
            let mut left = REPEATS_MAX;
            loop {
                match Box::pin(attempt()).await {
                    Err(error) if is_overtaken(&error) && left > 0 => {
                        tracing::debug!(%error, "transaction repeated after a conflict");
                        left -= 1;
                    }
                    ended => return ended,
                }
            }
        };
        self.in_time(attempts).await
    }

    async fn in_time<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let late = || StoreError::Unavailable(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()));
        timeout(self.patience, call).await.unwrap_or_else(|_| Err(late()))
    }
}

/// Whether the connection is lost, for example because the server restarted.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        // An administrator, or a shutdown or crash of the server, ended the session.
        sqlx::Error::Database(error) => matches!(error.code().as_deref(), Some("57P01" | "57P02")),
        _ => false,
    }
}

/// Whether a repeat may succeed: after a serialization failure, a deadlock, or a unique violation because two
/// transactions added the same row.
fn is_overtaken(error: &StoreError) -> bool {
    match error {
        StoreError::Overtaken { .. } => true,
        StoreError::Unavailable(error) | StoreError::Refused(error) => {
            let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
            matches!(code.as_deref(), Some("40001" | "40P01" | "23505"))
        }
        _ => false,
    }
}
