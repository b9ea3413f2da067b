//! Tells systemd whether this process is ready, reloads its settings, or shuts down (`Type=notify`). If systemd has not
//! set `NOTIFY_SOCKET`, nothing is sent.

use sd_notify::NotifyState;

/// Reports that the process answers calls or works on jobs. Also called at the end of a reload.
pub(crate) fn ready() {
    tell(NotifyState::Ready);
}

/// Reports that the process applies new settings. The caller calls [`ready`] afterwards.
pub(crate) fn reloading() {
    tell(NotifyState::Reloading);
}

/// Reports that the process is shutting down.
pub(crate) fn stopping() {
    tell(NotifyState::Stopping);
}

fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "service manager not notified");
    }
}
