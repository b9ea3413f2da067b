//! Connections, from the socket to HTTP/2. A client first proves that it speaks HTTP/2, in a place of its own and within
//! a time limit. Only then it takes a place among the connections. So clients that stay silent keep nobody out.

mod accept;
mod admission;
mod connection;
mod ending;
mod handshakes;
mod preface;
mod repeated;
mod traffic;

pub(super) use accept::accept;
pub(super) use ending::Ending;
pub(super) use traffic::{Call, Traffic};
