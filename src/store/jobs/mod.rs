//! Stores jobs, slices, and leases, and queues refills.

pub(super) mod claims;
pub(super) mod commits;
pub(super) mod enqueue;
pub(super) mod gather;
pub(super) mod job_states;
pub(super) mod leases;
pub(super) mod queue_state;
pub(super) mod refills;
