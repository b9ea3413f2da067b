//! Settings that operators rarely need to change: limits of calls, pages, streams, and waits that callers read in `GetServerInfo`.

use std::time::Duration;

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::service::{Limits, ServerSettings};

/// Limits that are rarely changed.
#[derive(Debug, Args, Serialize)]
pub(super) struct RareArgs {
    /// Maximum number of concurrent calls over all connections, 1 to 1000000; health checks do not count
    #[arg(
        long, env = "PUZZLED_MAX_CALLS", value_name = "N", default_value_t = DEFAULT.server.limits.calls_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_calls: u32,

    /// Maximum number of concurrent calls per connection, 1 to 65535; needs a restart
    #[arg(
        long, env = "PUZZLED_MAX_STREAMS", value_name = "N", default_value_t = DEFAULT.server.streams_max,
        value_parser = value_parser!(u32).range(1..=65_535)
    )]
    max_streams: u32,

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

    /// Maximum number of open `ExportPuzzles` streams, 1 to 10000
    #[arg(
        long, env = "PUZZLED_MAX_EXPORTS", value_name = "N", default_value_t = DEFAULT.server.limits.exports_max,
        value_parser = value_parser!(u32).range(1..=10_000)
    )]
    max_exports: u32,

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

    /// Maximum number of nodes in a search on a caller's text, 1000 to 1000000000; a search that needs more ends
    /// without a verdict
    #[arg(
        long, env = "PUZZLED_MAX_SEARCH_NODES", value_name = "N",
        default_value_t = DEFAULT.server.limits.search_nodes_max,
        value_parser = value_parser!(u64).range(1_000..=1_000_000_000)
    )]
    max_search_nodes: u64,

    /// Maximum number of stock targets, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_TARGETS", value_name = "N", default_value_t = DEFAULT.targets_max,
        value_parser = value_parser!(u32).range(1..=100_000)
    )]
    pub(super) max_targets: u32,
}

impl RareArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        let limits = Limits {
            calls_max: self.max_calls,
            response_bytes_max: self.max_response_bytes,
            text_len_max: self.max_text_bytes,
            batch_max: self.max_batch_requests,
            page_size_default: self.default_page_size,
            page_size_max: self.max_page_size,
            page_size_shown_max: self.max_page_size_drawn,
            watchers_max: self.max_watchers,
            exports_max: self.max_exports,
            waiters_max: self.max_waiting_calls,
            wait_default: Duration::from_secs(self.default_wait_seconds),
            wait_max: Duration::from_secs(self.max_wait_seconds),
            compute_threads: self.compute_threads,
            short_waiting_max: self.max_waiting_short,
            search_nodes_max: self.max_search_nodes,
            ..settings.limits
        };
        ServerSettings { limits, streams_max: self.max_streams, ..settings }
    }
}
