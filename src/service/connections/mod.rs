//! Connections, from the socket to HTTP. A client first proves that it speaks HTTP/2 or HTTP/1.1, after the handshake of TLS if there
//! is one, in a separate place and within a time limit. Only then does it take a place among the connections. So silent clients do
//! not block others.

mod accept;
mod admission;
mod connection;
mod ending;
mod handshakes;
mod head;
mod http1;
mod preface;
mod repeated;
mod socket;
mod traffic;

pub(super) use accept::accept;
pub(super) use ending::Ending;
pub(super) use traffic::{Call, Traffic};
