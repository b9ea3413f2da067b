//! Stock targets and shortfalls: their data, and the decisions of the planner.

pub mod change;
pub mod declaration;
pub mod draft;
pub mod need;
pub(crate) mod restyle;
pub mod shortage;
pub mod target;
pub mod top_up;
pub mod window;
