//! The settings of the server itself: its address, the name of its configuration, reflection, and the allowed origins
//! of web pages.

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

/// Parses a list of origins, and returns it without spaces. A browser sends an origin as scheme, host, and port,
/// without a path.
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
