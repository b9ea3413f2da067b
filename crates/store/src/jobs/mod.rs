//! Jobs and slices: their data, the decisions about them, their rows, and the queue as one process sees it. A file whose name ends in
//! `_store` has transactions; the others have data and decisions.

pub mod admission;
pub(crate) mod claim_store;
pub(crate) mod commit_store;
pub(crate) mod enqueue_store;
pub mod growth;
pub mod job;
pub(crate) mod job_store;
pub(crate) mod lease_store;
pub mod open_quotas;
pub mod policy;
pub mod process;
pub(crate) mod process_store;
pub mod queue;
pub mod queue_state;
pub(crate) mod queue_store;
pub mod repeat;
pub mod slice;
