//! Raises this process's limit on open files at the start, because each connection counts as an open file.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The number of files that this process may open once the limit is raised. `None` if there is no limit.
pub(crate) fn highest_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum
}

/// Raises the soft limit of this process to the hard one. Many systems set the soft limit to 1,024, for programs that
/// cannot handle more. A server allows more connections and handshakes than that. If that fails, the failure is logged,
/// and the limit stays as it is.
pub(crate) fn raise_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current == maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, soft = current, hard = maximum, "limit of open files could not be raised");
    }
}
