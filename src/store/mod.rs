//! Stores jobs, puzzles, stock targets, deliveries, and the audit trail in SQLite or PostgreSQL: rows, SQL, and the
//! order of steps in each transaction. Decisions between the steps are in `src/rules`. One conformance suite tests both
//! databases.

mod audit;
pub mod check;
mod claims;
mod column_lists;
mod columns;
mod commits;
pub mod copy;
mod database;
mod deliveries;
mod delivery_batch;
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
mod ratings;
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
    rules::{admission, audience, choose, commit, open_quotas, policy::SliceSize, principal, refill},
};
pub use audit::AuditStore;
pub use claims::ClaimStore;
pub use deliveries::DeliveryStore;
pub use enqueue::EnqueueStore;
pub use growth_state::GrowthStore;
use job::{ClaimOrder, Guarded, Job, Lease, Slice, SliceWork};
pub use job_states::JobStore;
pub use leases::LeaseStore;
use notice::Listener;
pub use processes::ProcessStore;
pub use prune::PruneStore;
use queue::ReclaimedSlice;
pub use queue_state::QueueStore;
pub use ratings::RatingStore;
pub use refills::RefillStore;
pub use shelves::StockStore;
pub use targets::TargetStore;

/// The operations of a store, by topic. Each method is one transaction: it changes everything or nothing.
///
/// All times are compared by the store's own clock. A method that fails has changed nothing, unless the failure came
/// between the commit and the reply. Therefore every method can be repeated.
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

    /// The times that reads and writes of this process have waited for a connection. Draws on SQLite have one of their own.
    fn connection_waits(&self) -> &Durations;

    /// The size of the write-ahead log, in bytes; `None` if it cannot be told, as on PostgreSQL.
    fn wal_bytes(&self) -> Option<u64>;

    /// The time by the store's clock.
    async fn now(&self) -> Result<Millis, StoreError>;
}

/// The connections of a process to its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUse {
    /// Connections that are in use.
    pub used: u32,
    /// Connections that are open and idle.
    pub idle: u32,
}

impl PoolUse {
    /// Of a pool with so many connections, of which so many are idle.
    pub(crate) fn of(size: u32, idle: usize) -> Self {
        let idle = u32::try_from(idle).unwrap_or(size).min(size);
        Self { used: size - idle, idle }
    }
}

/// Commits the results of slices.
#[async_trait]
pub trait CommitStore {
    /// Stores the puzzles of a slice, its job's progress, and the slice's end or rest, all at once, and returns the
    /// updated job.
    ///
    /// A repeat is not stored: a puzzle of which the stock has an isomorph, or one of the same kind and variant with
    /// the same solution up to symmetry. Its index is offered again from the next try, and the repeat is counted. Of
    /// two puzzles of one job that are alike, the lower index keeps its own, even if it came later: the other puzzle
    /// is withdrawn, and its index is offered again. A surplus puzzle is dropped if the stock has a puzzle that is
    /// alike. If the same job later makes a wanted puzzle that is alike, that one replaces the surplus puzzle.
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError>;
}

/// A claim of the next slice.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Name of the worker that will hold the lease.
    pub worker: &'a str,
    /// The order in which jobs are chosen.
    pub order: ClaimOrder,
    /// Token of the new lease.
    pub token: i64,
    /// Length of the lease, in milliseconds.
    pub lease_ms: i64,
    /// The number of failed attempts at one slice at which its job fails.
    pub attempts_max: u32,
    /// How many of the job's next indices a slice takes.
    pub size: SliceSize,
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Claimed {
    /// The slice to work on, if any work was due.
    pub slice: Option<Slice>,
    /// The expired leases of open jobs that this claim reclaimed.
    pub reclaimed_slices: Vec<ReclaimedSlice>,
}
