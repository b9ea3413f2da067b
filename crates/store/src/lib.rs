//! Keeps jobs, puzzles, stock targets, daily series, deliveries, and the audit trail in SQLite or PostgreSQL, and decides about them in one
//! transaction.
//!
//! Each topic has a folder: [`jobs`], [`stock`], [`deliveries`], [`targets`], [`series`], and [`access`]. Its files that begin with
//! `Rule:` decide on plain data; they read no clock and do no input or output. The others have the rows and the transactions that both
//! databases share. What differs is in [`sqlite`] and [`postgres`]. One conformance suite tests both.

pub mod access;
pub mod bounds;
pub mod check;
pub mod copy;
pub mod deliveries;
pub mod error;
pub mod fault_points;
pub mod ids;
pub mod jobs;
mod notices;
pub mod postgres;
mod prune;
pub mod schema;
pub mod series;
mod sql;
pub mod sqlite;
pub mod stock;
mod store;
pub mod targets;

pub use access::audit::AuditStore;
pub use deliveries::{delivery_store::DeliveryStore, finds::FindStore, releases::ReleaseStore};
pub use error::StoreError;
pub use jobs::{
    claims::{Claim, ClaimStore, Claimed},
    commits::CommitStore,
    enqueue::EnqueueStore,
    job_states::JobStore,
    leases::LeaseStore,
    process_store::ProcessStore,
    queue_state::{GrowthStore, QueueStore},
};
pub use notices::{Listener, Notice, Rescue};
pub use prune::PruneStore;
pub use series::{days::DayStore, series_store::SeriesStore};
pub use sql::database::PoolUse;
pub use stock::{
    imports::ImportStore,
    ratings::RatingStore,
    shelves::{PositionStore, StockStore},
    withdrawals::WithdrawalStore,
};
pub use store::Store;
pub use targets::{refills::RefillStore, target_store::TargetStore};
