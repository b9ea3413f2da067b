//! Implements the store traits of `GatedStore` (`store.rs`) whose methods do nothing but pass the gate, call the real
//! store, and count the answer.

use async_trait::async_trait;
use jiff::civil::Date;
use puzzled_base::{
    clock::Millis,
    ids::{JobId, PuzzleId, TargetId},
};
use puzzled_store::{
    AuditStore, Claim, ClaimStore, Claimed, CommitStore, DayStore, DeliveryStore, EnqueueStore, FindStore, GrowthStore,
    ImportStore, JobStore, LeaseStore, PositionStore, ProcessStore, PruneStore, QueueStore, RatingStore, RefillStore,
    ReleaseStore, SeriesStore, StockStore, StoreError, TargetStore, WithdrawalStore,
    access::{
        actor::Actor,
        audit_entry::{AuditEntry, AuditFilter, Denial},
    },
    deliveries::{
        delivery::{Delivered, Delivery, DeliveryId, Forgotten, NewDelivery},
        find::{self, Source},
        history::{Had, Recorded},
        holder::{Holder, Release, ReleaseOf},
    },
    jobs::{
        admission::{Batch, Enqueued},
        growth::{Growth, GrowthChange},
        job::{Cancelled, Job, JobFilter, NewJob, Retried},
        process::{Listed, Process},
        queue_state::{Prune, Pruned, QueueState, Stops},
        slice::{FailedAttempt, Guarded, Lease, Likeness, SliceWork},
    },
    series::{
        daily_series::{Series, SeriesId, SeriesWish},
        day::{Day, DayDelivery, DayDrawn, NewDay},
        update::{SeriesChange, SeriesCreated, SeriesUpdated},
    },
    stock::{
        filter::ShelfFilter,
        import::{Examined, Import, Imported},
        puzzle::{OriginFilter, Position, Puzzle, Shelf, ShelfId},
        rating::{NewRating, Rater, Rating},
        withdrawal::{Matching, Withdrawal, Withdrew},
    },
    targets::{
        change::Change,
        declaration::{Clash, Declaration, Declared},
        target::{MakingRate, Refill, Refilled, StockTarget, Stop, TargetCreated, TargetUpdated, Wish},
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
    ClaimStore {
        claim(claim: Claim) -> Claimed;
        next_due() -> Option<Millis>;
    }
    LeaseStore {
        renew(leases: &[Lease], lease_ms: i64) -> Vec<Lease>;
        fail_attempt(lease: Lease, failed: FailedAttempt) -> Guarded<Job>;
        give_back(lease: Lease) -> Guarded<()>;
    }
    CommitStore {
        commit(lease: Lease, work: SliceWork) -> Guarded<Job>;
    }
    QueueStore {
        queue_state() -> QueueState;
        stops() -> Stops;
        set_pause(pause: Option<&str>, by: &Actor) -> bool;
    }
    GrowthStore {
        keep_growth(bounds: Option<Growth>) -> GrowthChange;
    }
    PruneStore {
        prune(prune: Prune) -> Pruned;
    }
    RatingStore {
        unrated(by: &Rater, after: Option<PuzzleId>, limit: u32) -> Vec<Puzzle>;
        add_ratings(ratings: &[NewRating], by: Option<&Actor>) -> u64;
        ratings(ids: &[PuzzleId]) -> Vec<Rating>;
    }
    DeliveryStore {
        deliver(wanted: &[NewDelivery]) -> Vec<Delivered>;
        deliveries(audience: &str, before: Option<DeliveryId>, limit: u32) -> Vec<Delivery>;
        record_deliveries(audience: &str, had: &[Had], by: &Actor) -> Recorded;
        forget_audience(audience: &str, by: &Actor) -> Forgotten;
    }
    FindStore {
        alike(likeness: &Likeness) -> Option<Puzzle>;
        newest(source: &Source, kind_and_base: (&str, &str), before: Option<i64>, limit: u32) -> Vec<find::Listed>;
    }
    TargetStore {
        create_target(wish: &Wish, targets_max: u32, by: &Actor) -> TargetCreated;
        update_target(id: TargetId, change: &Change, by: &Actor) -> TargetUpdated;
        target_page(after: Option<TargetId>, limit: u32) -> Vec<StockTarget>;
        targets() -> Vec<StockTarget>;
        delete_target(id: TargetId, by: &Actor) -> Option<StockTarget>;
        declare_targets(declaration: &Declaration, targets_max: u32, by: &Actor) -> Result<Vec<Declared>, Clash>;
        rates(specs: &[String]) -> Vec<MakingRate>;
    }
    RefillStore {
        refill(refill: Refill) -> Refilled;
        stop_refill(id: JobId, stop: Stop) -> Option<Job>;
        refills() -> Vec<Job>;
    }
    JobStore {
        job(id: JobId) -> Option<Job>;
        jobs(filter: &JobFilter, before: Option<JobId>, limit: u32) -> Vec<Job>;
        cancel(id: JobId, by: &Actor) -> Cancelled;
        retry(id: JobId, tries_more: u32, by: &Actor) -> Retried;
    }
    PositionStore {
        puzzles_at(positions: &[Position], with_record: bool) -> Vec<Option<Puzzle>>;
    }
    StockStore {
        shelves() -> Vec<Shelf>;
        live_position(shelf_id: ShelfId, number: u64) -> Option<Position>;
        puzzle(id: PuzzleId) -> Option<Puzzle>;
        puzzles(filter: &ShelfFilter, after: Option<PuzzleId>, limit: u32, with_record: bool) -> Vec<Puzzle>;
        puzzles_of(
            origin: &OriginFilter, filter: &ShelfFilter, after: Option<PuzzleId>, limit: u32, with_record: bool
        ) -> Vec<Puzzle>;
        withdraw(id: PuzzleId, reason: &str, by: &Actor) -> Option<Puzzle>;
    }
    ImportStore {
        import(import: &Import, records: &[Examined], by: &Actor) -> Imported;
    }
    SeriesStore {
        create_series(wish: &SeriesWish, first: Option<Date>, by: &Actor) -> SeriesCreated;
        update_series(name: &str, change: &SeriesChange, by: &Actor) -> SeriesUpdated;
        end_series(name: &str, by: &Actor) -> Option<Series>;
        settle_series(id: SeriesId) -> ();
        all_series() -> Vec<Series>;
        series(name: &str) -> Option<Series>;
        declare_series(declaration: &Declaration<SeriesWish>, by: &Actor) -> Result<Vec<Declared<Series>>, Clash>;
    }
    DayStore {
        days(from: Date) -> Vec<Day>;
        puzzle_of_day(series: SeriesId, date: Date) -> Option<Puzzle>;
        free_held(limit: u32) -> Vec<Puzzle>;
        draw_day(new: &NewDay) -> DayDrawn;
        deliver_days(deliveries: &[DayDelivery]) -> Vec<bool>;
        day_of(puzzle: PuzzleId) -> Option<Day>;
        jobs_of_series(name: &str, limit: u32) -> Vec<(String, Job)>;
    }
    WithdrawalStore {
        withdrawable(withdrawal: &Withdrawal, after: Option<PuzzleId>, limit: u32) -> Vec<PuzzleId>;
        count_withdrawable(withdrawal: &Withdrawal) -> Matching;
        withdraw_many(withdrawal: &Withdrawal, after: Option<PuzzleId>, limit: u32, by: &Actor) -> Withdrew;
    }
    ReleaseStore {
        count_held(holder: Option<&Holder>, filter: &ShelfFilter) -> u64;
        releasable(of: &ReleaseOf, limit: u32) -> Vec<PuzzleId>;
        count_releasable(of: &ReleaseOf) -> u64;
        count_kept(of: &ReleaseOf) -> u64;
        release(release: &Release, limit: u32, by: &Actor) -> Vec<PuzzleId>;
    }
}
