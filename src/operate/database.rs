//! Opens the database of a command that works without a server, for reading
//! or for writing. Never changes the schema. A hidden flag halts a write, for tests.

use std::{path::Path, sync::Arc};

use clap::Args;
use tokio::runtime::{self, Runtime};

use crate::{
    operate::CommandError,
    settings::{Database, DatabaseSettings},
};
use puzzled_base::clock::SystemClock;
use puzzled_cli::CliError;
use puzzled_cli::client::bearer;
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
    /// [`CommandError`] if the database does not exist or has the schema of another version.
    pub(crate) fn open(self, runtime: &Runtime) -> Result<Box<dyn CheckStore>, CommandError> {
        Ok(match self.database()? {
            Database::Sqlite(path) => Box::new(open_file(&path, runtime)?),
            Database::Postgres(url) => Box::new(runtime.block_on(PostgresStore::open_to_read(on_server(url)))?),
        })
    }

    /// Opens the database for reading, if it is on SQLite.
    ///
    /// # Errors
    /// [`CommandError::NoFile`] if the database is not a file; [`CommandError`] as for [`Self::open`].
    pub(crate) fn open_file(self, runtime: &Runtime) -> Result<SqliteStore, CommandError> {
        match self.database()? {
            Database::Sqlite(path) => open_file(&path, runtime),
            Database::Postgres(url) => Err(CommandError::NoFile(url.to_string(), "pg_dump")),
        }
    }

    /// Opens the database for writing.
    ///
    /// # Errors
    /// [`CommandError`] as for [`Self::open`]: only `migrate`, `serve`, and `work` change a schema.
    pub(crate) fn open_to_write(self, runtime: &Runtime) -> Result<Arc<dyn Store>, CommandError> {
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
    /// [`CommandError::Database`] if the URL is wrong, [`CliError::Secret`] if the file with the password cannot be used.
    pub(crate) fn database(&self) -> Result<Database, CommandError> {
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
pub(crate) struct HaltArgs {
    /// Halt for ever when the named step is reached for the n-th time
    #[arg(long, value_name = "POINT:N", hide = true)]
    halt_at: Option<String>,
}

impl HaltArgs {
    /// Halts at the point that `--halt-at` names, or nowhere.
    ///
    /// # Errors
    /// [`CommandError::HaltAt`] if there is no such point.
    pub(crate) fn fault_points(&self) -> Result<Arc<dyn FaultPoints>, CommandError> {
        match &self.halt_at {
            Some(point) => HaltAt::parse(point).map_err(CommandError::HaltAt),
            None => Ok(Arc::new(NoFaults)),
        }
    }
}

/// Reads a database URL.
///
/// # Errors
/// [`CommandError::Database`]. The error does not repeat the URL, which may contain a password.
pub(crate) fn parsed(url: &str) -> Result<Database, CommandError> {
    url.parse().map_err(CommandError::Database)
}

fn open_file(path: &Path, runtime: &Runtime) -> Result<SqliteStore, CommandError> {
    let settings = SqliteSettings::of(path);
    settings.must_not_be_moved()?;
    if let Err(source) = std::fs::metadata(path) {
        return Err(CliError::Input(path.display().to_string(), source).into());
    }
    Ok(runtime.block_on(SqliteStore::open_to_read(&settings, SystemClock::shared()))?)
}

/// The settings for a command, which needs few connections.
fn on_server(url: PostgresUrl) -> PostgresSettings {
    PostgresSettings { connections: 2, ..PostgresSettings::of(url) }
}

/// A runtime for one command.
pub(crate) fn runtime() -> Result<Runtime, CliError> {
    runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(CliError::Runtime)
}
