//! The settings of the server itself: its address, the name of its configuration, reflection, the web page, the allowed origins of web
//! pages, the names of its host, who may call it, and TLS.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::ArgAction;
use http::uri::Authority;

use super::{
    group::settings,
    process::{LOGS, SHUTDOWN},
    values::{LoggedCalls, as_seconds, entries, seconds},
};
use puzzled_base::address::to_listen_on;
use puzzled_store::targets::declaration::{NAME_DEFAULT, NAME_LEN_MAX};

settings! {
    /// What a server is.
    pub struct ServerSettings {
        /// Time from the first signal to the drain, in seconds, 0 to 3600; meanwhile, calls continue and health is `NOT_SERVING`
        #[arg(
            help_heading = SHUTDOWN, value_name = "S", default_value = "0",
            value_parser = seconds(0..=3_600)
        )]
        #[serde(serialize_with = "as_seconds")]
        pub drain_delay_seconds: Duration,

        /// Calls that have a line in the log when they end: all, slow, or off; health checks and reflection have none
        #[arg(help_heading = LOGS, value_name = "CALLS", value_enum, default_value_t = LoggedCalls::Slow)]
        pub log_calls: LoggedCalls,

        /// Address of the API, HOST:PORT; a host name stands for its first IPv4 address, or else for its first IPv6 address; needs a
        /// restart
        #[arg(value_name = "ADDRESS", default_value = puzzled_api::ADDRESS, value_parser = to_listen_on)]
        pub listen: SocketAddr,

        /// Name of this configuration, which `declared_by` of its stock targets shows; at most 64 letters, digits, `-`, `_`, and `.`;
        /// needs a restart
        #[arg(value_name = "NAME", default_value = NAME_DEFAULT, value_parser = config_name)]
        pub config_name: String,

        /// Whether the server supports reflection, true or false; needs a restart
        #[arg(value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
        pub reflection: bool,

        /// Whether browsers get a web page at `/`, true or false; the page calls the API with the rights of its user
        #[arg(value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
        pub page: bool,

        /// Origins whose web pages may call the API from a browser, such as `https://example.org`, separated by commas; needs a restart
        #[arg(value_name = "ORIGINS", default_value = "", hide_default_value = true, value_parser = cors_origins)]
        pub cors_origins: String,

        /// Names by which JSON requests reach a server without an access file, in addition to IP addresses and `localhost`, separated
        /// by commas; `.example.com` stands for all names below it
        #[arg(value_name = "NAMES", default_value = "", hide_default_value = true, value_parser = hosts)]
        pub hosts: String,
    }
}

settings! {
    /// Who may call the server.
    pub struct AccessSettings {
        /// File of principals and tokens, TOML; without an access file, every caller may do anything; new content applies without a
        /// restart, another file needs a restart [default: none]
        #[arg(value_name = "FILE")]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub access: Option<PathBuf>,

        /// Whether the server may listen beyond this machine without an access file or without TLS, true or false; needs a restart
        #[arg(
            value_name = "BOOL", default_value_t = false, action = ArgAction::Set,
            num_args = 0..=1, default_missing_value = "true", require_equals = true
        )]
        pub insecure: bool,
    }
}

settings! {
    /// The PEM files of TLS. The server reads them again on SIGHUP and when their content changes.
    pub struct TlsSettings {
        /// Certificate of the server, followed by the certificates of its issuers, PEM; new content applies without a restart,
        /// another file needs a restart [default: no TLS]
        #[arg(value_name = "FILE")]
        pub tls_cert: Option<PathBuf>,

        /// Key of the server's certificate, PEM, unencrypted; another file needs a restart [default: no TLS]
        #[arg(value_name = "FILE")]
        pub tls_key: Option<PathBuf>,

        /// Certificates of the authorities that issue clients' certificates, PEM; a client without a certificate is still accepted;
        /// another file needs a restart [default: none]
        #[arg(value_name = "FILE")]
        pub tls_client_ca: Option<PathBuf>,

        /// Lists of revoked clients' certificates, PEM, one list per authority in `tls_client_ca`; another file needs a
        /// restart [default: none]
        #[arg(value_name = "FILE")]
        pub tls_crl: Option<PathBuf>,
    }
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
    let Some((scheme, address)) = origin.split_once("://") else { return false };
    let usual_port = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return false,
    };
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".:-[]".contains(&byte);
    let Ok(authority) = address.parse::<Authority>() else { return false };
    let port = address.strip_prefix(authority.host()).and_then(|rest| rest.strip_prefix(':'));
    let has_right_port = port.is_none_or(|_| authority.port_u16().is_some_and(|port| port != usual_port));
    !authority.host().is_empty() && address.bytes().all(is_allowed) && has_right_port
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_what_browsers_send() {
        for list in ["", "https://example.org", "http://localhost:3000,https://[::1]:8443", "http://example.org:443"] {
            assert_eq!(cors_origins(list).as_deref(), Ok(list));
        }
        for list in [
            "example.org",
            "https://",
            "https://:443",
            "https://example.org:",
            "https://example.org:443",
            "http://example.org:80",
            "https://example.org:65536",
            "https://example.org:a",
            "https://example.org/",
            "https://Example.org",
            "https://[::1",
            "*",
        ] {
            let fault = cors_origins(&format!("https://example.com,{list}")).unwrap_err();
            assert!(fault.starts_with(&format!("{list:?} is not an origin; use http or https")), "{fault}");
        }
    }

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
