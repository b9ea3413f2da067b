//! Decides whether a failed call may be repeated because the server is restarting, and pauses before the repeat.

use std::time::Duration;

use tonic::{Code, Status};

/// The pause before a call is repeated.
pub(in crate::cli) const REST: Duration = Duration::from_secs(1);

/// The maximum number of repeats in a row.
const REPEATS_MAX: u32 = 60;

/// Counts the failed calls in a row.
#[derive(Debug, Default)]
pub(in crate::cli) struct Away {
    repeats: u32,
}

impl Away {
    /// If the server is away and the maximum number of repeats is not reached, pauses, so that the caller can repeat the call.
    ///
    /// # Errors
    /// The status, if the call may not be repeated.
    pub(in crate::cli) async fn wait(&mut self, status: Status) -> Result<(), Status> {
        if !is_away(&status) || self.repeats >= REPEATS_MAX {
            return Err(status);
        }
        self.repeats += 1;
        tokio::time::sleep(REST).await;
        Ok(())
    }

    /// Whether the last call failed.
    pub(in crate::cli) const fn has_failed(&self) -> bool {
        self.repeats > 0
    }

    /// Resets the number of repeats, because the server has answered.
    pub(in crate::cli) const fn is_back(&mut self) {
        self.repeats = 0;
    }
}

/// Whether the server is away: it says so, or the connection broke. Errors from the server itself always have details.
pub(in crate::cli) fn is_away(status: &Status) -> bool {
    let is_broken = matches!(status.code(), Code::Unknown | Code::Internal) && status.details().is_empty();
    is_broken || status.code() == Code::Unavailable
}
