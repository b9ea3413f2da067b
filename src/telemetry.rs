//! Logs: what is logged, and how it looks. They go to standard error, so that standard output holds results alone.

use std::io::{IsTerminal as _, stderr};

use serde::Serialize;
use tracing_subscriber::{EnvFilter, fmt};

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
    let lines = fmt().with_env_filter(filter(text)?).with_writer(stderr).log_internal_errors(false);
    match format {
        LogFormat::Human => lines.with_ansi(stderr().is_terminal()).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    }
    .map_err(|_| TelemetryError::SetUpAlready)
}

/// What `work` logs on this thread, a line an event: level, message, fields.
#[cfg(test)]
pub(crate) fn logged(work: impl FnOnce()) -> String {
    use std::{io::Read as _, io::Seek as _, sync::Arc};
    let file = Arc::new(tempfile::tempfile().unwrap());
    let lines = fmt().with_writer(Arc::clone(&file)).with_ansi(false).without_time().with_target(false).finish();
    tracing::subscriber::with_default(lines, work);
    let mut log = String::new();
    (&*file).rewind().unwrap();
    (&*file).read_to_string(&mut log).unwrap();
    log.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}
