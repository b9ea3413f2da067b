//! The access file, and whether other machines may reach a server that has no access file or no TLS.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use serde::Serialize;

/// Who may call the server.
#[derive(Debug, Args, Serialize)]
pub(super) struct AccessArgs {
    /// File of principals and tokens, TOML; without an access file, every caller may do anything; new content applies without a
    /// restart, another file needs a restart [default: none]
    #[arg(long, env = "PUZZLED_ACCESS", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) access: Option<PathBuf>,

    /// Whether the server may listen beyond this machine without an access file or without TLS, true or false; needs a restart
    #[arg(
        long, env = "PUZZLED_INSECURE", value_name = "BOOL", default_value_t = false, action = ArgAction::Set,
        num_args = 0..=1, default_missing_value = "true", require_equals = true
    )]
    pub(super) insecure: bool,
}
