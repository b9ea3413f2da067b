//! The settings of the log: filter, format, and the calls that are logged.

use clap::Args;
use serde::Serialize;

use super::DEFAULT;
use crate::{
    service::{LoggedCalls, ServerSettings},
    telemetry::LogFormat,
};

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

/// What a server logs of its calls.
#[derive(Debug, Args, Serialize)]
pub(super) struct CallLogArgs {
    /// Calls to log when they end: all, slow, or off; health checks and reflection are never logged
    #[arg(
        long, env = "PUZZLED_LOG_CALLS", value_name = "CALLS", value_enum, default_value_t = DEFAULT.server.logged_calls
    )]
    log_calls: LoggedCalls,
}

impl CallLogArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        ServerSettings { logged_calls: self.log_calls, ..settings }
    }
}
