//! Settings of what operators and their tools read: the log, the ops port, and traces.

use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;

use super::DEFAULT;
use crate::{
    cli::input::address::to_listen_on,
    service::{LoggedCalls, ServerSettings},
    telemetry::{
        LogFormat,
        traces::{Collector, TraceSettings},
    },
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
    /// Calls that have a line in the log when they end: all, slow, or off; health checks and reflection have none
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

/// What a process shows of itself.
#[derive(Debug, Args, Serialize)]
pub(super) struct ObserveArgs {
    /// Address of the ops port, HOST:PORT: probes (`/livez`, `/readyz`) and metrics (`/metrics`) by plain HTTP; needs a restart
    /// [default: none]
    #[arg(long, env = "PUZZLED_OPS_LISTEN", value_name = "ADDRESS", value_parser = to_listen_on)]
    pub(super) ops_listen: Option<SocketAddr>,

    /// Collector of spans, http://HOST:PORT, which accepts OTLP over gRPC; without it, nothing is traced; needs a restart
    /// [default: none]
    #[arg(long, env = "PUZZLED_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<Collector>,

    /// Share of new traces to sample, 0 to 1; a call with a `traceparent` header follows the decision in that header;
    /// needs a restart
    #[arg(
        long, env = "PUZZLED_TRACE_RATIO", value_name = "RATIO", default_value_t = DEFAULT.traces.ratio,
        value_parser = ratio
    )]
    trace_ratio: f64,
}

impl ObserveArgs {
    pub(super) fn traces(&self) -> TraceSettings {
        TraceSettings { collector: self.otlp_endpoint.clone(), ratio: self.trace_ratio }
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| "not a number from 0 to 1".to_owned())
}
