//! The settings of the server itself: its address, the name of its configuration, reflection, the allowed origins of web
//! pages, the names of its host, who may call it, TLS, and the number, age, and pings of connections.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{ArgAction, Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::{
    cli::input::address::to_listen_on, rules::targets::declaration::NAME_LEN_MAX, service::ServerSettings,
    tls::TlsFiles,
};

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

    /// Names by which JSON requests reach a server without an access file, in addition to IP addresses and `localhost`, separated
    /// by commas; `.example.com` stands for all names below it
    #[arg(
        long, env = "PUZZLED_HOSTS", value_name = "NAMES", default_value = "", hide_default_value = true,
        value_parser = hosts
    )]
    hosts: String,
}

impl ServerArgs {
    /// The origins that may call the API.
    pub(super) fn cors_origins(&self) -> Vec<String> {
        entries(&self.cors_origins).map(str::to_owned).collect()
    }

    /// The names by which JSON requests may reach the server.
    pub(super) fn hosts(&self) -> Vec<String> {
        entries(&self.hosts).map(str::to_owned).collect()
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

fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

/// The list without spaces. A browser states an origin as scheme, host, and port, without a path.
fn cors_origins(list: &str) -> Result<String, String> {
    let origins: Vec<_> = entries(list).collect();
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

/// The list without spaces, in the form in which hosts are compared: in lower case, without a trailing dot.
fn hosts(list: &str) -> Result<String, String> {
    let plain = |host: &str| host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    match entries(list).find(|host| !is_host(&plain(host))) {
        None => Ok(entries(list).map(plain).collect::<Vec<_>>().join(",")),
        Some(wrong) => Err(format!(
            "{wrong:?} is not a host; use a name without a port, such as puzzles.example.com, or .example.com for all names below it"
        )),
    }
}

/// Whether this is a name, or a dot and a name. `*` would allow the names of every web page.
fn is_host(host: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let name = host.strip_prefix('.').unwrap_or(host);
    name.split('.').all(|label| !label.is_empty() && label.bytes().all(is_allowed))
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

/// The PEM files of TLS. The server reads them again on SIGHUP and when their content changes.
#[expect(clippy::struct_field_names, reason = "the names of the fields are the file's keys")]
#[derive(Debug, Args, Serialize)]
pub(super) struct TlsArgs {
    /// Certificate of the server, followed by the certificates of its issuers, PEM; new content applies without a restart,
    /// another file needs a restart [default: no TLS]
    #[arg(long, env = "PUZZLED_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,

    /// Key of the server's certificate, PEM, unencrypted; another file needs a restart [default: no TLS]
    #[arg(long, env = "PUZZLED_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,

    /// Certificates of the authorities that issue clients' certificates, PEM; a client without a certificate is still accepted;
    /// another file needs a restart [default: none]
    #[arg(long, env = "PUZZLED_TLS_CLIENT_CA", value_name = "FILE")]
    tls_client_ca: Option<PathBuf>,

    /// Lists of revoked clients' certificates, PEM, one list per authority in `tls_client_ca`; another file needs a
    /// restart [default: none]
    #[arg(long, env = "PUZZLED_TLS_CRL", value_name = "FILE")]
    tls_crl: Option<PathBuf>,
}

impl TlsArgs {
    pub(super) fn files(&self) -> TlsFiles {
        TlsFiles {
            cert: self.tls_cert.clone(),
            key: self.tls_key.clone(),
            client_ca: self.tls_client_ca.clone(),
            crl: self.tls_crl.clone(),
        }
    }
}

/// Limits, age, and pings of connections.
#[derive(Debug, Args, Serialize)]
pub(super) struct ConnectionArgs {
    /// Maximum number of connections, 1 to 1000000; the server closes further connections at once
    #[arg(
        long, env = "PUZZLED_MAX_CONNECTIONS", value_name = "N", default_value_t = DEFAULT.server.connections_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_connections: u32,

    /// Maximum number of connections per client address, 0 to 1000000; 0 is no limit, for a server behind a proxy
    /// [default: half of `max_connections`]
    #[arg(
        long, env = "PUZZLED_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N",
        value_parser = value_parser!(u32).range(0..=1_000_000)
    )]
    pub(super) max_connections_per_address: Option<u32>,

    /// Maximum number of unfinished handshakes, 1 to 1000000; for each further handshake, the server closes the oldest
    #[arg(
        long, env = "PUZZLED_MAX_HANDSHAKES", value_name = "N", default_value_t = DEFAULT.server.handshakes_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_handshakes: u32,

    /// Maximum duration of a handshake, in seconds, 1 to 300
    #[arg(
        long, env = "PUZZLED_HANDSHAKE_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.handshake_timeout.as_secs(), value_parser = value_parser!(u64).range(1..=300)
    )]
    handshake_seconds: u64,

    /// Age of a connection at which the server asks the client to reconnect, in seconds, 1 to 2592000; needs a restart
    #[arg(
        long, env = "PUZZLED_CONNECTION_AGE_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.connection_age.as_secs(), value_parser = value_parser!(u64).range(1..=2_592_000)
    )]
    connection_age_seconds: u64,

    /// Time after `connection_age_seconds` until the server closes the connection, in seconds, 0 to 86400
    #[arg(
        long, env = "PUZZLED_CONNECTION_AGE_GRACE_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.connection_age_grace.as_secs(), value_parser = value_parser!(u64).range(0..=86_400)
    )]
    connection_age_grace_seconds: u64,

    /// Interval of the pings on an idle connection, in seconds, 1 to 86400; needs a restart
    #[arg(
        long, env = "PUZZLED_KEEPALIVE_SECONDS", value_name = "S", default_value_t = DEFAULT.server.keepalive.as_secs(),
        value_parser = value_parser!(u64).range(1..=86_400)
    )]
    keepalive_seconds: u64,

    /// Maximum time until a client answers a ping, in seconds, 1 to 3600; needs a restart
    #[arg(
        long, env = "PUZZLED_KEEPALIVE_TIMEOUT_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.keepalive_timeout.as_secs(), value_parser = value_parser!(u64).range(1..=3_600)
    )]
    keepalive_timeout_seconds: u64,
}

impl ConnectionArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        // Half of one connection is one: 0 would be no limit.
        let half = (self.max_connections / 2).max(1);
        ServerSettings {
            connections_max: self.max_connections,
            connections_per_address_max: self.max_connections_per_address.unwrap_or(half),
            handshakes_max: self.max_handshakes,
            handshake_timeout: Duration::from_secs(self.handshake_seconds),
            connection_age: Duration::from_secs(self.connection_age_seconds),
            connection_age_grace: Duration::from_secs(self.connection_age_grace_seconds),
            keepalive: Duration::from_secs(self.keepalive_seconds),
            keepalive_timeout: Duration::from_secs(self.keepalive_timeout_seconds),
            ..settings
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_without_port_scheme_and_star() {
        for (list, expected) in [
            ("", ""),
            ("puzzled", "puzzled"),
            (" Puzzles.Example.com. , .Example.com,,my_api ", "puzzles.example.com,.example.com,my_api"),
            ("192.0.2.1", "192.0.2.1"),
        ] {
            assert_eq!(hosts(list).as_deref(), Ok(expected), "{list:?}");
        }
        for list in [
            "*",
            "*.example.com",
            ".",
            "..",
            "a..b",
            "puzzled:50051",
            "http://puzzled",
            "a b",
            "[::1]",
            "bücher.example",
        ] {
            let fault = hosts(&format!("puzzled,{list}")).unwrap_err();
            assert!(fault.starts_with(&format!("{list:?} is not a host; use a name without a port")), "{fault}");
        }
    }
}
