//! The settings of the ops port and of traces.

use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;

use super::DEFAULT;
use crate::{
    cli::address::to_listen_on,
    telemetry::traces::{Collector, TraceSettings},
};

/// What operators can observe of a process.
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
