//! Stores jobs, puzzles, stock targets, deliveries, and the audit trail in SQLite or PostgreSQL: rows, SQL, and the
//! order of steps in each transaction. Decisions between the steps are in `src/rules`. One conformance suite tests both
//! databases.

mod audit;
pub mod check;
mod claims;
mod column_lists;
mod commits;
pub mod copy;
mod database;
mod deliveries;
mod enqueue;
pub mod error;
pub mod fault_points;
mod growth_state;
mod job_states;
mod leases;
pub mod notice;
pub mod postgres;
mod processes;
mod prune;
mod queue_state;
mod record;
mod refills;
mod rows;
pub mod schema;
mod shelves;
pub mod sqlite;
mod targets;

use std::fmt::Debug;

use async_trait::async_trait;

pub use crate::rules::{
    actor, audit_entry, change, declaration, delivery, growth, job, process, puzzle, queue, rating, repeat, target,
};
pub use error::StoreError;

use crate::{
    clock::Millis,
    counters::Durations,
    rules::{admission, audience, choose, open_quotas, principal, slice},
};
pub use audit::AuditStore;
pub use claims::{Claim, ClaimStore, Claimed};
pub use commits::CommitStore;
pub use database::PoolUse;
pub use deliveries::DeliveryStore;
pub use enqueue::EnqueueStore;
pub use growth_state::GrowthStore;
pub use job_states::JobStore;
pub use leases::LeaseStore;
use notice::Listener;
pub use processes::ProcessStore;
pub use prune::PruneStore;
pub use queue_state::QueueStore;
pub use refills::RefillStore;
pub use shelves::{RatingStore, StockStore};
pub use targets::TargetStore;

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
    + RatingStore
    + DeliveryStore
    + TargetStore
    + RefillStore
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

    /// The connections to the database, at this moment.
    fn connections(&self) -> PoolUse;

    /// How long reads and writes of this process have waited for a connection. Draws on SQLite do not count, because
    /// they have their own connection.
    fn connection_waits(&self) -> &Durations;

    /// The size of the write-ahead log, in bytes; `None` on PostgreSQL, or if the size cannot be read.
    fn wal_bytes(&self) -> Option<u64>;

    /// The time by the store's clock.
    async fn now(&self) -> Result<Millis, StoreError>;
}
