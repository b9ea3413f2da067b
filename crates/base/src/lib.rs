//! What any part of the service may use: clocks, random numbers, counters, lasting conditions, values that a reload replaces, and short
//! messages.

pub mod chance;
pub mod clock;
pub mod counters;
pub mod lasting;
pub mod live;
pub mod message;
