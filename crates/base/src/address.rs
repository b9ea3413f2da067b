//! Parses addresses to listen on, with the numeric address or the name of a host.

use std::net::{SocketAddr, ToSocketAddrs as _};

/// Parses `HOST:PORT`. If a name has several addresses, takes the first IPv4 address, or else the first IPv6 address.
///
/// # Errors
/// What is wrong and what is allowed, if the text has another form or the system finds no address for the name.
pub fn to_listen_on(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let example = "use HOST:PORT, for example 127.0.0.1:50051, [::1]:50051, or localhost:50051";
    let Some((host, port)) = text.rsplit_once(':').filter(|(host, _)| !host.is_empty() && !host.contains(':')) else {
        return Err(format!("not an address; {example}"));
    };
    let Ok(port) = port.parse::<u16>() else {
        return Err(format!("the port is not a number from 0 to 65535; {example}"));
    };
    let found: Vec<SocketAddr> = (host, port).to_socket_addrs().map(Iterator::collect).unwrap_or_default();
    preferred(&found).ok_or_else(|| format!("the system knows no address of this host; {example}"))
}

/// The first IPv4 address, or else the first address.
fn preferred(found: &[SocketAddr]) -> Option<SocketAddr> {
    found.iter().find(|address| address.is_ipv4()).or_else(|| found.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_ipv4_address_of_a_name_is_preferred_to_ipv6() {
        let [six, four, other] = ["[::1]:7", "127.0.0.1:7", "127.0.0.2:7"].map(|text| text.parse().unwrap());
        assert_eq!(preferred(&[six, four, other]), Some(four));
        assert_eq!(preferred(&[six]), Some(six));
        assert_eq!(preferred(&[]), None);
    }

    #[test]
    fn numeric_addresses_and_localhost_are_read() {
        for (text, expected) in [
            ("127.0.0.1:50051", "127.0.0.1:50051"),
            ("[::1]:50051", "[::1]:50051"),
            ("localhost:50051", "127.0.0.1:50051"),
        ] {
            assert_eq!(to_listen_on(text), Ok(expected.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_allowed_form() {
        for (text, wrong) in [
            ("50051", "not an address"),
            (":50051", "not an address"),
            ("::1:50051", "not an address"),
            ("localhost", "not an address"),
            ("localhost:port", "the port is not a number from 0 to 65535"),
            ("localhost:65536", "the port is not a number from 0 to 65535"),
            ("no-such-host.invalid:50051", "the system knows no address of this host"),
        ] {
            let allowed = "use HOST:PORT, for example 127.0.0.1:50051, [::1]:50051, or localhost:50051";
            assert_eq!(to_listen_on(text), Err(format!("{wrong}; {allowed}")), "{text}");
        }
    }
}
