//! Jobs and slices: their data, the decisions about them, their rows, and the queue as one process sees it.

pub mod admission;
pub mod claims;
pub mod commits;
pub mod enqueue;
pub mod growth;
pub mod job;
pub mod job_states;
pub mod leases;
pub mod open_quotas;
pub mod policy;
pub mod process;
pub mod process_store;
pub mod queue;
pub mod queue_state;
pub mod repeat;
pub mod slice;
pub mod state;
