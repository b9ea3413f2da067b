//! Checks the files of the settings: a server can use the certificate of its listener and the access file, and neither the
//! certificate nor a token expires soon.

use std::{path::Path, time::Duration};

use tokio::sync::watch;

use super::finding::Finding;
use crate::{
    access::{Directory, Expiry},
    app::read_access_file,
    system::{
        clock::{Millis, SystemClock},
        watched_files::Rereads,
    },
    tls::{TlsFiles, TlsWatch},
};

const CERTIFICATE: &str = "certificate";
const ACCESS: &str = "access";

/// Fewer days than these until the end of a certificate or a token are a warning. For a certificate, they are an alert too.
const DAYS_MIN: i64 = 14;

const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// Whether a server can use these files, and for how long.
pub(super) async fn certificate(files: &TlsFiles) -> Finding {
    let clock = SystemClock::shared();
    let now = clock.now();
    // The files are read once: nothing asks for another read.
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

/// Whether a server can use this file, and which of its tokens expire first.
pub(super) async fn access(file: Option<&Path>) -> Finding {
    let Some(file) = file else { return Finding::ok(ACCESS, "no access file; every caller may do everything") };
    match read_access_file(file).await {
        Ok(directory) => of_tokens(&directory, SystemClock::shared().now()),
        Err(error) => Finding::error(ACCESS, error.to_string()),
    }
}

fn of_tokens(directory: &Directory, now: Millis) -> Finding {
    let expiries = directory.expire_before(now.plus_ms(DAYS_MIN * DAY_MS));
    let Some(Expiry { expires_at, id, principal }) = expiries.first() else {
        let (principals, tokens) = directory.counts();
        return Finding::ok(ACCESS, format!("principals {principals}, tokens {tokens}"));
    };
    let left_ms = expires_at.ms_since(now);
    let when = if left_ms <= 0 { "has expired".to_owned() } else { format!("expires in {} days", left_ms / DAY_MS) };
    let others = match expiries.len() - 1 {
        0 => String::new(),
        others => format!(" (and {others} more within {DAYS_MIN} days)"),
    };
    let remedy = "make a new one with `puzzled token new`, and remove the old entry";
    Finding::warning(ACCESS, format!("the token {id:?} of {principal:?} {when}{others}; {remedy}"))
}
