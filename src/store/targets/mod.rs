//! Stock targets, and the refills that are queued for them.

pub(super) mod refills;
pub(super) mod target_store;
