//! Why a command of the program fails.

use std::path::PathBuf;

use crate::{app::AppError, settings::DatabaseError, telemetry::TelemetryError};
use puzzled_cli::CliError;
use puzzled_store::{StoreError, copy::CopyError, sqlite::restore::RestoreError, targets::declaration::Clash};

/// The reason why a command failed: exit code 1.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// An error that commands of [`puzzled_cli`] can have, too.
    #[error(transparent)]
    Cli(#[from] CliError),
    /// The command line is wrong, or requests the help or the version, which is not a failure.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The configuration file cannot be read, or has a key or value that is not allowed.
    #[error("configuration file {}: {}", .0.display(), .1)]
    ConfigFile(PathBuf, String),
    /// A stock target of the configuration file is not allowed.
    #[error("configuration file: [[target]] {0}: {1}")]
    Target(usize, String),
    /// A daily series of the configuration file is not allowed.
    #[error("configuration file: [[series]] {0}: {1}")]
    Series(usize, String),
    /// The stock targets or the daily series of the configuration file cannot be declared together.
    #[error("configuration file: {0}")]
    Tables(#[source] Clash),
    /// The database URL is wrong.
    #[error("database: {0}")]
    Database(#[source] DatabaseError),
    /// The value of `--halt-at` cannot be parsed.
    #[error("--halt-at: {0}")]
    HaltAt(String),
    /// Logging could not be set up.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The server failed.
    #[error(transparent)]
    App(#[from] AppError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database could not be copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The command works only on a database in a file.
    #[error("{0} is not a file; use {1}")]
    NoFile(String, &'static str),
    /// The target of a copy is not on PostgreSQL.
    #[error("--to: {} is a file; name a database on PostgreSQL, or copy a file with `puzzled backup`", .0.display())]
    NotPostgres(PathBuf),
    /// The backup could not be restored.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The number of findings of `check`, or of errors of `doctor`.
    #[error("{0} findings")]
    Findings(u64),
    /// An environment variable has a value that is not allowed.
    #[error("{name}: {value:?} is not allowed; {allowed}")]
    Variable {
        /// The name of the variable.
        name: String,
        /// The value, cut to 40 characters.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// The settings cannot be written as a configuration file.
    #[error("TOML: {0}")]
    Toml(#[source] toml::ser::Error),
}
