//! The setting of the ops port, at which probes and metrics are read.

use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;

use crate::cli::address::to_listen_on;

/// What a process shows of itself.
#[derive(Debug, Args, Serialize)]
pub(super) struct ObserveArgs {
    /// Address of the ops port, HOST:PORT: probes (`/livez`, `/readyz`) and metrics (`/metrics`) by plain HTTP; needs a restart
    /// [default: none]
    #[arg(long, env = "PUZZLED_OPS_LISTEN", value_name = "ADDRESS", value_parser = to_listen_on)]
    pub(super) ops_listen: Option<SocketAddr>,
}
