//! Shares the compute threads, the streams, and the waiting calls fairly among the callers.

pub(super) mod compute;
pub(super) mod meter;
pub(super) mod shares;
pub(super) mod streams;
