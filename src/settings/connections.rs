//! The settings of connections: their number, age, and pings.

use std::time::Duration;

use super::{
    group::settings,
    values::{as_seconds, between, seconds},
};

settings! {
    /// Limits, age, and pings of connections.
    pub struct ConnectionSettings {
        /// Maximum number of connections, 1 to 1000000; the server closes further connections at once
        #[arg(value_name = "N", default_value_t = 1_024, value_parser = between(1..=1_000_000))]
        pub max_connections: u32,

        /// Maximum number of connections per client address, 0 to 1000000; 0 is no limit, for a server behind a proxy
        /// [default: half of `max_connections`]
        #[arg(value_name = "N", value_parser = between(0..=1_000_000))]
        pub max_connections_per_address: Option<u32>,

        /// Maximum number of unfinished handshakes, 1 to 1000000; for each further handshake, the server closes the oldest
        #[arg(value_name = "N", default_value_t = 512, value_parser = between(1..=1_000_000))]
        pub max_handshakes: u32,

        /// Maximum duration of a handshake, in seconds, 1 to 300
        #[arg(value_name = "S", default_value = "10", value_parser = seconds(1..=300))]
        #[serde(serialize_with = "as_seconds")]
        pub handshake_seconds: Duration,

        /// Age of a connection at which the server asks the client to reconnect, in seconds, 1 to 2592000; needs a restart
        // So that replicas share the load.
        #[arg(value_name = "S", default_value = "1800", value_parser = seconds(1..=2_592_000))]
        #[serde(serialize_with = "as_seconds")]
        pub connection_age_seconds: Duration,

        /// Time after `connection_age_seconds` until the server closes the connection, in seconds, 0 to 86400
        #[arg(value_name = "S", default_value = "300", value_parser = seconds(0..=86_400))]
        #[serde(serialize_with = "as_seconds")]
        pub connection_age_grace_seconds: Duration,

        /// Interval of the pings on an idle connection, in seconds, 1 to 86400; needs a restart
        #[arg(value_name = "S", default_value = "30", value_parser = seconds(1..=86_400))]
        #[serde(serialize_with = "as_seconds")]
        pub keepalive_seconds: Duration,

        /// Maximum time until a client answers a ping, in seconds, 1 to 3600; needs a restart
        #[arg(value_name = "S", default_value = "20", value_parser = seconds(1..=3_600))]
        #[serde(serialize_with = "as_seconds")]
        pub keepalive_timeout_seconds: Duration,
    }
}

impl ConnectionSettings {
    /// The maximum number of connections per client address; 0 is no limit.
    #[must_use]
    pub fn max_per_address(&self) -> u32 {
        // Half of one connection is one: 0 would be no limit.
        self.max_connections_per_address.unwrap_or_else(|| (self.max_connections / 2).max(1))
    }
}
