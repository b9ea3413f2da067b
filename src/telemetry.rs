//! Logs: what is logged, and how it looks. They go to standard error, so that standard output holds results alone.

use std::{
    io::{IsTerminal as _, stderr},
    sync::OnceLock,
};

use serde::Serialize;
use tracing_subscriber::{EnvFilter, Registry, fmt, layer::SubscriberExt as _, reload, util::SubscriberInitExt as _};

/// The filter of this process's log, once there is one.
static FILTER: OnceLock<reload::Handle<EnvFilter, Registry>> = OnceLock::new();

/// How logs look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    Human,
    /// One JSON object a line.
    Json,
}

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter cannot be read.
    #[error("log is {filter:?}, which is not a filter such as `info` or `warn,puzzled=debug`: {reason}")]
    Filter {
        /// What was given.
        filter: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Somebody else has set up logging in this process.
    #[error("logging is set up already")]
    SetUpAlready,
}

/// Reads a filter: a level, or directives parted by commas.
///
/// # Errors
/// [`TelemetryError::Filter`].
pub fn filter(text: &str) -> Result<EnvFilter, TelemetryError> {
    EnvFilter::builder()
        .parse(text)
        .map_err(|error| TelemetryError::Filter { filter: text.to_owned(), reason: error.to_string() })
}

/// Logs what passes the filter from here on, for the whole process.
///
/// # Errors
/// [`TelemetryError`].
pub fn init(text: &str, format: LogFormat) -> Result<(), TelemetryError> {
    // A log that cannot be written is passed over. By default the logger complains on standard error, and panics if that is
    // what has been closed.
    let (filter, handle) = reload::Layer::new(filter(text)?);
    let filtered = tracing_subscriber::registry().with(filter);
    let lines = fmt::layer().with_writer(stderr).log_internal_errors(false);
    match format {
        LogFormat::Human => filtered.with(lines.with_ansi(stderr().is_terminal())).try_init(),
        LogFormat::Json => filtered.with(lines.json().flatten_event(true)).try_init(),
    }
    .map_err(|_| TelemetryError::SetUpAlready)?;
    FILTER.set(handle).map_err(|_| TelemetryError::SetUpAlready)
}

/// Replaces what passes the filter. Does nothing where nothing is logged, or if the filter cannot be read.
pub fn set_filter(text: &str) {
    if let (Some(handle), Ok(filter)) = (FILTER.get(), filter(text)) {
        // It fails only if the log is gone, and then there is nothing to filter.
        let _ = handle.reload(filter);
    }
}

/// What `work` logs on this thread, a line an event: level, message, fields.
#[cfg(test)]
pub(crate) fn logged(work: impl FnOnce()) -> String {
    use std::{io::Read as _, io::Seek as _, sync::Arc, sync::LazyLock};
    use tracing::{Dispatch, subscriber::NoSubscriber};
    // Where there is one logger only, tracing asks the thread that meets a message first whether it is wanted at all, and that
    // may be the thread of another test. So there are always two.
    static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));
    LazyLock::force(&SECOND);
    let file = Arc::new(tempfile::tempfile().unwrap());
    let lines = fmt().with_writer(Arc::clone(&file)).with_ansi(false).without_time().with_target(false).finish();
    tracing::subscriber::with_default(lines, work);
    let mut log = String::new();
    (&*file).rewind().unwrap();
    (&*file).read_to_string(&mut log).unwrap();
    log.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}
