//! The commands that call a running server.

pub(super) mod actions;
pub(super) mod audit;
pub(super) mod find;
pub(super) mod get;
pub(super) mod health;
pub(super) mod import;
pub(super) mod jobs;
pub(super) mod outlooks;
pub(super) mod queue;
pub(super) mod refill;
pub(super) mod release;
pub(super) mod series_command;
pub(super) mod solve;
pub(super) mod stock;
pub(super) mod target_command;
pub(super) mod watch;
pub(super) mod withdraw;
pub(super) mod workers;
