//! The door of the server, from the socket to the call. A client first makes the TLS handshake, if there is one, and proves that it
//! speaks HTTP/2 or HTTP/1.1, within a time limit. Only then does it take one of the limited places for connections, so silent clients do
//! not block others. `serve` puts the services and the layers of `calls` behind the door; `connect` translates JSON into gRPC and back.

mod accept;
mod handshakes;
mod preface;

mod admission;
mod connection;
mod http1;
mod refusal;

mod connect;
mod ending;
mod health;
mod health_watch;
mod serve;

pub use connect::Methods;
// Commands describe what the server would send.
pub use health::follow_database;
pub use serve::{ServeError, serve};
