//! Commands about the service itself.

pub(crate) mod audit;
pub(crate) mod health;
pub(crate) mod info;
