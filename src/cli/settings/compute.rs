//! The settings of compute threads, which solve, rate, and validate for callers: number of threads, waiting calls, and
//! budgets.

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::service::Limits;

/// Threads and limits of the engine's work for callers.
#[derive(Debug, Args, Serialize)]
pub(super) struct ComputeArgs {
    /// Number of threads that solve, rate, and validate for callers, 3 to 1024; long calls (`Rate`, `Solve` with steps) leave
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

    /// Maximum number of long calls (`Rate`, `Solve` with steps) that wait for a compute thread, 1 to 100000
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
