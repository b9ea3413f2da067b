//! Accepts connections, and serves gRPC and JSON over HTTP on them.

pub(super) mod connect;
pub(super) mod connections;
pub(super) mod health;
mod health_watch;
pub(super) mod peer;
pub(super) mod serve;
