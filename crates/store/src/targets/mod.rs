//! Stock targets and shortfalls: their data, the decisions of the planner, and the refills that are queued for them.

pub mod change;
pub mod declaration;
pub mod draft;
pub mod need;
pub mod planner;
pub(crate) mod refill_store;
pub(crate) mod restyle;
pub mod shortage;
pub mod target;
pub(crate) mod target_store;
pub mod top_up;
pub(crate) mod window;
