//! The client at the other end of a connection: its address, the number of the connection, and the name in its
//! certificate. Each request carries them.

use std::{net::SocketAddr, sync::Arc};

use super::traffic::Traffic;

/// The client at the other end of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    /// The client's address. An IPv4 address that the socket maps into IPv6 is converted back.
    pub(crate) address: SocketAddr,
    /// The number of the connection, unique in this process.
    pub(crate) connection: u64,
    /// The name in the client's certificate: its first URI, else its first DNS name. `None` without TLS, and for a client
    /// without a certificate or without such a name.
    pub(crate) certificate: Option<Arc<str>>,
    /// The traffic of the connection.
    pub(crate) traffic: Arc<Traffic>,
}

impl Peer {
    /// A peer with a new connection.
    pub(crate) fn new(address: SocketAddr, connection: u64) -> Self {
        // A client must not get a second share by connecting to `::ffff:192.0.2.1` instead of `192.0.2.1`.
        let address = SocketAddr::new(address.ip().to_canonical(), address.port());
        Self { address, connection, certificate: None, traffic: Arc::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_address_is_the_ipv4_address() {
        for (address, expected) in [
            ("192.0.2.1:7", "192.0.2.1:7"),
            ("[::ffff:192.0.2.1]:7", "192.0.2.1:7"),
            ("[2001:db8::1]:7", "[2001:db8::1]:7"),
        ] {
            let peer = Peer::new(address.parse().unwrap(), 1);
            assert_eq!(peer.address, expected.parse().unwrap());
        }
    }
}
