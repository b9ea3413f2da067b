//! The database of commands that work on one without a server: it has to be there, in the schema of this version.

use std::{path::PathBuf, sync::Arc};

use clap::Args;
use tokio::runtime::{self, Runtime};

use super::{
    CliError,
    settings::{Settings, database},
};
use crate::{
    clock::SystemClock,
    config::{Config, Database},
    store::{
        probe::Pass,
        sqlite::{SqliteSettings, SqliteStore},
    },
};

/// Which database. A server may be at work on it.
#[derive(Debug, Args)]
pub(super) struct DatabaseArgs {
    /// Configuration file, TOML; only its `database` matters here [default: none]
    #[arg(long, env = "PUZZLED_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Database, sqlite:PATH; it has to be there [default: sqlite:puzzled.db]
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL")]
    database: Option<String>,
}

impl DatabaseArgs {
    /// Opens it to be read.
    ///
    /// # Errors
    /// [`CliError`] if there is no such file, or it is of another version.
    pub(super) fn open(self, runtime: &Runtime) -> Result<SqliteStore, CliError> {
        Ok(runtime.block_on(SqliteStore::open_to_read(&self.settings()?, SystemClock::shared()))?)
    }

    /// Opens it to be added to.
    ///
    /// # Errors
    /// [`CliError`] if there is no such file, or it is of another version: only `migrate` and `serve` change a schema.
    pub(super) fn open_to_write(self, runtime: &Runtime) -> Result<SqliteStore, CliError> {
        let settings = self.settings()?;
        runtime.block_on(SqliteStore::open_to_read(&settings, SystemClock::shared()))?;
        Ok(runtime.block_on(SqliteStore::open(settings, SystemClock::shared(), Arc::new(Pass)))?)
    }

    fn settings(self) -> Result<SqliteSettings, CliError> {
        let file = Settings::from_file(self.config.as_deref())?;
        let Database::Sqlite(path) = match self.database.or(file.database) {
            Some(url) => database(&url)?,
            None => Config::default().database,
        };
        if let Err(source) = std::fs::metadata(&path) {
            return Err(CliError::Input { name: path.display().to_string(), source });
        }
        Ok(SqliteSettings::of(path))
    }
}

/// A runtime for one command.
pub(super) fn runtime() -> Result<Runtime, CliError> {
    runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(CliError::Runtime)
}
