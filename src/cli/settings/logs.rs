//! Settings of the logs.

use clap::Args;
use serde::Serialize;

use super::DEFAULT;
use crate::telemetry::LogFormat;

/// What is logged, and how.
#[derive(Debug, Args, Serialize)]
pub(super) struct LogArgs {
    /// Filter of the log: error, warn, info, debug, trace, or a filter with modules, such as warn,puzzled=debug
    #[arg(long, env = "PUZZLED_LOG", value_name = "FILTER", default_value_t = DEFAULT.log.clone())]
    pub(super) log: String,

    /// Format of the log, human or json; needs a restart
    #[arg(
        long, env = "PUZZLED_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = DEFAULT.log_format
    )]
    pub(super) log_format: LogFormat,
}
