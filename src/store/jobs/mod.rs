//! Stores jobs, slices, and leases.

pub(super) mod claims;
pub(super) mod commits;
pub(super) mod enqueue;
pub(super) mod job_states;
pub(super) mod leases;
pub(super) mod queue_state;
