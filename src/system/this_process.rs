//! This process as the operating system sees it: raises the limit on open files, and tells systemd whether the process is
//! ready, reloads its settings, or shuts down (`Type=notify`). If systemd has not set `NOTIFY_SOCKET`, nothing is sent.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sd_notify::NotifyState;

/// The number of files that this process may open once the limit is raised. `None` if there is no limit.
pub(crate) fn highest_file_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum
}

/// Raises the soft limit on open files to the hard one, because each connection counts as an open file. Many systems set
/// the soft limit to 1,024, for programs that cannot handle more. A server allows more connections and handshakes than
/// that. If the limit cannot be raised, the failure is logged, and the limit stays as it is.
pub(crate) fn raise_file_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current == maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, soft = current, hard = maximum, "limit of open files could not be raised");
    }
}

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
        tracing::warn!(%error, "service manager not notified; check the socket that NOTIFY_SOCKET names");
    }
}
