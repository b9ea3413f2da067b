//! Metrics of reloads: whether the last reload of the settings, the certificates, and the access file succeeded, and
//! when the listener's certificate expires. The state is global, because each part that reads files reports here.

use std::{
    fmt,
    sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
};

use super::scrape::Page;
use puzzled_base::clock::{Millis, SystemClock};

/// What can be reloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reloaded {
    /// The configuration file.
    Settings,
    /// The certificates of the listener.
    Certificates,
    /// The access file.
    Access,
}

/// For each [`Reloaded`], in its order: whether the last reload failed.
static FAILED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];

/// The time of the last reload that succeeded, in milliseconds since 1970; 0 before the first one.
static SUCCEEDED_AT: AtomicI64 = AtomicI64::new(0);

/// The time at which the certificate of the listener expires; 0 without one.
static EXPIRES_AT: AtomicI64 = AtomicI64::new(0);

const DAY_MS: f64 = 86_400_000.0;

/// Reports whether a reload succeeded. After a failure, the old contents stay in force.
pub fn report_reload(what: Reloaded, has_succeeded: bool) {
    FAILED[what as usize].store(!has_succeeded, Relaxed);
    if has_succeeded {
        SUCCEEDED_AT.store(SystemClock::shared().now().0, Relaxed);
    }
}

/// Reports the time at which the certificate of the listener expires.
pub fn report_certificate_expiry(at: Millis) {
    EXPIRES_AT.store(at.0, Relaxed);
}

#[expect(clippy::cast_precision_loss, reason = "times stay below 2^52 ms")]
pub(super) fn write(page: &mut Page<'_>) -> fmt::Result {
    let has_failed = FAILED.iter().any(|failed| failed.load(Relaxed));
    let help = "0 if the last reload of the settings, the certificates, or the access file failed, otherwise 1.";
    page.gauge("puzzled_reload_success", help, if has_failed { 0.0 } else { 1.0 })?;
    let at = SUCCEEDED_AT.load(Relaxed) as f64 / 1_000.0;
    let help = "Time of the last reload that succeeded, in seconds since 1970; 0 before the first one.";
    page.gauge("puzzled_reload_timestamp_seconds", help, at)?;
    let expires_at = Some(EXPIRES_AT.load(Relaxed)).filter(|&at| at > 0);
    let days = expires_at.map(|at| Millis(at).ms_since(SystemClock::shared().now()) as f64 / DAY_MS);
    page.gauge("puzzled_certificate_expiry_days", "Days until the certificate of the listener expires; TLS only.", days)
}
