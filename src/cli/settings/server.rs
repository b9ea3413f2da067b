//! Settings of the server itself: its address, its name, and reflection.

use std::net::SocketAddr;

use clap::{ArgAction, Args};
use serde::Serialize;

use super::DEFAULT;
use crate::{cli::address::to_listen_on, store::declaration::NAME_LEN_MAX};

/// What a server is.
#[derive(Debug, Args, Serialize)]
pub(super) struct ServerArgs {
    /// Address of the API, HOST:PORT; a host name stands for its first IPv4 address, or else for its first IPv6 address; needs a
    /// restart
    #[arg(
        long, env = "PUZZLED_LISTEN", value_name = "ADDRESS", default_value_t = DEFAULT.listen, value_parser = to_listen_on
    )]
    pub(super) listen: SocketAddr,

    /// Name of this configuration; its stock targets have it in `declared_by`; at most 64 letters, digits, `-`, `_`, and `.`;
    /// needs a restart
    #[arg(
        long, env = "PUZZLED_CONFIG_NAME", value_name = "NAME",
        default_value_t = DEFAULT.declaration.name().to_owned(), value_parser = config_name
    )]
    pub(super) config_name: String,

    /// Whether the server supports reflection, true or false; needs a restart
    #[arg(
        long, env = "PUZZLED_REFLECTION", value_name = "BOOL", default_value_t = DEFAULT.server.reflection,
        action = ArgAction::Set
    )]
    pub(super) reflection: bool,
}

fn config_name(name: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !(1..=NAME_LEN_MAX).contains(&name.len()) {
        return Err(format!("{} characters are outside 1 to {NAME_LEN_MAX}", name.len()));
    }
    if !name.chars().all(is_allowed) {
        return Err("only letters, digits, `-`, `_` and `.` are allowed".to_owned());
    }
    Ok(name.to_owned())
}
