//! The database of a command. Commands that work on one without a server want it in the schema of this version.

use std::{path::PathBuf, sync::Arc};

use clap::{Args, builder::Resettable};
use serde::Serialize;
use tokio::runtime::{self, Runtime};

use super::{CliError, settings::DEFAULT};
use crate::{
    clock::SystemClock,
    config::Database,
    store::{
        Store,
        audit::Audit,
        postgres::{PostgresSettings, PostgresStore, PostgresUrl, StoreClock},
        probe::Pass,
        sqlite::{SqliteSettings, SqliteStore},
    },
};

/// Which database. The file's keys are flags of `serve`, and each command takes those that it has.
#[derive(Debug, Args, Serialize)]
pub(super) struct DatabaseArgs {
    /// Configuration file, TOML [default: none]
    #[arg(long, env = "PUZZLED_CONFIG", value_name = "FILE", help_heading = Resettable::Reset)]
    #[serde(skip)]
    config: Option<PathBuf>,

    /// Database, sqlite:PATH or the URL of one on PostgreSQL; `serve`, `work` and `migrate` make a file that is not there
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL", default_value_t = DEFAULT.database.to_string())]
    pub(super) database: String,
}

impl DatabaseArgs {
    /// Opens it to be read.
    ///
    /// # Errors
    /// [`CliError`] if it is not there, or of another version.
    pub(super) fn open(self, runtime: &Runtime) -> Result<Box<dyn Audit>, CliError> {
        Ok(match self.database()? {
            Database::Sqlite(path) => Box::new(open_file(path, runtime)?),
            Database::Postgres(url) => Box::new(runtime.block_on(PostgresStore::open_to_read(on_server(url)))?),
        })
    }

    /// Opens it to be read, if it is a file.
    ///
    /// # Errors
    /// [`CliError`] if it is none, is not there, or of another version.
    pub(super) fn open_file(self, runtime: &Runtime) -> Result<SqliteStore, CliError> {
        match self.database()? {
            Database::Sqlite(path) => open_file(path, runtime),
            Database::Postgres(url) => Err(CliError::NoFile { database: url.to_string(), tool: "pg_dump" }),
        }
    }

    /// Opens it to be added to.
    ///
    /// # Errors
    /// [`CliError`] if it is not there, or of another version: only `migrate`, `serve` and `work` change a schema.
    pub(super) fn open_to_write(self, runtime: &Runtime) -> Result<Arc<dyn Store>, CliError> {
        Ok(match self.database()? {
            Database::Sqlite(path) => {
                open_file(path.clone(), runtime)?;
                let opened = SqliteStore::open(SqliteSettings::of(path), SystemClock::shared(), Arc::new(Pass));
                Arc::new(runtime.block_on(opened)?)
            }
            Database::Postgres(url) => {
                let settings = on_server(url);
                runtime.block_on(PostgresStore::open_to_read(settings.clone()))?;
                let opened = PostgresStore::open(settings, StoreClock::Server, Arc::new(Pass));
                Arc::new(runtime.block_on(opened)?)
            }
        })
    }

    /// The database that is meant.
    ///
    /// # Errors
    /// [`CliError::Database`].
    pub(super) fn database(&self) -> Result<Database, CliError> {
        parsed(&self.database)
    }
}

/// Reads a database URL.
///
/// # Errors
/// [`CliError::Database`], which does not repeat the URL: it may hold a password.
pub(super) fn parsed(url: &str) -> Result<Database, CliError> {
    url.parse().map_err(CliError::Database)
}

fn open_file(path: PathBuf, runtime: &Runtime) -> Result<SqliteStore, CliError> {
    if let Err(source) = std::fs::metadata(&path) {
        return Err(CliError::Input { name: path.display().to_string(), source });
    }
    Ok(runtime.block_on(SqliteStore::open_to_read(&SqliteSettings::of(path), SystemClock::shared()))?)
}

/// One command asks for little at a time.
fn on_server(url: PostgresUrl) -> PostgresSettings {
    PostgresSettings { connections: 2, ..PostgresSettings::of(url) }
}

/// A runtime for one command.
pub(super) fn runtime() -> Result<Runtime, CliError> {
    runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(CliError::Runtime)
}
