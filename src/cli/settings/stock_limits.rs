//! The settings that limit the growth of the stock, the number of stock targets, and the number of open refills.

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::rules::jobs::growth::Growth;

/// Limits on the size of the stock and its database.
#[derive(Debug, Args, Serialize)]
pub(super) struct GrowthArgs {
    /// Maximum number of puzzles in circulation, 0 to 1000000000000; 0 is no limit; at 95 %, workers stop making puzzles
    #[arg(
        long, env = "PUZZLED_MAX_PUZZLES", value_name = "N", default_value_t = DEFAULT.policy.growth.puzzles_max.unwrap_or(0),
        value_parser = value_parser!(u64).range(0..=1_000_000_000_000)
    )]
    max_puzzles: u64,

    /// Maximum size of the database, in bytes, 0 to 1000000000000000; 0 is no limit; at 95 %, workers stop making puzzles
    #[arg(
        long, env = "PUZZLED_MAX_DATABASE_BYTES", value_name = "BYTES",
        default_value_t = DEFAULT.policy.growth.database_bytes_max.unwrap_or(0),
        value_parser = value_parser!(u64).range(0..=1_000_000_000_000_000)
    )]
    max_database_bytes: u64,
}

impl GrowthArgs {
    pub(super) fn growth(&self) -> Growth {
        let bounded = |max| (max > 0).then_some(max);
        Growth { puzzles_max: bounded(self.max_puzzles), database_bytes_max: bounded(self.max_database_bytes) }
    }
}

/// How the stock is filled.
#[derive(Debug, Args, Serialize)]
pub(super) struct StockArgs {
    /// Maximum number of stock targets, 1 to 100000
    #[arg(
        long, env = "PUZZLED_MAX_TARGETS", value_name = "N", default_value_t = DEFAULT.targets_max,
        value_parser = value_parser!(u32).range(1..=100_000)
    )]
    pub(super) max_targets: u32,

    /// Maximum number of open refills, 1 to 1000
    #[arg(
        long, env = "PUZZLED_MAX_REFILLS", value_name = "N", default_value_t = DEFAULT.refills_max,
        value_parser = value_parser!(u32).range(1..=1_000)
    )]
    pub(super) max_refills: u32,
}
