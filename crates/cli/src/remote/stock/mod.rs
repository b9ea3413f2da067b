//! Commands about the stock, its targets, and the daily series.

pub(in crate::remote) mod outlooks;
pub(crate) mod refill;
pub(crate) mod series_command;
pub(crate) mod show;
pub(crate) mod target_command;
