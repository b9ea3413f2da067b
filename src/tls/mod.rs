//! The TLS of the listener, whose certificates can change while the server runs.

mod files;
mod listener;

pub use listener::{ListenerTls, TlsWatch};

/// The protocols that the listener offers by ALPN, the preferred one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];
