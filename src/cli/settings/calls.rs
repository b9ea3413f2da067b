//! The settings that limit calls: concurrent calls, message sizes, pages, streams, waits, the days of daily puzzles, and the
//! threads and budgets that solve, rate, and validate for callers.

use std::time::Duration;

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::{rules::targets::top_up::TopUp, service::Limits};

/// Limits on calls.
#[derive(Debug, Args, Serialize)]
pub(super) struct CallArgs {
    /// Maximum number of concurrent calls over all connections, 1 to 1000000; health checks do not count
    #[arg(
        long, env = "PUZZLED_MAX_CALLS", value_name = "N", default_value_t = DEFAULT.server.limits.calls_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_calls: u32,

    /// Largest request message, in bytes, 1024 to 16777216
    #[arg(
        long, env = "PUZZLED_MAX_REQUEST_BYTES", value_name = "BYTES",
        default_value_t = DEFAULT.server.limits.request_bytes_max,
        value_parser = value_parser!(u32).range(1_024..=16_777_216)
    )]
    max_request_bytes: u32,

    /// Largest response message, in bytes, 65536 to 1073741824; gRPC clients accept 4194304 by default
    #[arg(
        long, env = "PUZZLED_MAX_RESPONSE_BYTES", value_name = "BYTES",
        default_value_t = DEFAULT.server.limits.response_bytes_max,
        value_parser = value_parser!(u32).range(65_536..=1_073_741_824)
    )]
    max_response_bytes: u32,

    /// Longest text of a puzzle, in bytes, 81 to 1048576
    #[arg(
        long, env = "PUZZLED_MAX_TEXT_BYTES", value_name = "BYTES", default_value_t = DEFAULT.server.limits.text_len_max,
        value_parser = value_parser!(u32).range(81..=1_048_576)
    )]
    max_text_bytes: u32,

    /// Maximum number of requests per `BatchGenerate` or `BatchGetPuzzles`, 1 to 1000
    #[arg(
        long, env = "PUZZLED_MAX_BATCH_REQUESTS", value_name = "N", default_value_t = DEFAULT.server.limits.batch_max,
        value_parser = value_parser!(u32).range(1..=1_000)
    )]
    max_batch_requests: u32,

    /// Page size if the request sets none, 1 to 1000; at most `max_page_size`
    #[arg(
        long, env = "PUZZLED_DEFAULT_PAGE_SIZE", value_name = "N",
        default_value_t = DEFAULT.server.limits.page_size_default, value_parser = value_parser!(u32).range(1..=1_000)
    )]
    default_page_size: u32,

    /// Maximum number of entries per page, 1 to 1000
    #[arg(
        long, env = "PUZZLED_MAX_PAGE_SIZE", value_name = "N", default_value_t = DEFAULT.server.limits.page_size_max,
        value_parser = value_parser!(u32).range(1..=1_000)
    )]
    max_page_size: u32,

    /// Maximum number of puzzles per page with drawings or regions, 1 to 1000; at most `max_page_size`
    #[arg(
        long, env = "PUZZLED_MAX_PAGE_SIZE_DRAWN", value_name = "N",
        default_value_t = DEFAULT.server.limits.page_size_shown_max, value_parser = value_parser!(u32).range(1..=1_000)
    )]
    max_page_size_drawn: u32,

    /// Maximum number of open `WatchJob` and `WatchStock` streams, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_WATCHERS", value_name = "N", default_value_t = DEFAULT.server.limits.watchers_max,
        value_parser = value_parser!(u32).range(1..=100_000)
    )]
    max_watchers: u32,

    /// Maximum number of calls that wait for a puzzle, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_WAITING_CALLS", value_name = "N", default_value_t = DEFAULT.server.limits.waiters_max,
        value_parser = value_parser!(u32).range(1..=100_000)
    )]
    max_waiting_calls: u32,

    /// Maximum wait of a call without a deadline, in seconds, 1 to 86400; at most `max_wait_seconds`
    #[arg(
        long, env = "PUZZLED_DEFAULT_WAIT_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.limits.wait_default.as_secs(), value_parser = value_parser!(u64).range(1..=86_400)
    )]
    default_wait_seconds: u64,

    /// Maximum wait of a call for a puzzle, in seconds, 1 to 86400
    #[arg(
        long, env = "PUZZLED_MAX_WAIT_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.limits.wait_max.as_secs(), value_parser = value_parser!(u64).range(1..=86_400)
    )]
    max_wait_seconds: u64,

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

    /// Maximum number of open `ExportPuzzles` streams, 1 to 10000
    #[arg(
        long, env = "PUZZLED_MAX_EXPORTS", value_name = "N", default_value_t = DEFAULT.server.limits.exports_max,
        value_parser = value_parser!(u32).range(1..=10_000)
    )]
    max_exports: u32,

    /// Number of days after the current one of a series that get their daily puzzle in advance, 0 to 3650
    #[arg(
        long, env = "PUZZLED_DAILY_AHEAD_DAYS", value_name = "N",
        default_value_t = DEFAULT.server.limits.daily_ahead_days, value_parser = value_parser!(u32).range(0..=3_650)
    )]
    daily_ahead_days: u32,
}

impl CallArgs {
    /// The limits of calls, except those of compute.
    pub(super) fn limits(&self, count_max: u32) -> Limits {
        Limits {
            count_max,
            batch_max: self.max_batch_requests,
            page_size_max: self.max_page_size,
            page_size_shown_max: self.max_page_size_drawn,
            page_size_default: self.default_page_size,
            text_len_max: self.max_text_bytes,
            request_bytes_max: self.max_request_bytes,
            response_bytes_max: self.max_response_bytes,
            watchers_max: self.max_watchers,
            waiters_max: self.max_waiting_calls,
            top_up: TopUp { count: self.top_up_count, work_ms_max: self.top_up_seconds * 1_000 },
            wait_default: Duration::from_secs(self.default_wait_seconds),
            wait_max: Duration::from_secs(self.max_wait_seconds),
            exports_max: self.max_exports,
            daily_ahead_days: self.daily_ahead_days,
            calls_max: self.max_calls,
            ..Limits::default()
        }
    }
}

/// Threads and limits of the engine's work for callers.
#[derive(Debug, Args, Serialize)]
pub(super) struct ComputeArgs {
    /// Number of threads that solve, rate, and validate for callers, 3 to 1024; long calls (`Rate`, `Solve` with steps, `RecordDeliveries` with texts) leave
    /// at least one thread to short calls; needs a restart
    #[arg(
        long, env = "PUZZLED_COMPUTE_THREADS", value_name = "N", default_value_t = DEFAULT.server.limits.compute_threads,
        value_parser = value_parser!(u32).range(3..=1_024)
    )]
    compute_threads: u32,

    /// Maximum number of short calls that wait for a compute thread, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_WAITING_SHORT", value_name = "N",
        default_value_t = DEFAULT.server.limits.short_waiting_max, value_parser = value_parser!(u32).range(1..=100_000)
    )]
    max_waiting_short: u32,

    /// Maximum number of long calls (`Rate`, `Solve` with steps, `RecordDeliveries` with texts) that wait for a compute thread, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_WAITING_LONG", value_name = "N",
        default_value_t = DEFAULT.server.limits.long_waiting_max, value_parser = value_parser!(u32).range(1..=100_000)
    )]
    max_waiting_long: u32,

    /// Maximum number of nodes in a search on a caller's text, 1000 to 1000000000; a search that needs more ends
    /// without a verdict
    #[arg(
        long, env = "PUZZLED_MAX_SEARCH_NODES", value_name = "N",
        default_value_t = DEFAULT.server.limits.search_nodes_max,
        value_parser = value_parser!(u64).range(1_000..=1_000_000_000)
    )]
    max_search_nodes: u64,

    /// Maximum number of nodes to rate a caller's text, 0 to 1000000000000; 0 uses the budget of the kind
    #[arg(
        long, env = "PUZZLED_MAX_RATING_NODES", value_name = "N", default_value_t = 0,
        value_parser = value_parser!(u64).range(0..=1_000_000_000_000)
    )]
    max_rating_nodes: u64,
}

impl ComputeArgs {
    pub(super) fn applied_to(&self, limits: &Limits) -> Limits {
        Limits {
            compute_threads: self.compute_threads,
            short_waiting_max: self.max_waiting_short,
            long_waiting_max: self.max_waiting_long,
            search_nodes_max: self.max_search_nodes,
            rating_nodes_max: if self.max_rating_nodes == 0 { u64::MAX } else { self.max_rating_nodes },
            ..limits.clone()
        }
    }
}
