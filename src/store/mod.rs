//! The store: rows and SQL, no policy. One trait for every database; one conformance suite holds for all of them.

pub mod audit;
mod columns;
pub mod copy;
pub mod error;
mod handout;
mod moved;
pub mod notice;
pub mod postgres;
pub mod probe;
mod record;
mod rows;
mod same;
mod schema;
pub mod sqlite;

use std::fmt::Debug;

use async_trait::async_trait;

pub use crate::rules::{delivery, job, puzzle, queue, rating, target};
pub use error::StoreError;

use crate::{
    clock::Millis,
    rules::{admission, choose, commit, hand, policy::SliceSize, refill},
};
use delivery::{Delivered, Delivery, DeliveryId, NewDelivery};
use job::{
    Batch, ClaimOrder, Enqueued, FailedAttempt, Guarded, Job, JobFilter, JobId, Lease, NewJob, Slice, SliceWork,
};
use notice::Ear;
use puzzle::{Place, Puzzle, PuzzleId, Shelf, ShelfFilter};
use queue::{Prune, Pruned, QueueState, Rescue};
use rating::{NewRating, Rater, Rating};
use target::{Rate, Refill, Refilled, StockTarget, Stop, TargetId, TargetSet, Wish};

/// What every database has to do. Each method is one transaction: all of it happens, or nothing.
///
/// All times are compared by the store's own clock. A method that fails has changed nothing, unless the failure came
/// between the commit and the reply; that is why each of them can be called again.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Lets go of the database, once the writes under way have ended.
    async fn close(&self);

    /// An ear for what other processes do, where the database can tell; none where they have to look by themselves.
    async fn listen(&self) -> Result<Option<Box<dyn Ear>>, StoreError>;

    /// Answers if the database does.
    async fn ping(&self) -> Result<(), StoreError>;

    /// The store's clock.
    async fn now(&self) -> Result<Millis, StoreError>;

    /// Queues a job, unless its request is known, its shortfall has an open job, or `open_jobs_max` jobs are open. Durable
    /// when it returns.
    async fn enqueue(&self, job: NewJob, open_jobs_max: u32) -> Result<Enqueued, StoreError> {
        let enqueued = self.enqueue_all(&[job], open_jobs_max).await?.pop();
        enqueued.ok_or(StoreError::RowCount { statement: "queueing a job", wanted: 1, found: 0 })
    }

    /// Queues jobs of callers who know nothing of each other, as if one after the other, and says of each what came of it.
    /// Durable when it returns, all for the one wait for the disk.
    async fn enqueue_all(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError>;

    /// Queues jobs of one caller, all or none, in their order: none if one bears the name of another request, known or of an
    /// earlier one of them, or if more than `open_jobs_max` jobs would be open. One whose request is known, or stands before it,
    /// is that job. Durable when it returns.
    async fn enqueue_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError>;

    /// The job with an id.
    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Up to `limit` jobs with ids below `before`, newest first, without those that were taken off the lists.
    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError>;

    /// Ends an open job as cancelled; others stay as they are. None if there is no such job.
    async fn cancel(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Queues a failed or cancelled job again: its slices are offered at once with their failed attempts forgotten, and
    /// each index may have `tries_more` further tries. Others stay as they are, and so do those that were taken off the lists.
    /// None if there is no such job.
    async fn retry(&self, id: JobId, tries_more: u32) -> Result<Option<Job>, StoreError>;

    /// Claims a slice under a new lease, if any work is due: the rest of an earlier slice, or the next indices of a job,
    /// as many as `size` says. Leases that have run out are taken back first, whatever their jobs: each counts as a failed
    /// attempt, and, if its job is open, as a rescue on the job and on the queue. While the queue is paused nothing of this
    /// happens.
    async fn claim(&self, claim: Claim<'_>) -> Result<Claimed, StoreError>;

    /// Moves the expiry of the leases that still stand, and returns those that do not: lost, or of an ended job.
    async fn renew(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError>;

    /// Stores the puzzles of a slice, its job's progress and the slice's end or rest, all at once, and returns the job as
    /// it is then. A puzzle is not stored if the stock has one that is alike: an isomorph, or one of its kind and variant with
    /// the same solution up to symmetry. Its index is then offered again from the next try on, and the repeat is counted. Of
    /// two of one job that are alike the lower index keeps its own, whichever came first: the puzzle of the higher one is
    /// withdrawn and its index offered again. Extra puzzles are passed over if the stock has one that is alike, and one that
    /// turns out to be alike to what the same job wanted gives way to it.
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError>;

    /// Notes a failed attempt and offers the slice again after its back-off, or fails the job.
    async fn fail_attempt(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError>;

    /// Gives a lease back unworked; the slice is offered again at once.
    async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError>;

    /// When work falls due next that nobody holds: now or earlier if there is some, none if there is none at all, or while
    /// the queue is paused.
    async fn next_due(&self) -> Result<Option<Millis>, StoreError>;

    /// The queue as a whole, all of one moment.
    async fn queue_state(&self) -> Result<QueueState, StoreError>;

    /// Pauses the queue for a reason, which may be empty, or lets it go on (none). No claim that begins after a pause has
    /// returned gets a slice, in any process, until the queue is let go on; leases stand, and are renewed and committed. A
    /// queue that is paused already keeps its time, and its reason unless there is another one.
    async fn set_pause(&self, pause: Option<&str>) -> Result<(), StoreError>;

    /// Clears away a bounded part of what is old, in this order: ended jobs are taken off the lists, but for the last one of
    /// each stock target, which its forecast reads; names of requests whose jobs were taken off long ago are forgotten; jobs
    /// that were taken off are deleted once they have neither a puzzle nor the name of a request; deliveries are forgotten, but
    /// for those of days, which stay fixed. What an audience was handed out is not handed out to it again by position all the
    /// same: cursors stay. Puzzles and rates are never touched. Any number of processes may do this at once.
    async fn prune(&self, prune: Prune) -> Result<Pruned, StoreError>;

    /// All shelves, by id.
    async fn shelves(&self) -> Result<Vec<Shelf>, StoreError>;

    /// The puzzles at these places in this order; none where the place is empty or its puzzle withdrawn. One read.
    async fn puzzles_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError>;

    /// The puzzle with an id, withdrawn or not.
    async fn puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError>;

    /// Up to `limit` puzzles in circulation with ids above `after`, by id.
    async fn puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError>;

    /// Up to `limit` puzzles in circulation of the rater's kind with ids above `after`, by id, of which neither the record that
    /// decided their shelf nor a later one is by this rater at this version or a higher one. Looks at each puzzle behind
    /// `after` until it has found so many.
    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError>;

    /// Adds what raters said of puzzles and returns how many of these were not known yet: what a rater at one version has said
    /// of a puzzle before stays. Puzzles and shelves stay as they are.
    async fn add_ratings(&self, ratings: &[NewRating]) -> Result<u64, StoreError>;

    /// What was added of these puzzles, by puzzle, oldest first.
    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError>;

    /// Hands puzzles out, each to its audience, and notes it, all in one transaction; the results stand in the order of what
    /// was asked. No audience gets a solution twice, up to symmetry; who asks under a name that is known gets what was
    /// handed out under it. Durable when it returns.
    async fn deliver(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError>;

    /// Up to `limit` deliveries to an audience with numbers below `before`, newest first; none to one that is not known.
    async fn deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError>;

    /// Forgets an audience and all that was handed out to it. Returns the number of deliveries forgotten.
    async fn forget_audience(&self, audience: &str) -> Result<u64, StoreError>;

    /// Takes a puzzle out of circulation for ever: it stays where it stands and is found by its id, but is not handed out
    /// again, and none that is alike is stored. One that is withdrawn already stays as it is. None if there is no such puzzle.
    async fn withdraw(&self, id: PuzzleId, reason: &str) -> Result<Option<Puzzle>, StoreError>;

    /// Sets the target of a spec, unless it would be one more than `targets_max`.
    async fn set_target(&self, wish: Wish, targets_max: u32) -> Result<TargetSet, StoreError>;

    /// All targets, by id.
    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError>;

    /// Deletes a target and returns it; its job goes on. None if there is no such target.
    async fn delete_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError>;

    /// Sets the targets that the configuration file declares, and deletes those that it no longer does.
    async fn declare_targets(&self, wishes: &[Wish]) -> Result<(), StoreError>;

    /// Queues a job that fills a target, if the target needs it and has none; while the queue is paused only if it is asked
    /// for by hand. Of any number of callers who saw the same shortfall, one queues a job.
    async fn refill(&self, refill: Refill) -> Result<Refilled, StoreError>;

    /// Ends an open refill as cancelled, with the reason as its error. None if it is not open, fills no target any more, or,
    /// should it be too late for it, has time left.
    async fn stop_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError>;

    /// For each target that had a job its open one, else its last, by id.
    async fn refills(&self) -> Result<Vec<Job>, StoreError>;

    /// What came of all tries at these specs ([`Spec::words`](puzzled_engine::spec::Spec::words)) under this version of the
    /// engine; those never tried are left out.
    async fn rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError>;
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
    pub rescues: Vec<Rescue>,
}
