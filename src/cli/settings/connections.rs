//! The settings of client connections: their number, handshakes, calls per connection, age, and pings.

use std::time::Duration;

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::service::ServerSettings;

/// Limits, age, and pings of connections.
#[derive(Debug, Args, Serialize)]
pub(super) struct ConnectionArgs {
    /// Maximum number of connections, 1 to 1000000; the server closes further connections at once
    #[arg(
        long, env = "PUZZLED_MAX_CONNECTIONS", value_name = "N", default_value_t = DEFAULT.server.connections_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_connections: u32,

    /// Maximum number of connections per client address, 0 to 1000000; 0 is no limit, for a server behind a proxy
    /// [default: half of `max_connections`]
    #[arg(
        long, env = "PUZZLED_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N",
        value_parser = value_parser!(u32).range(0..=1_000_000)
    )]
    pub(super) max_connections_per_address: Option<u32>,

    /// Maximum number of unfinished handshakes, 1 to 1000000; for each further handshake, the server closes the oldest
    #[arg(
        long, env = "PUZZLED_MAX_HANDSHAKES", value_name = "N", default_value_t = DEFAULT.server.handshakes_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_handshakes: u32,

    /// Maximum duration of a handshake, in seconds, 1 to 300
    #[arg(
        long, env = "PUZZLED_HANDSHAKE_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.handshake_timeout.as_secs(), value_parser = value_parser!(u64).range(1..=300)
    )]
    handshake_seconds: u64,

    /// Maximum number of concurrent calls per connection, 1 to 65535; needs a restart
    #[arg(
        long, env = "PUZZLED_MAX_STREAMS", value_name = "N", default_value_t = DEFAULT.server.streams_max,
        value_parser = value_parser!(u32).range(1..=65_535)
    )]
    max_streams: u32,

    /// Age of a connection at which the server asks the client to reconnect, in seconds, 1 to 2592000; needs a restart
    #[arg(
        long, env = "PUZZLED_CONNECTION_AGE_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.connection_age.as_secs(), value_parser = value_parser!(u64).range(1..=2_592_000)
    )]
    connection_age_seconds: u64,

    /// Time after `connection_age_seconds` until the server closes the connection, in seconds, 0 to 86400
    #[arg(
        long, env = "PUZZLED_CONNECTION_AGE_GRACE_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.connection_age_grace.as_secs(), value_parser = value_parser!(u64).range(0..=86_400)
    )]
    connection_age_grace_seconds: u64,

    /// Interval of the pings on an idle connection, in seconds, 1 to 86400; needs a restart
    #[arg(
        long, env = "PUZZLED_KEEPALIVE_SECONDS", value_name = "S", default_value_t = DEFAULT.server.keepalive.as_secs(),
        value_parser = value_parser!(u64).range(1..=86_400)
    )]
    keepalive_seconds: u64,

    /// Maximum time until a client answers a ping, in seconds, 1 to 3600; needs a restart
    #[arg(
        long, env = "PUZZLED_KEEPALIVE_TIMEOUT_SECONDS", value_name = "S",
        default_value_t = DEFAULT.server.keepalive_timeout.as_secs(), value_parser = value_parser!(u64).range(1..=3_600)
    )]
    keepalive_timeout_seconds: u64,
}

impl ConnectionArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        // Half of one connection is one: 0 would be no limit.
        let half = (self.max_connections / 2).max(1);
        ServerSettings {
            connections_max: self.max_connections,
            connections_per_address_max: self.max_connections_per_address.unwrap_or(half),
            handshakes_max: self.max_handshakes,
            handshake_timeout: Duration::from_secs(self.handshake_seconds),
            streams_max: self.max_streams,
            connection_age: Duration::from_secs(self.connection_age_seconds),
            connection_age_grace: Duration::from_secs(self.connection_age_grace_seconds),
            keepalive: Duration::from_secs(self.keepalive_seconds),
            keepalive_timeout: Duration::from_secs(self.keepalive_timeout_seconds),
            ..settings
        }
    }
}
