//! Opens the database of a command that works without a server, for reading
//! or for writing. Never changes the schema. A hidden flag halts a write, for tests.

use std::{path::Path, sync::Arc};

use clap::Args;
use tokio::runtime::{self, Runtime};

use crate::{
    cli::{CliError, client::bearer},
    settings::{Database, DatabaseSettings},
};
use puzzled_base::clock::SystemClock;
use puzzled_store::{
    Store,
    check_store::CheckStore,
    fault_points::{FaultPoints, HaltAt, NoFaults},
    postgres::{PostgresSettings, PostgresStore, PostgresUrl, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
};

impl DatabaseSettings {
    /// Opens the database for reading.
    ///
    /// # Errors
    /// [`CliError`] if the database does not exist or has the schema of another version.
    pub(in crate::cli) fn open(self, runtime: &Runtime) -> Result<Box<dyn CheckStore>, CliError> {
        Ok(match self.database()? {
            Database::Sqlite(path) => Box::new(open_file(&path, runtime)?),
            Database::Postgres(url) => Box::new(runtime.block_on(PostgresStore::open_to_read(on_server(url)))?),
        })
    }

    /// Opens the database for reading, if it is on SQLite.
    ///
    /// # Errors
    /// [`CliError::NoFile`] if the database is not a file; [`CliError`] as for [`Self::open`].
    pub(in crate::cli) fn open_file(self, runtime: &Runtime) -> Result<SqliteStore, CliError> {
        match self.database()? {
            Database::Sqlite(path) => open_file(&path, runtime),
            Database::Postgres(url) => Err(CliError::NoFile(url.to_string(), "pg_dump")),
        }
    }

    /// Opens the database for writing.
    ///
    /// # Errors
    /// [`CliError`] as for [`Self::open`]: only `migrate`, `serve`, and `work` change a schema.
    pub(in crate::cli) fn open_to_write(self, runtime: &Runtime) -> Result<Arc<dyn Store>, CliError> {
        Ok(match self.database()? {
            Database::Sqlite(path) => {
                open_file(&path, runtime)?;
                let opened = SqliteStore::open(SqliteSettings::of(path), SystemClock::shared(), Arc::new(NoFaults));
                Arc::new(runtime.block_on(opened)?)
            }
            Database::Postgres(url) => {
                let settings = on_server(url);
                runtime.block_on(PostgresStore::open_to_read(settings.clone()))?;
                let opened = PostgresStore::open(settings, StoreClock::Server, Arc::new(NoFaults));
                Arc::new(runtime.block_on(opened)?)
            }
        })
    }

    /// Reads the URL of the database, and the password if it is in a file.
    ///
    /// # Errors
    /// [`CliError::Database`] if the URL is wrong, [`CliError::Secret`] if the file with the password cannot be used.
    pub(in crate::cli) fn database(&self) -> Result<Database, CliError> {
        match (parsed(&self.database)?, &self.database_password_file) {
            (Database::Postgres(url), Some(file)) => {
                Ok(Database::Postgres(url.with_password(&bearer::secret("--database-password-file", file)?)))
            }
            (database, _) => Ok(database),
        }
    }
}

/// Where a command halts in the middle of a write. Only for tests.
#[derive(Debug, Args)]
pub(in crate::cli) struct HaltArgs {
    /// Halt for ever when the named step is reached for the n-th time
    #[arg(long, value_name = "POINT:N", hide = true)]
    halt_at: Option<String>,
}

impl HaltArgs {
    /// Halts at the point that `--halt-at` names, or nowhere.
    ///
    /// # Errors
    /// [`CliError::HaltAt`] if there is no such point.
    pub(in crate::cli) fn fault_points(&self) -> Result<Arc<dyn FaultPoints>, CliError> {
        match &self.halt_at {
            Some(point) => HaltAt::parse(point).map_err(CliError::HaltAt),
            None => Ok(Arc::new(NoFaults)),
        }
    }
}

/// Reads a database URL.
///
/// # Errors
/// [`CliError::Database`]. The error does not repeat the URL, which may contain a password.
pub(in crate::cli) fn parsed(url: &str) -> Result<Database, CliError> {
    url.parse().map_err(CliError::Database)
}

fn open_file(path: &Path, runtime: &Runtime) -> Result<SqliteStore, CliError> {
    let settings = SqliteSettings::of(path);
    settings.must_not_be_moved()?;
    if let Err(source) = std::fs::metadata(path) {
        return Err(CliError::Input(path.display().to_string(), source));
    }
    Ok(runtime.block_on(SqliteStore::open_to_read(&settings, SystemClock::shared()))?)
}

/// The settings for a command, which needs few connections.
fn on_server(url: PostgresUrl) -> PostgresSettings {
    PostgresSettings { connections: 2, ..PostgresSettings::of(url) }
}

/// A runtime for one command.
pub(in crate::cli) fn runtime() -> Result<Runtime, CliError> {
    runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(CliError::Runtime)
}
