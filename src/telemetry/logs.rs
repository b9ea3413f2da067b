//! Sets up logs, their filter and their format, and replaces the filter at a reload. Logs go to standard error, so that
//! standard output contains only results.

use std::{
    io::{self, IsTerminal as _, stderr},
    sync::OnceLock,
};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    Registry,
    filter::{ParseError, Targets},
    fmt,
    layer::SubscriberExt as _,
    reload,
    util::SubscriberInitExt as _,
};

use super::log_lines::LogLines;
use crate::settings::LogFormat;

/// The filter of this process's log, once logging is set up.
static FILTER: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter is invalid.
    #[error("log is {filter:?}, which is not a filter such as `info` or `warn,puzzled=debug`: {reason}")]
    Filter {
        /// The given filter.
        filter: String,
        /// The parser's error.
        reason: String,
    },
    /// Logging was set up before in this process.
    #[error("logging is set up already")]
    SetUpAlready,
    /// The thread that writes the log could not be started.
    #[error("the thread that writes the log could not be started: {0}")]
    Thread(#[source] io::Error),
}

/// Parses a filter: a level, or levels of modules separated by commas. A bare level means `warn,puzzled=LEVEL`: libraries log
/// only warnings and errors.
///
/// # Errors
/// [`TelemetryError::Filter`].
pub fn filter(text: &str) -> Result<Targets, TelemetryError> {
    let bare = text.trim().parse::<LevelFilter>().is_ok_and(|level| level != LevelFilter::OFF);
    let directives = if bare { format!("warn,puzzled={}", text.trim()) } else { text.to_owned() };
    let fault = |reason| TelemetryError::Filter { filter: text.to_owned(), reason };
    // The parser takes an empty level for `error`.
    let is_half = |directive: &str| directive.split('=').any(|part| part.trim().is_empty());
    if directives.split(',').any(|directive| directive.contains('=') && is_half(directive)) {
        return Err(fault("a directive is MODULE=LEVEL".to_owned()));
    }
    directives.parse().map_err(|error: ParseError| fault(error.to_string()))
}

/// Sets up logging for the whole process, with a filter and a format.
///
/// # Errors
/// [`TelemetryError`].
pub fn init(text: &str, format: LogFormat) -> Result<(), TelemetryError> {
    let (filter, handle) = reload::Layer::new(filter(text)?);
    let filtered = tracing_subscriber::registry().with(filter);
    let writer = LogLines::start().map_err(TelemetryError::Thread)?;
    let lines = fmt::layer().with_writer(move || writer);
    match format {
        LogFormat::Human => filtered.with(lines.with_ansi(stderr().is_terminal())).try_init(),
        LogFormat::Json => filtered.with(lines.json().flatten_event(true)).try_init(),
    }
    .map_err(|_| TelemetryError::SetUpAlready)?;
    FILTER.set(handle).map_err(|_| TelemetryError::SetUpAlready)
}

/// Replaces the filter. Does nothing if logging is not set up, or if the filter is invalid.
pub fn set_filter(text: &str) {
    if let (Some(handle), Ok(filter)) = (FILTER.get(), filter(text)) {
        // This fails only if the logger is gone, and then there is nothing to filter.
        let _ = handle.reload(filter);
    }
}

/// Returns the log of `work` on this thread, one line per event: level, message, fields.
#[cfg(test)]
pub(crate) fn logged(work: impl FnOnce()) -> String {
    use std::{io::Read as _, io::Seek as _, sync::Arc, sync::LazyLock};
    use tracing::{Dispatch, subscriber::NoSubscriber};
    // With only one logger, tracing asks the thread that first reaches a message whether to log it. That may be the
    // thread of another test, so there are always two loggers.
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
