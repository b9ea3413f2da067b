//! Delivers puzzles to audiences: the calls, the callers of one write, and the draws from the puzzles that an audience holds.

pub(super) mod batch;
mod held;
pub(super) mod store;
