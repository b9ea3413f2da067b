//! The settings of the server itself: its address, the name of its configuration, reflection, the allowed origins of web
//! pages, and who may call it: the access file, and whether other machines may reach a server without access file or TLS.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgAction, Args};
use serde::Serialize;

use super::DEFAULT;
use crate::{cli::input::address::to_listen_on, rules::targets::declaration::NAME_LEN_MAX};

/// What a server is.
#[derive(Debug, Args, Serialize)]
pub(super) struct ServerArgs {
    /// Address of the API, HOST:PORT; a host name stands for its first IPv4 address, or else for its first IPv6 address; needs a
    /// restart
    #[arg(
        long, env = "PUZZLED_LISTEN", value_name = "ADDRESS", default_value_t = DEFAULT.listen, value_parser = to_listen_on
    )]
    pub(super) listen: SocketAddr,

    /// Name of this configuration, which `declared_by` of its stock targets shows; at most 64 letters, digits, `-`, `_`, and `.`;
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

    /// Origins whose web pages may call the API from a browser, such as `https://example.org`, separated by commas; needs a restart
    #[arg(
        long, env = "PUZZLED_CORS_ORIGINS", value_name = "ORIGINS", default_value = "", hide_default_value = true,
        value_parser = cors_origins
    )]
    cors_origins: String,
}

impl ServerArgs {
    /// The origins that may call the API.
    pub(super) fn cors_origins(&self) -> Vec<String> {
        self.cors_origins.split(',').filter(|origin| !origin.is_empty()).map(str::to_owned).collect()
    }
}

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

/// The list without spaces. A browser states an origin as scheme, host, and port, without a path.
fn cors_origins(list: &str) -> Result<String, String> {
    let origins: Vec<_> = list.split(',').map(str::trim).filter(|origin| !origin.is_empty()).collect();
    match origins.iter().find(|origin| !is_origin(origin)) {
        None => Ok(origins.join(",")),
        Some(wrong) => Err(format!(
            "{wrong:?} is not an origin; use http or https, a host in lower case, and the port unless it is the usual one, such as \
             https://example.org"
        )),
    }
}

fn is_origin(origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".:-[]".contains(&byte);
    host.is_some_and(|host| !host.is_empty() && host.bytes().all(is_allowed))
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
