//! The operations of a store, which two databases implement.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{
    access::audit_store::AuditStore,
    deliveries::{delivery_store::DeliveryStore, find_store::FindStore, release_store::ReleaseStore},
    error::StoreError,
    jobs::{
        claim_store::ClaimStore,
        commit_store::CommitStore,
        enqueue_store::EnqueueStore,
        job_store::JobStore,
        lease_store::LeaseStore,
        process_store::ProcessStore,
        queue_store::{GrowthStore, QueueStore},
    },
    notices::{Listener, Rescue},
    prune_store::PruneStore,
    series::{day_store::DayStore, series_store::SeriesStore},
    sql::database::PoolUse,
    stock::{
        import_store::ImportStore,
        rating_store::RatingStore,
        stock_store::{PositionStore, StockStore},
        withdrawal_store::WithdrawalStore,
    },
    targets::{refill_store::RefillStore, target_store::TargetStore},
};
use puzzled_base::{clock::Millis, counters::Durations};

/// The operations of a store, by topic. Each method is one transaction: it changes everything or nothing.
///
/// The store compares all times with its own clock. A method that fails has changed nothing, unless the failure came
/// between the commit and the reply. Each method can be called again after a failure.
#[async_trait]
pub trait Store:
    EnqueueStore
    + JobStore
    + ClaimStore
    + LeaseStore
    + CommitStore
    + QueueStore
    + GrowthStore
    + PruneStore
    + ProcessStore
    + StockStore
    + PositionStore
    + WithdrawalStore
    + ReleaseStore
    + RatingStore
    + ImportStore
    + DeliveryStore
    + FindStore
    + TargetStore
    + RefillStore
    + SeriesStore
    + DayStore
    + AuditStore
    + Debug
    + Send
    + Sync
{
    /// Closes the database after the writes in progress have ended.
    async fn close(&self);

    /// Returns a listener for the notices of other processes; `None` if the database has no notices, so that
    /// processes must poll.
    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError>;

    /// Succeeds if the database answers. A migration that waits for a lock, and the calls queued behind that migration,
    /// do not block it.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Saves what an SQLite file holds if its path leads to another file, because the file was deleted or replaced while it was open. From
    /// then on, each call fails with [`StoreError::Replaced`], and a further call of this method saves the rows once more. `None` if the path
    /// has always led to the open file, and on PostgreSQL.
    async fn rescue_if_replaced(&self) -> Option<Rescue> {
        None
    }

    /// The connections to the database, at this moment.
    fn connections(&self) -> PoolUse;

    /// How long reads and writes of this process have waited for a connection. Draws on SQLite do not count, because
    /// they have their own connection.
    fn connection_waits(&self) -> &Durations;

    /// How often reads for draws failed and were repeated row by row; 0 on PostgreSQL, which always reads rows.
    fn draw_fallbacks(&self) -> u64 {
        0
    }

    /// The size of the write-ahead log, in bytes; `None` on PostgreSQL, or if the size cannot be read.
    fn wal_bytes(&self) -> Option<u64>;

    /// The time by the store's clock.
    async fn now(&self) -> Result<Millis, StoreError>;
}
