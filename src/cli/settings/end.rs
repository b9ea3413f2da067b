//! The settings of health checks, and of the shutdown: grace time and drain delay.

use std::time::Duration;

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::service::ServerSettings;

/// Health checks and shutdown of every process.
#[derive(Debug, Args, Serialize)]
pub(super) struct EndArgs {
    /// Interval of the database pings that decide health, in milliseconds, 100 to 60000
    #[arg(
        long, env = "PUZZLED_HEALTH_INTERVAL_MS", value_name = "MS",
        default_value_t = millis(DEFAULT.server.health_every), value_parser = value_parser!(u64).range(100..=60_000)
    )]
    health_interval_ms: u64,

    /// Number of failed pings in a row after which health is `NOT_SERVING`, 1 to 100
    #[arg(
        long, env = "PUZZLED_HEALTH_FAILURES", value_name = "N", default_value_t = DEFAULT.server.health_failures,
        value_parser = value_parser!(u32).range(1..=100)
    )]
    health_failures: u32,

    /// Maximum time for calls and slices to finish at shutdown, in seconds, 0 to 3600
    #[arg(
        long, env = "PUZZLED_GRACE_SECONDS", value_name = "S", default_value_t = DEFAULT.server.shutdown_grace.as_secs(),
        value_parser = value_parser!(u64).range(0..=3_600)
    )]
    grace_seconds: u64,
}

impl EndArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        ServerSettings {
            health_every: Duration::from_millis(self.health_interval_ms),
            health_failures: self.health_failures,
            shutdown_grace: Duration::from_secs(self.grace_seconds),
            ..settings
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("below 2^64 ms")
}

/// The drain delay of a server.
#[derive(Debug, Args, Serialize)]
pub(super) struct DrainArgs {
    /// Time from the first signal to the drain, in seconds, 0 to 3600; meanwhile, calls continue and health is `NOT_SERVING`
    #[arg(
        long, env = "PUZZLED_DRAIN_DELAY_SECONDS", value_name = "S", default_value_t = DEFAULT.server.drain_delay.as_secs(),
        value_parser = value_parser!(u64).range(0..=3_600)
    )]
    drain_delay_seconds: u64,
}

impl DrainArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        ServerSettings { drain_delay: Duration::from_secs(self.drain_delay_seconds), ..settings }
    }
}
