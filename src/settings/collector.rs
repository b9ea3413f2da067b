//! The address of a collector.

use std::{fmt, str::FromStr};

use http::{Uri, uri::Scheme};
use serde::{Serialize, Serializer};

/// The URL of a collector that accepts OTLP over gRPC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector(String);

impl Collector {
    /// The URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.0
    }
}

/// Why a text is not the URL of a collector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CollectorError {
    /// It is not a URL with a host.
    #[error("not a URL with a host; use http://HOST:PORT")]
    Unreadable,
    /// Its scheme is not `http`.
    #[error("spans are sent without TLS; use http://HOST:PORT, such as http://127.0.0.1:4317")]
    Scheme,
    /// It has a user, a path, or a query.
    #[error("only a host and a port are allowed; use http://HOST:PORT")]
    More,
}

impl FromStr for Collector {
    type Err = CollectorError;

    fn from_str(text: &str) -> Result<Self, CollectorError> {
        let uri: Uri = text.parse().map_err(|_| CollectorError::Unreadable)?;
        let scheme = uri.scheme().ok_or(CollectorError::Unreadable)?;
        if *scheme != Scheme::HTTP {
            return Err(CollectorError::Scheme);
        }
        let authority = uri.authority().ok_or(CollectorError::Unreadable)?;
        if !matches!(uri.path(), "" | "/") || uri.query().is_some() || authority.as_str().contains('@') {
            return Err(CollectorError::More);
        }
        // An IPv6 address, in brackets, contains colons too.
        let after_address = authority.as_str().rsplit(']').next().unwrap_or_default();
        if authority.host().is_empty() || after_address.contains(':') && authority.port_u16().is_none() {
            return Err(CollectorError::Unreadable);
        }
        Ok(Self(format!("http://{authority}")))
    }
}

impl fmt::Display for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Collector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collector_is_a_host_and_a_port_or_refused_with_a_reason() {
        for (text, expected) in [
            ("http://127.0.0.1:4317", Ok("http://127.0.0.1:4317")),
            ("http://collector:4317/", Ok("http://collector:4317")),
            ("http://[::1]:4317", Ok("http://[::1]:4317")),
            ("http://collector", Ok("http://collector")),
            ("127.0.0.1:4317", Err(CollectorError::Unreadable)),
            ("collector", Err(CollectorError::Unreadable)),
            ("http://", Err(CollectorError::Unreadable)),
            ("http://collector:many", Err(CollectorError::Unreadable)),
            ("", Err(CollectorError::Unreadable)),
            ("https://collector:4317", Err(CollectorError::Scheme)),
            ("grpc://collector:4317", Err(CollectorError::Scheme)),
            ("http://collector:4317/v1/traces", Err(CollectorError::More)),
            ("http://user:secret@collector:4317", Err(CollectorError::More)),
        ] {
            let read = text.parse::<Collector>().map(|collector| collector.to_string());
            assert_eq!(read, expected.map(str::to_owned), "{text:?}");
        }
    }
}
