//! The advisory locks of the PostgreSQL store, which belong to no row, and the order in which transactions take all
//! locks. An advisory lock is held to the end of its transaction, except that of migrations.
//!
//! Every transaction locks in this order, so that two transactions never wait for each other:
//!
//! 1. one of the locks below, except that of new shelves,
//! 2. a target, or series by ID,
//! 3. slices by ID,
//! 4. the lock of new shelves,
//! 5. shelves by ID,
//! 6. puzzles by repeat hash,
//! 7. jobs by ID,
//! 8. rates by spec,
//! 9. the queue.
//!
//! A claim locks its job first and then a slice, but never waits for the slice. A delivery locks its audiences. Its
//! other locks block no other transaction: new rows that refer to a puzzle or a shelf block neither a withdrawal of the
//! puzzle nor the counts of the shelf. These locks keep a puzzle from being deleted, but the transaction that would
//! delete it leaves it out instead of waiting.

use sqlx::PgConnection;

use crate::{
    StoreError,
    sql::{database::Lock as Shared, statements::server},
};

/// An advisory lock.
pub(super) struct Lock(i64);

/// One process at a time runs migrations. Its session holds this lock; see [`Lock::try_hold`].
pub(super) const MIGRATE: Lock = Lock(0x7075_7a7a_6c65_0001);

/// See [`Shared::Enqueue`].
const ENQUEUE: Lock = Lock(0x7075_7a7a_6c65_0002);

/// See [`Shared::Targets`].
const TARGETS: Lock = Lock(0x7075_7a7a_6c65_0004);

/// See [`Shared::Prune`].
const PRUNE: Lock = Lock(0x7075_7a7a_6c65_0005);

/// See [`Shared::Shelves`].
const SHELVES: Lock = Lock(0x7075_7a7a_6c65_0006);

/// One half of an audience's lock; its name is the other half.
const AUDIENCES: i32 = 0x7075_7a7a;

/// See [`Shared::Reclaim`].
const RECLAIM: Lock = Lock(0x7075_7a7a_6c65_0003);

impl Lock {
    /// Waits for the lock and takes it.
    pub(super) async fn take(&self, connection: &mut PgConnection) -> Result<(), StoreError> {
        sqlx::query(server::LOCK).bind(self.0).execute(connection).await?;
        Ok(())
    }

    /// Takes the lock until the session ends. Returns false if another session has it.
    pub(super) async fn try_hold(&self, connection: &mut PgConnection) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar(server::TRY_LOCK).bind(self.0).fetch_one(connection).await?)
    }
}

/// Waits for the lock that a write requests.
pub(super) async fn take(connection: &mut PgConnection, lock: Shared<'_>) -> Result<(), StoreError> {
    match lock {
        Shared::Enqueue => ENQUEUE.take(connection).await,
        Shared::Targets => TARGETS.take(connection).await,
        Shared::Reclaim => RECLAIM.take(connection).await,
        Shared::Prune => PRUNE.take(connection).await,
        Shared::Shelves => SHELVES.take(connection).await,
        Shared::Audiences(names) => take_audiences(connection, names).await,
    }
}

/// Waits for the locks of audiences, new or known. All writes take them in one order.
async fn take_audiences(connection: &mut PgConnection, names: &[&str]) -> Result<(), StoreError> {
    sqlx::query(server::LOCK_AUDIENCES).bind(AUDIENCES).bind(names).execute(connection).await?;
    Ok(())
}
