//! Connections in use: taken from the pool, and given back only if nothing of theirs is left under way.

use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};

use sqlx::{
    PgConnection, PgPool, Postgres, Row as _,
    pool::PoolConnection,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use tokio::{runtime::Handle, time::timeout};

use super::{StoreError, moved::Fence};

/// Repeats of a transaction that was in another one's way. Each time one of the two got through.
const REPEATS_MAX: u32 = 16;

/// How long a transaction that was left may take to be undone. It takes longer if it was left in the middle of a statement;
/// the connection is then closed, and the server undoes it when it comes to that.
const UNDO_PATIENCE: Duration = Duration::from_secs(1);

/// A connection that is given back, or dropped by whoever fails or goes away. Then its transaction is undone, and one that
/// was reading is closed: nobody waits for that, and the next user of the connection finds nothing of it.
#[derive(Debug)]
pub(super) struct Borrowed {
    /// Until it is dropped.
    connection: Option<PoolConnection<Postgres>>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing of its user is left under way.
    Clean,
    /// A statement may be under way.
    InUse,
    /// A transaction is under way.
    InTransaction,
}

impl Borrowed {
    pub(super) async fn from(pool: &PgPool) -> Result<Self, sqlx::Error> {
        Ok(Self { connection: Some(pool.acquire().await?), state: State::InUse })
    }

    /// Gives it back.
    pub(super) fn release(mut self) {
        self.state = State::Clean;
    }
}

impl Deref for Borrowed {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        match &self.connection {
            Some(connection) => connection,
            None => unreachable!("only its end takes the connection"),
        }
    }
}

impl DerefMut for Borrowed {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("only its end takes the connection"),
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
    let undone = timeout(UNDO_PATIENCE, sqlx::raw_sql("rollback").execute(&mut *connection)).await;
    if !matches!(undone, Ok(Ok(_))) {
        connection.close_on_drop();
    }
}

/// The pool with its bounds on time and on repeats.
#[derive(Debug)]
pub(super) struct Connections {
    pool: PgPool,
    /// Connections that may have died together, and so how often one is taken that has.
    most: u32,
    /// Time for one statement or transaction, waits and repeats included.
    patience: Duration,
    fence: Fence,
}

/// A query with its parameters.
type Asked<'q> = Query<'q, Postgres, PgArguments>;

impl Connections {
    pub(super) fn new(pool: PgPool, most: u32, patience: Duration) -> Self {
        Self { pool, most, patience, fence: Fence::default() }
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    /// What was noticed of a move.
    pub(super) fn fence(&self) -> &Fence {
        &self.fence
    }

    /// All rows of a query that only reads.
    pub(super) async fn all<'q>(&self, query: impl Fn() -> Asked<'q>) -> Result<Vec<PgRow>, StoreError> {
        self.fence.check()?;
        let read = async {
            let mut left = self.most;
            loop {
                let mut db = Borrowed::from(&self.pool).await?;
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

    /// The row of a query that only reads, if there is one.
    pub(super) async fn optional<'q>(&self, query: impl Fn() -> Asked<'q>) -> Result<Option<PgRow>, StoreError> {
        Ok(self.all(query).await?.into_iter().next())
    }

    /// The row of a query that only reads and has one.
    pub(super) async fn one<'q>(&self, query: impl Fn() -> Asked<'q>) -> Result<PgRow, StoreError> {
        self.optional(query).await?.ok_or(StoreError::Refused(sqlx::Error::RowNotFound))
    }

    /// A connection in a new transaction, and the server's clock, in milliseconds since 1970.
    pub(super) async fn begin(&self) -> Result<(Borrowed, i64), StoreError> {
        self.fence.check()?;
        let mut left = self.most;
        loop {
            let mut db = Borrowed::from(&self.pool).await?;
            match sqlx::raw_sql(concat!("begin; select ", clock!())).fetch_one(&mut *db).await {
                // Nothing has happened yet, so another connection does as well.
                Err(error) if is_lost(&error) && left > 0 => left -= 1,
                Err(error) => return Err(error.into()),
                Ok(row) => {
                    db.state = State::InTransaction;
                    return Ok((db, row.try_get(0)?));
                }
            }
        }
    }

    /// A connection in a new transaction that sees one moment of the database.
    pub(super) async fn moment(&self) -> Result<Borrowed, StoreError> {
        let mut db = Borrowed::from(&self.pool).await?;
        sqlx::raw_sql("begin isolation level repeatable read, read only").execute(&mut *db).await?;
        db.state = State::InTransaction;
        Ok(db)
    }

    /// Makes a transaction, and makes it again while others are in its way.
    pub(super) async fn repeated<T, F>(&self, attempt: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let attempts = async {
            let mut left = REPEATS_MAX;
            loop {
                match Box::pin(attempt()).await {
                    Err(error) if is_overtaken(&error) && left > 0 => {
                        tracing::debug!(%error, "a transaction met another one, and is repeated");
                        left -= 1;
                    }
                    ended => return ended,
                }
            }
        };
        self.fence.noticing(self.in_time(attempts).await)
    }

    async fn in_time<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let late = || StoreError::Unavailable(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()));
        timeout(self.patience, call).await.unwrap_or_else(|_| Err(late()))
    }
}

/// Whether the connection is gone, as it is when the server was started anew.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        // Ended by an administrator, or with the server.
        sqlx::Error::Database(error) => matches!(error.code().as_deref(), Some("57P01" | "57P02")),
        _ => false,
    }
}

/// Whether the transaction can be made once another one has ended: serialization failures, deadlocks, and rows that both
/// wanted to add.
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
