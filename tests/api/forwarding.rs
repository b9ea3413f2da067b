//! Implements the store traits of `GatedStore` (`store.rs`) whose methods do nothing but pass the gate, call the real
//! store, and count the answer.

use async_trait::async_trait;
use puzzled::{
    clock::Millis,
    store::{
        AuditStore, Claim, ClaimStore, Claimed, CommitStore, DeliveryStore, EnqueueStore, GrowthStore, JobStore,
        LeaseStore, ProcessStore, PruneStore, QueueStore, RatingStore, RefillStore, StockStore, StoreError,
        TargetStore,
        actor::Actor,
        audit_entry::{AuditEntry, AuditFilter, Denial},
        change::Change,
        declaration::{Clash, Declaration, Declared},
        delivery::{Delivered, Delivery, DeliveryId, NewDelivery},
        growth::{Growth, GrowthChange},
        job::{Batch, Enqueued, FailedAttempt, Guarded, Job, JobId, Lease, NewJob, SliceWork},
        process::{Listed, Process},
        puzzle::{Place, Puzzle, PuzzleId, Shelf, ShelfFilter},
        queue::{Prune, Pruned, QueueState, Stops},
        rating::{NewRating, Rater, Rating},
        target::{Rate, Refill, Refilled, StockTarget, Stop, TargetCreated, TargetId, TargetUpdated, Wish},
    },
};

use crate::store::GatedStore;

macro_rules! forwarded {
    ($($store:ident { $($method:ident($($name:ident: $of:ty),*) -> $answer:ty;)* })*) => {$(
        #[async_trait]
        impl $store for GatedStore {$(
            async fn $method(&self, $($name: $of),*) -> Result<$answer, StoreError> {
                let answer = self.pass().await?.$method($($name),*).await;
                self.answered(stringify!($method));
                answer
            }
        )*}
    )*};
}

forwarded! {
    AuditStore {
        note(by: &Actor, details: serde_json::Value) -> ();
        note_denied(denials: &[Denial]) -> ();
        audit_entries(filter: &AuditFilter, before: Option<i64>, limit: u32) -> Vec<AuditEntry>;
    }
    ProcessStore {
        keep_process(process: &Process) -> ();
        remove_process(name: &str) -> bool;
        processes(after: Option<i64>, limit: u32) -> Vec<Listed>;
        running_workers() -> u64;
    }
    EnqueueStore {
        enqueue_all(jobs: &[NewJob], open_jobs_max: u32) -> Vec<Enqueued>;
        enqueue_batch(jobs: &[NewJob], open_jobs_max: u32) -> Batch;
    }

    async fn running_workers(&self) -> Result<u64, StoreError> {
        self.pass().await?.running_workers().await
    }
}

#[async_trait]
impl EnqueueStore for GatedStore {
    async fn enqueue_all(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError> {
        self.pass().await?.enqueue_all(jobs, open_jobs_max).await
    }

    async fn enqueue_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError> {
        self.pass().await?.enqueue_batch(jobs, open_jobs_max).await
    }
}

#[async_trait]
impl ClaimStore for GatedStore {
    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.pass().await?.claim(claim).await
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        self.pass().await?.next_due().await
    }
}

#[async_trait]
impl LeaseStore for GatedStore {
    async fn renew(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError> {
        self.pass().await?.renew(leases, lease_ms).await
    }

    async fn fail_attempt(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        self.pass().await?.fail_attempt(lease, failed).await
    }

    async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        self.pass().await?.give_back(lease).await
    }
}

#[async_trait]
impl CommitStore for GatedStore {
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        self.pass().await?.commit(lease, work).await
    }
}

#[async_trait]
impl QueueStore for GatedStore {
    async fn queue_state(&self) -> Result<QueueState, StoreError> {
        self.pass().await?.queue_state().await
    }

    async fn stops(&self) -> Result<Stops, StoreError> {
        self.pass().await?.stops().await
    }

    async fn set_pause(&self, pause: Option<&str>, by: &Actor) -> Result<bool, StoreError> {
        self.pass().await?.set_pause(pause, by).await
    }
}

#[async_trait]
impl GrowthStore for GatedStore {
    async fn keep_growth(&self, bounds: Option<Growth>) -> Result<GrowthChange, StoreError> {
        self.pass().await?.keep_growth(bounds).await
    }
}

#[async_trait]
impl PruneStore for GatedStore {
    async fn prune(&self, prune: Prune) -> Result<Pruned, StoreError> {
        self.pass().await?.prune(prune).await
    }
}

#[async_trait]
impl RatingStore for GatedStore {
    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError> {
        self.pass().await?.unrated(by, after, limit).await
    }

    async fn add_ratings(&self, ratings: &[NewRating], by: Option<&Actor>) -> Result<u64, StoreError> {
        self.pass().await?.add_ratings(ratings, by).await
    }

    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError> {
        self.pass().await?.ratings(ids).await
    }
}

#[async_trait]
impl DeliveryStore for GatedStore {
    async fn deliver(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        self.pass().await?.deliver(wanted).await
    }

    async fn deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.pass().await?.deliveries(audience, before, limit).await
    }

    async fn forget_audience(&self, audience: &str, by: &Actor) -> Result<u64, StoreError> {
        self.pass().await?.forget_audience(audience, by).await
    }
}

#[async_trait]
impl TargetStore for GatedStore {
    async fn create_target(&self, wish: &Wish, targets_max: u32, by: &Actor) -> Result<TargetCreated, StoreError> {
        self.pass().await?.create_target(wish, targets_max, by).await
    }

    async fn update_target(&self, id: TargetId, change: &Change, by: &Actor) -> Result<TargetUpdated, StoreError> {
        self.pass().await?.update_target(id, change, by).await
    }

    async fn target_page(&self, after: Option<TargetId>, limit: u32) -> Result<Vec<StockTarget>, StoreError> {
        self.pass().await?.target_page(after, limit).await
    }

    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        self.pass().await?.targets().await
    }

    async fn delete_target(&self, id: TargetId, by: &Actor) -> Result<Option<StockTarget>, StoreError> {
        self.pass().await?.delete_target(id, by).await
    }

    async fn declare_targets(
        &self,
        declaration: &Declaration,
        targets_max: u32,
        by: &Actor,
    ) -> Result<Result<Vec<Declared>, Clash>, StoreError> {
        self.pass().await?.declare_targets(declaration, targets_max, by).await
    }

    async fn rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError> {
        self.pass().await?.rates(specs).await
    }
}

#[async_trait]
impl RefillStore for GatedStore {
    async fn refill(&self, refill: Refill) -> Result<Refilled, StoreError> {
        self.pass().await?.refill(refill).await
    }

    async fn stop_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError> {
        self.pass().await?.stop_refill(id, stop).await
    }

    async fn refills(&self) -> Result<Vec<Job>, StoreError> {
        self.pass().await?.refills().await
    }
}
