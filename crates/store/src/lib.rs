//! Keeps jobs, puzzles, stock targets, daily series, deliveries, and the audit trail in SQLite or PostgreSQL, and decides about them in one
//! transaction.
//!
//! Each topic has a folder: [`jobs`], [`stock`], [`deliveries`], [`targets`], [`series`], and [`access`]. Its files that begin with
//! `Rule:` decide on plain data; they read no clock and do no input or output. A file `*_store.rs` has a trait of [`Store`] and the
//! transactions that both databases share; the `.sql` files beside them have the statements. [`sqlite`] and [`postgres`] have what
//! else differs. One conformance suite tests both.

pub mod access;
pub mod bounds;
pub mod check_store;
pub mod copy;
pub mod deliveries;
pub mod error;
pub mod fault_points;
pub mod jobs;
mod notices;
pub mod postgres;
mod prune_store;
pub mod schema;
pub mod series;
mod sql;
pub mod sqlite;
pub mod stock;
mod store;
pub mod targets;

pub use access::audit_store::AuditStore;
pub use deliveries::{delivery_store::DeliveryStore, find_store::FindStore, release_store::ReleaseStore};
pub use error::StoreError;
pub use jobs::{
    claim_store::{Claim, ClaimStore, Claimed},
    commit_store::CommitStore,
    enqueue_store::EnqueueStore,
    job_store::JobStore,
    lease_store::LeaseStore,
    process_store::ProcessStore,
    queue_store::{GrowthStore, QueueStore},
};
pub use notices::{Listener, Notice, Rescue};
pub use prune_store::PruneStore;
pub use series::{day_store::DayStore, series_store::SeriesStore};
pub use sql::database::PoolUse;
pub use stock::{
    import_store::ImportStore,
    rating_store::RatingStore,
    stock_store::{PositionStore, StockStore},
    withdrawal_store::WithdrawalStore,
};
pub use store::Store;
pub use targets::{refill_store::RefillStore, target_store::TargetStore};
