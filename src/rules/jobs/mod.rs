//! Jobs and slices: their data, their admission, and the decisions of the queue.

pub mod admission;
pub mod growth;
pub mod job;
pub mod open_quotas;
pub mod policy;
pub mod process;
pub mod queue;
pub mod repeat;
pub mod slice;
