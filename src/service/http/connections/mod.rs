//! Connections, from the socket to HTTP. A client first makes the TLS handshake, if there is one, and proves that it
//! speaks HTTP/2 or HTTP/1.1, within a time limit. Only then does it take one of the limited places for connections, so
//! silent clients do not block others.

mod accept;
mod admission;
mod connection;
mod ending;
mod handshakes;
mod http1;
mod preface;
mod refusal;
mod traffic;

pub(in crate::service) use accept::accept;
pub(in crate::service) use ending::Ending;
pub(in crate::service) use traffic::{Call, Keeping, Traffic};
