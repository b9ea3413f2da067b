//! The limits on calls: the size of requests, the jobs that they queue, the days of daily puzzles, and the limits of pages, streams,
//! waits, and long work. Callers read most of them in `GetServerInfo`.

use std::time::Duration;

use clap::value_parser;

use super::{
    group::settings,
    values::{as_seconds, between, seconds},
};
use puzzled_store::targets::top_up::TopUp;

/// The heading of limits that operators rarely need to change.
const RARE: &str = "Rarely changed";

settings! {
    /// Limits on calls, and on the work that they cause.
    pub struct Limits {
        /// Largest request message, in bytes, 1024 to 16777216
        // By default more than any request within the limits of its fields, except an import of 500 large texts.
        #[arg(value_name = "BYTES", default_value_t = 1 << 20, value_parser = between(1_024..=16_777_216))]
        pub max_request_bytes: u32,

        /// Number of puzzles of a job that `enqueue_if_short` queues, 1 to 100000
        #[arg(value_name = "N", default_value_t = 20, value_parser = between(1..=100_000))]
        pub top_up_count: u32,

        /// Working time after which such a job ends as soon as it has a puzzle, in seconds, 1 to 86400
        #[arg(value_name = "S", default_value_t = 10, value_parser = value_parser!(i64).range(1..=86_400))]
        pub top_up_seconds: i64,

        /// Number of days after the current one of a series that get their daily puzzle in advance, 0 to 3650
        #[arg(value_name = "N", default_value_t = 7, value_parser = between(0..=3_650))]
        pub daily_ahead_days: u32,

        /// Maximum number of long calls (`Rate`, `ImportPuzzles`, `Solve` with steps, `RenderPuzzle` with a step, `RecordDeliveries`
        /// with texts) that wait for a compute thread, 1 to 100000
        #[arg(value_name = "N", default_value_t = 64, value_parser = between(1..=100_000))]
        pub max_waiting_long: u32,

        /// Maximum number of nodes to rate a caller's text, 0 to 1000000000000; 0 uses the budget of the kind
        #[arg(value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(0..=1_000_000_000_000))]
        pub max_rating_nodes: u64,

        /// Maximum number of concurrent calls over all connections, 1 to 1000000; health checks do not count
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 1_024, value_parser = between(1..=1_000_000))]
        pub max_calls: u32,

        /// Maximum number of concurrent calls per connection, 1 to 65535; needs a restart
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 200, value_parser = between(1..=65_535))]
        pub max_streams: u32,

        /// Largest response message, in bytes, 65536 to 1073741824; gRPC clients accept 4194304 by default
        // The default limit of clients. By default, a page of the largest puzzles with their solutions is smaller, and so is one with
        // drawings and regions.
        #[arg(
            help_heading = RARE, value_name = "BYTES", default_value_t = 4 << 20,
            value_parser = between(65_536..=1_073_741_824)
        )]
        pub max_response_bytes: u32,

        /// Longest text of a puzzle, in bytes, 81 to 1048576
        #[arg(help_heading = RARE, value_name = "BYTES", default_value_t = 8_192, value_parser = between(81..=1_048_576))]
        pub max_text_bytes: u32,

        /// Maximum number of requests per `BatchGenerate` or `BatchGetPuzzles`, 1 to 1000
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 100, value_parser = between(1..=1_000))]
        pub max_batch_requests: u32,

        /// Page size if the request sets none, 1 to 1000; at most `max_page_size`
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 50, value_parser = between(1..=1_000))]
        pub default_page_size: u32,

        /// Maximum number of entries per page, 1 to 1000
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 200, value_parser = between(1..=1_000))]
        pub max_page_size: u32,

        /// Maximum number of puzzles per page with drawings or regions, 1 to 1000; at most `max_page_size`
        // Drawings and regions each at most double the size of the largest puzzles.
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 100, value_parser = between(1..=1_000))]
        pub max_page_size_drawn: u32,

        /// Maximum number of open `WatchJob` and `WatchStock` streams, 1 to 100000
        // Each reads the job or the stock twice a second.
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 256, value_parser = between(1..=100_000))]
        pub max_watchers: u32,

        /// Maximum number of open `ExportPuzzles` streams, 1 to 10000
        // Each reads as fast as its caller does.
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 16, value_parser = between(1..=10_000))]
        pub max_exports: u32,

        /// Maximum number of calls that wait for a puzzle, 1 to 100000
        // Each reads the counts and the open jobs twice a second.
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 256, value_parser = between(1..=100_000))]
        pub max_waiting_calls: u32,

        /// Maximum wait of a call without a deadline, in seconds, 1 to 86400; at most `max_wait_seconds`
        #[arg(help_heading = RARE, value_name = "S", default_value = "60", value_parser = seconds(1..=86_400))]
        #[serde(serialize_with = "as_seconds")]
        pub default_wait_seconds: Duration,

        /// Maximum wait of a call for a puzzle, in seconds, 1 to 86400
        #[arg(help_heading = RARE, value_name = "S", default_value = "600", value_parser = seconds(1..=86_400))]
        #[serde(serialize_with = "as_seconds")]
        pub max_wait_seconds: Duration,

        /// Number of threads that solve, rate, and validate for callers, 3 to 1024; long calls (see `max_waiting_long`) leave at least
        /// one thread to short calls; needs a restart
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 3, value_parser = between(3..=1_024))]
        pub compute_threads: u32,

        /// Maximum number of short calls that wait for a compute thread, 1 to 100000
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 64, value_parser = between(1..=100_000))]
        pub max_waiting_short: u32,

        /// Maximum number of nodes in a search on a caller's text, 1000 to 1000000000; a search that needs more ends
        /// without a verdict
        // Proofs for published Sudoku stay under a hundredth of the default. A search of this many nodes takes some seconds.
        #[arg(
            help_heading = RARE, value_name = "N", default_value_t = 1_000_000,
            value_parser = value_parser!(u64).range(1_000..=1_000_000_000)
        )]
        pub max_search_nodes: u64,

        /// Maximum number of stock targets, 1 to 100000
        #[arg(help_heading = RARE, value_name = "N", default_value_t = 1_000, value_parser = between(1..=100_000))]
        pub max_targets: u32,
    }
}

impl Limits {
    /// The job that `enqueue_if_short` queues.
    #[must_use]
    pub fn top_up(&self) -> TopUp {
        TopUp { count: self.top_up_count, work_ms_max: self.top_up_seconds * 1_000 }
    }

    /// The maximum number of nodes in one rating of a caller's text. The limit of its kind applies too.
    #[must_use]
    pub fn rating_nodes_max(&self) -> u64 {
        if self.max_rating_nodes == 0 { u64::MAX } else { self.max_rating_nodes }
    }
}
