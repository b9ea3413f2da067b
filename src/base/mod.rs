//! What any layer may use: counters, lasting conditions, values that a reload replaces, and short messages.

pub mod counters;
pub mod lasting;
pub mod live;
pub(crate) mod message;
