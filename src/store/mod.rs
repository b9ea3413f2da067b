//! The store: rows, SQL, and the order of steps of each transaction. What is decided in between stands in the rules. One
//! conformance suite holds for every database.

pub mod audit;
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
mod growth_state;
mod job_states;
mod leases;
mod moved;
pub mod notice;
pub mod postgres;
pub mod probe;
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

pub use crate::rules::{change, declaration, delivery, growth, job, process, puzzle, queue, rating, repeat, target};
pub use error::StoreError;

use crate::{
    clock::Millis,
    rules::{admission, audience, choose, commit, policy::SliceSize, refill},
};
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

/// What every database has to do, by topic. Each method is one transaction: all of it happens, or nothing.
///
/// All times are compared by the store's own clock. A method that fails has changed nothing, unless the failure came
/// between the commit and the reply; that is why each of them can be called again.
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
    + Debug
    + Send
    + Sync
{
    /// Lets go of the database, once the writes under way have ended.
    async fn close(&self);

    /// An ear for what other processes do, where the database can tell; none where they have to look by themselves.
    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError>;

    /// Answers if the database does, and if it was not moved. Asks the catalog alone: a migration that waits for a lock, and all
    /// who wait behind it, do not keep it from answering.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Asks nothing of the database, and fails once this process has noticed that the database was moved: a ping or a write
    /// has met the fence. From then on each read and write of this store fails so, because what it would read is no longer
    /// true.
    ///
    /// # Errors
    /// [`StoreError::Moved`].
    fn must_be_here(&self) -> Result<(), StoreError>;

    /// The store's clock.
    async fn now(&self) -> Result<Millis, StoreError>;
}

/// Commits.
#[async_trait]
pub trait CommitStore {
    /// Stores the puzzles of a slice, its job's progress and the slice's end or rest, all at once, and returns the job as
    /// it is then. A puzzle is not stored if the stock has one that is alike: an isomorph, or one of its kind and variant with
    /// the same solution up to symmetry. Its index is then offered again from the next try on, and the repeat is counted. Of
    /// two of one job that are alike the lower index keeps its own, whichever came first: the puzzle of the higher one is
    /// withdrawn and its index offered again. Extra puzzles are passed over if the stock has one that is alike, and one that
    /// turns out to be alike to what the same job wanted gives way to it.
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError>;
}

/// A claim of the next slice.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Name of the worker that will hold the lease.
    pub worker: &'a str,
    /// How to choose the job.
    pub order: ClaimOrder,
    /// Token of the new lease.
    pub token: i64,
    /// Length of the lease, in milliseconds.
    pub lease_ms: i64,
    /// Failed attempts at one slice with which its job fails.
    pub attempts_max: u32,
    /// How many of the job's next indices a slice takes.
    pub size: SliceSize,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Claimed {
    /// The slice to work on, if any work was due.
    pub slice: Option<Slice>,
    /// The leases of open jobs that this claim took back.
    pub reclaimed_slices: Vec<ReclaimedSlice>,
}
