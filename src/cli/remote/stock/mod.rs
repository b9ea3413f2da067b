//! Commands about the stock, its targets, and the daily series.

pub(in crate::cli::remote) mod outlooks;
pub(in crate::cli) mod refill;
pub(in crate::cli) mod series_command;
pub(in crate::cli) mod show;
pub(in crate::cli) mod target_command;
