//! Tells systemd whether this process is ready, reloads its settings, or shuts down (`Type=notify`). If systemd has not
//! set `NOTIFY_SOCKET`, nothing is sent.

use sd_notify::NotifyState;

/// The process answers calls, or works on jobs; also said at the end of a reload.
pub(crate) fn ready() {
    tell(NotifyState::Ready);
}

/// The process takes new settings. [`ready`] follows.
pub(crate) fn reloading() {
    tell(NotifyState::Reloading);
}

/// The process shuts down.
pub(crate) fn stopping() {
    tell(NotifyState::Stopping);
}

fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "service manager not notified");
    }
}
