//! Shares the compute threads, the streams, and the waiting calls fairly among the callers.

pub(crate) mod compute;
pub(crate) mod meter;
pub(crate) mod places;
pub(crate) mod streams;
