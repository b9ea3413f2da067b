//! Checks that the certificate of the listener fits its key, and does not expire soon.

use std::time::Duration;

use tokio::sync::watch;

use super::finding::Finding;
use crate::{
    clock::SystemClock,
    tls::{TlsFiles, TlsWatch},
    watched_files::Rereads,
};

const CERTIFICATE: &str = "certificate";

/// A certificate or token that expires in fewer days gives a warning. For a certificate, there is also an alert.
pub(super) const DAYS_MIN: i64 = 14;

pub(super) const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// Checks whether a server can use these files, and for how long.
pub(super) async fn of_listener(files: &TlsFiles) -> Finding {
    let clock = SystemClock::shared();
    let now = clock.now();
    // The files are read once, because nothing requests another read.
    let (_none, hangups) = watch::channel(());
    let rereads = Rereads { every: Duration::from_secs(1), hangups };
    let watched = match TlsWatch::begin(files, rereads, clock).await {
        Ok(Some(watched)) => watched,
        Ok(None) => return Finding::ok(CERTIFICATE, "none; connections are not encrypted"),
        Err(error) => return Finding::error(CERTIFICATE, error.to_string()),
    };
    let days = watched.tls().expires_at().ms_since(now) / DAY_MS;
    if days < DAYS_MIN {
        return Finding::warning(CERTIFICATE, format!("expires in {days} days; renew it and replace its files"));
    }
    Finding::ok(CERTIFICATE, format!("expires in {days} days"))
}
