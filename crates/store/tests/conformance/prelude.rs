//! The vocabulary of the cases: the types of the store and its rules, and the helpers that most cases use.

pub(crate) use std::{collections::BTreeSet, sync::Arc};

pub(crate) use puzzled_base::{
    chance::Chance,
    clock::{ManualClock, Millis},
    ids::{JobId, PuzzleId, TargetId},
};
pub(crate) use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        givens::Givens,
        level::{Level, Tenths},
        metrics::Metrics,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::{Miss, MissReason, Tally},
    },
    sudoku::metrics::SudokuMetrics,
};
pub(crate) use puzzled_store::{
    Claim, Store, StoreError,
    access::{
        actor::Actor,
        audit_entry::{AuditEntry, AuditFilter, Denial},
        principal::Role,
    },
    deliveries::{
        choose::FittingShelves,
        delivery::{Delivered, Delivery, DrawFrom, Forgotten, NewDelivery},
        holder::Holder,
    },
    fault_points::{FaultPoints, NoFaults},
    jobs::{
        admission::{Batch, Enqueued, Refusal},
        growth::GrowthState,
        job::{Cancelled, ClaimOrder, Job, JobFilter, JobState, Labels, NewJob, Retried},
        policy::SliceSize,
        process::Listed,
        queue_state::{Prune, Pruned, QueueState},
        slice::{FailedAttempt, Guarded, Lease, MadeAt, Slice, SliceWork},
    },
    postgres::{PostgresSettings, PostgresStore},
    sqlite::SqliteStore,
    stock::{
        criterion::{GivensFilter, VariantFilter},
        filter::ShelfFilter,
        puzzle::{JobOrigin, Origin, OriginFilter, Position, Puzzle, Shelf, ShelfId, ShelfKey, Withdrawn},
        rating::{NewRating, Outcome, Rating},
    },
    targets::{
        change::{Change, Edit},
        target::{Asked, MakingRate, Refill, Refilled, StockTarget, Stop, TargetCreated, Wish},
    },
};
pub(crate) use tokio::task::JoinSet;

pub(crate) use crate::{
    backend::{START, World},
    refills::{queued, refill},
    support::*,
    targets::set,
    work::*,
};
