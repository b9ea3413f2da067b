//! Commands about jobs, the queue, and the processes that work on it.

pub(crate) mod actions;
pub(crate) mod enqueue;
pub(crate) mod list;
pub(crate) mod queue;
pub(crate) mod watch;
pub(crate) mod workers;
