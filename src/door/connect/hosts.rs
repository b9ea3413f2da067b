//! Checks the host of each plain request on a server without an access file. If a web page rebinds its own name to the
//! server's address, the browser lets it call the server. But its requests carry that name.

use std::{
    collections::HashSet,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use http::{Request, Response, StatusCode, header};
use tonic::{Status, body::Body};

use super::{failure, methods::Methods, pages};
use crate::{
    access::Gate,
    calls::{Invalid, ServiceError},
    settings::{CurrentSettings, entries},
    telemetry::Telemetry,
};
use puzzled_engine::shared::names::{head, quoted};

/// The maximum number of refused names in the log of a process.
const LOGGED_MAX: usize = 100;

/// The maximum length of such a name, in characters: no host name is longer.
const LOGGED_LEN_MAX: usize = 253;

/// Decides by their host which plain requests are answered.
#[derive(Debug)]
pub(crate) struct Hosts {
    gate: Arc<Gate>,
    current: Arc<CurrentSettings>,
    telemetry: Arc<Telemetry>,
    logged: Mutex<HashSet<String>>,
}

impl Hosts {
    /// Checks hosts if `gate` has no access file. With an access file, no check is needed, because a page has no token.
    pub(crate) fn new(gate: Arc<Gate>, current: Arc<CurrentSettings>, telemetry: Arc<Telemetry>) -> Self {
        Self { gate, current, telemetry, logged: Mutex::default() }
    }

    /// The answer to a request that is refused because of its host; `None` if its host is allowed.
    pub(super) fn refusal(&self, request: &Request<Body>, methods: &Methods) -> Option<Response<Body>> {
        if !self.gate.is_open() {
            return None;
        }
        let (error, http_status) = match name(request) {
            Ok(name) if is_allowed(&name, &self.current.get().server.hosts) => return None,
            Ok(name) => {
                self.log(&name);
                (ServiceError::HostNotAllowed(name), StatusCode::MISDIRECTED_REQUEST)
            }
            Err(fault) => (fault, StatusCode::BAD_REQUEST),
        };
        self.telemetry.host_refusals.one();
        let status = Status::from(error);
        let mut response = match methods.get(request.uri().path()) {
            Some(_) => failure::answer(&status, methods),
            None => pages::answer(http_status, format!("{}\n", status.message())),
        };
        *response.status_mut() = http_status;
        Some(response)
    }

    /// Logs each name once, because the call log does not see the request.
    fn log(&self, name: &str) {
        let name = head(name, LOGGED_LEN_MAX);
        // A panic cannot leave the set half changed.
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.len() < LOGGED_MAX && logged.insert(name.to_owned()) {
            tracing::warn!(host = name, "host refused; if clients use it, add it to --hosts");
        }
    }
}

/// The one name of a request's host, from the authority of its target and from each `host` header, in the form of
/// [`plain_name`].
///
/// # Errors
/// There is no name, or two differ.
fn name(request: &Request<Body>) -> Result<String, ServiceError> {
    let target = request.uri().authority().map(|authority| plain_name(authority.as_str()));
    let headers = request.headers().get_all(header::HOST).iter();
    let headers = headers.map(|host| plain_name(&String::from_utf8_lossy(host.as_bytes())));
    let mut names = target.into_iter().chain(headers);
    let first = names.next().filter(|name| !name.is_empty());
    let first =
        first.ok_or_else(|| Invalid::one("host", "required; send the name or the address of the server".to_owned()))?;
    match names.find(|name| *name != first) {
        None => Ok(first),
        Some(other) => {
            let fault = format!("{} and {} differ; send one host", quoted(&first), quoted(&other));
            Err(Invalid::one("host", fault))
        }
    }
}

/// The name in `NAME:PORT`, without the port and one trailing dot, in lower case.
fn plain_name(authority: &str) -> String {
    let name = match authority.rsplit_once(':') {
        // An address of IPv6 has colons, and brackets if a port follows.
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit()) && (name.ends_with(']') || !name.contains(':')) =>
        {
            name
        }
        _ => authority,
    };
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Whether a page cannot have rebound the name: it is an address, a name of this machine, or one of `hosts`.
fn is_allowed(name: &str, hosts: &str) -> bool {
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_below = |domain: &str| name.strip_suffix(domain).is_some_and(|host| !host.is_empty());
    address.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || is_below(".localhost")
        || entries(hosts).any(|host| if host.starts_with('.') { is_below(host) } else { name == host })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_port_case_and_one_trailing_dot() {
        let hosts = "puzzled,.example.com";
        for (host, expected) in [
            ("localhost", true),
            ("LocalHost:50051", true),
            ("localhost.", true),
            ("localhost.:1", true),
            ("localhost:", true),
            ("localhost..", false),
            ("localhost.evil.example", false),
            ("evil-localhost", false),
            ("evillocalhost", false),
            ("a.localhost", true),
            ("a.b.localhost.:1", true),
            (".localhost", false),
            ("127.0.0.1", true),
            ("127.0.0.1.:50051", true),
            ("192.0.2.1:80", true),
            ("127.0.0.1.evil.example", false),
            ("127.0.0.1.nip.io:50051", false),
            ("127.1", false),
            ("0x7f.0.0.1", false),
            ("2130706433", false),
            ("0177.0.0.1", false),
            ("[::1]", true),
            ("[::1]:50051", true),
            ("[2001:DB8::1]:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("::1", true),
            ("[::1", false),
            ("[evil.example]", false),
            ("[::1].evil.example", false),
            ("[::1]:1@evil.example", false),
            ("puzzled", true),
            ("PUZZLED.:1", true),
            ("puzzled.evil.example", false),
            ("a.example.com", true),
            ("a.b.Example.com:1", true),
            ("example.com", false),
            (".example.com", false),
            ("evilexample.com", false),
            ("a.example.com.evil.example", false),
            ("localhost:x", false),
            ("localhost:1:2", false),
            ("localhost:1@evil.example", false),
            ("localhost, evil.example", false),
            ("localhost evil.example", false),
            ("*", false),
            ("evil.example", false),
        ] {
            assert_eq!(is_allowed(&plain_name(host), hosts), expected, "{host}");
        }
    }
}
