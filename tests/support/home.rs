//! Where a test keeps its database, in a file or on a PostgreSQL server, and how it opens stores there.

use std::sync::Arc;

use puzzled_base::clock::{Clock, SystemClock};
use puzzled_engine::ENGINE_VERSION;
use puzzled_store::{
    check_store::CheckStore,
    fault_points::FaultPoints,
    postgres::{PostgresSettings, PostgresStore, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
};
use tempfile::TempDir;

use super::{in_memory, postgres::Database};

#[derive(Debug)]
pub(crate) enum Home {
    File(TempDir),
    Server(Database),
}

impl Home {
    /// A database in a new file.
    pub(crate) fn in_file() -> Self {
        Self::File(in_memory::folder())
    }

    /// A database on the server of these tests.
    pub(crate) fn on_server() -> Self {
        Self::Server(Database::new())
    }

    /// The settings of the SQLite file in a folder.
    pub(crate) fn sqlite(directory: &TempDir) -> SqliteSettings {
        SqliteSettings { readers: 1, ..SqliteSettings::of(directory.path().join("puzzled.db")) }
    }

    fn postgres(database: &Database) -> PostgresSettings {
        PostgresSettings { connections: 4, ..database.settings() }
    }

    /// Opens a store on the database, as a separate process would. Without a clock of the test, the store has the real
    /// one.
    pub(crate) async fn open(
        &self,
        clock: Option<Arc<dyn Clock>>,
        fault_points: Arc<dyn FaultPoints>,
    ) -> Arc<dyn CheckStore> {
        self.open_for_version(ENGINE_VERSION, clock, fault_points).await
    }

    /// Like [`Self::open`], with the engine of a newer or older version.
    pub(crate) async fn open_for_version(
        &self,
        engine_version: u32,
        clock: Option<Arc<dyn Clock>>,
        fault_points: Arc<dyn FaultPoints>,
    ) -> Arc<dyn CheckStore> {
        match self {
            Self::File(directory) => {
                let clock = clock.unwrap_or_else(SystemClock::shared);
                let settings = SqliteSettings { engine_version, ..Self::sqlite(directory) };
                Arc::new(SqliteStore::open(settings, clock, fault_points).await.unwrap())
            }
            Self::Server(database) => {
                let clock = clock.map_or(StoreClock::Server, StoreClock::Injected);
                let settings = PostgresSettings { engine_version, ..Self::postgres(database) };
                Arc::new(PostgresStore::open(settings, clock, fault_points).await.unwrap())
            }
        }
    }
}
