//! What any part of the service may use: clocks, random numbers, counters, lasting conditions, values that a reload replaces, short
//! messages, ids, addresses, and PEM files.

pub mod address;
pub mod chance;
pub mod clock;
pub mod counters;
pub mod ids;
pub mod lasting;
pub mod live;
pub mod message;
pub mod repeat_hash;
pub mod tls;

/// The number of hardware threads of this machine, at least 1.
///
/// # Panics
/// If there are 2^32 or more.
#[must_use]
pub fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).expect("below 2^32 cores"))
}
