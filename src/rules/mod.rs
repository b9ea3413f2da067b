//! The rules: the data of jobs, slices, shelves, targets, and deliveries, and all decisions about them. They read no
//! clock and do no input or output. The store calls most rules inside its transactions; the queue, the stock, and the service call
//! others.

pub mod actor;
pub mod admission;
pub mod audience;
pub mod audit_entry;
pub mod change;
pub mod choose;
pub mod compute_quota;
pub mod declaration;
pub mod delivery;
pub mod draft;
mod filter;
pub mod growth;
pub mod job;
pub mod need;
pub mod open_quotas;
pub mod policy;
pub mod principal;
pub mod process;
pub mod puzzle;
pub mod puzzle_counts;
pub mod queue;
pub mod rating;
pub mod repeat;
pub mod shortage;
pub mod slice;
pub mod target;
pub mod window;
