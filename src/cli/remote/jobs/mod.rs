//! Commands about jobs, the queue, and the processes that work on it.

pub(in crate::cli) mod actions;
pub(in crate::cli) mod enqueue;
pub(in crate::cli) mod list;
pub(in crate::cli) mod queue;
pub(in crate::cli) mod watch;
pub(in crate::cli) mod workers;
