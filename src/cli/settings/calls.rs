//! The settings of calls: the size of requests, the jobs that they queue, the days of daily puzzles, and the limits of long work.

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::{
    rules::targets::top_up::TopUp,
    service::{Limits, ServerSettings},
};

/// Calls, and the work that they cause.
#[derive(Debug, Args, Serialize)]
pub(super) struct CallArgs {
    /// Largest request message, in bytes, 1024 to 16777216
    #[arg(
        long, env = "PUZZLED_MAX_REQUEST_BYTES", value_name = "BYTES",
        default_value_t = DEFAULT.server.limits.request_bytes_max,
        value_parser = value_parser!(u32).range(1_024..=16_777_216)
    )]
    max_request_bytes: u32,

    /// Number of puzzles of a job that `enqueue_if_short` queues, 1 to 100000
    #[arg(
        long, env = "PUZZLED_TOP_UP_COUNT", value_name = "N", default_value_t = DEFAULT.server.limits.top_up.count,
        value_parser = value_parser!(u32).range(1..=100_000)
    )]
    top_up_count: u32,

    /// Working time after which such a job ends as soon as it has a puzzle, in seconds, 1 to 86400
    #[arg(
        long, env = "PUZZLED_TOP_UP_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.limits.top_up.work_ms_max / 1_000, value_parser = value_parser!(i64).range(1..=86_400)
    )]
    top_up_seconds: i64,

    /// Number of days after the current one of a series that get their daily puzzle in advance, 0 to 3650
    #[arg(
        long, env = "PUZZLED_DAILY_AHEAD_DAYS", value_name = "N",
        default_value_t = DEFAULT.server.limits.daily_ahead_days, value_parser = value_parser!(u32).range(0..=3_650)
    )]
    daily_ahead_days: u32,

    /// Maximum number of long calls (`Rate`, `Solve` with steps, `RecordDeliveries` with texts) that wait for a compute thread, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_WAITING_LONG", value_name = "N",
        default_value_t = DEFAULT.server.limits.long_waiting_max, value_parser = value_parser!(u32).range(1..=100_000)
    )]
    max_waiting_long: u32,

    /// Maximum number of nodes to rate a caller's text, 0 to 1000000000000; 0 uses the budget of the kind
    #[arg(
        long, env = "PUZZLED_MAX_RATING_NODES", value_name = "N", default_value_t = 0,
        value_parser = value_parser!(u64).range(0..=1_000_000_000_000)
    )]
    max_rating_nodes: u64,
}

impl CallArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        let limits = Limits {
            request_bytes_max: self.max_request_bytes,
            top_up: TopUp { count: self.top_up_count, work_ms_max: self.top_up_seconds * 1_000 },
            daily_ahead_days: self.daily_ahead_days,
            long_waiting_max: self.max_waiting_long,
            rating_nodes_max: if self.max_rating_nodes == 0 { u64::MAX } else { self.max_rating_nodes },
            ..settings.limits
        };
        ServerSettings { limits, ..settings }
    }
}
