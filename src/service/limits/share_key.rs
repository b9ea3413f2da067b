//! Decides with whom a request shares its limits, so that callers share the service fairly: all requests of a
//! principal, of an address, or of a connection.

use std::{net::IpAddr, sync::Arc};

use http::Extensions;

use crate::{access::Caller, service::http::peer::Peer};

/// The unit among which places are shared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::service) enum ShareKey {
    /// All connections of a principal of the access file.
    Principal(Arc<str>),
    /// All connections of anonymous callers from an address. A client gets no larger share by opening more connections.
    Address(IpAddr),
    /// One connection, because many callers share the address of a proxy.
    Connection(u64),
    Internal,
}

impl ShareKey {
    /// The caller of a request with these extensions. If `connections_per_address_max` is 0, clients come through a
    /// proxy, and each connection counts as one caller.
    pub(in crate::service) fn of(extensions: &Extensions, connections_per_address_max: u32) -> Self {
        if let Some(Caller { principal, usage: Some(_), .. }) = extensions.get::<Arc<Caller>>().map(AsRef::as_ref) {
            return Self::Principal(Arc::clone(&principal.name));
        }
        match extensions.get::<Peer>() {
            None => Self::Internal,
            Some(peer) if connections_per_address_max == 0 => Self::Connection(peer.connection),
            Some(peer) => Self::Address(peer.address.ip()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_is_the_address_or_behind_a_proxy_the_connection() {
        let from = |address: &str, connection| {
            let mut extensions = Extensions::new();
            extensions.insert(Peer::new(address.parse().unwrap(), connection));
            extensions
        };
        let (first, second) = (from("192.0.2.1:7", 1), from("[::ffff:192.0.2.1]:8", 2));
        assert_eq!(ShareKey::of(&first, 512), ShareKey::of(&second, 512));
        assert_ne!(ShareKey::of(&first, 512), ShareKey::of(&from("192.0.2.2:7", 3), 512));
        assert_ne!(ShareKey::of(&first, 0), ShareKey::of(&second, 0));
        assert_eq!(ShareKey::of(&Extensions::new(), 512), ShareKey::Internal);
    }
}
