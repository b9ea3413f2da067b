//! Commands about the service itself.

pub(in crate::cli) mod audit;
pub(in crate::cli) mod health;
pub(in crate::cli) mod info;
