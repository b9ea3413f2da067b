//! Delivers puzzles to audiences: the calls, the callers of one write, the draws from the puzzles that an audience holds, and the
//! record of what an audience has had elsewhere.

pub(super) mod batch;
mod held;
mod record;
pub(super) mod store;
