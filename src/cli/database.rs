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
        Store,
        audit::Audit,
        postgres::{PostgresSettings, PostgresStore, PostgresUrl, StoreClock},
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

    /// Database, sqlite:PATH or the URL of one on PostgreSQL; it has to be there [default: sqlite:puzzled.db]
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL")]
    database: Option<String>,
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
            Database::Postgres(url) => Err(CliError::NoFile(url.to_string())),
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

    fn database(self) -> Result<Database, CliError> {
        let file = Settings::from_file(self.config.as_deref())?;
        match self.database.or(file.database) {
            Some(url) => database(&url),
            None => Ok(Config::default().database),
        }
    }
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
