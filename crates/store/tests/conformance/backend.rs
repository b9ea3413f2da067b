//! The environment of a store under test: its database, its clock, and the points at which its writes fail.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use puzzled_base::clock::{Clock, ManualClock, Millis};
use puzzled_engine::ENGINE_VERSION;
use puzzled_store::{
    Store, StoreError,
    check_store::CheckStore,
    fault_points::{FaultPoints, NoFaults},
    postgres::{PostgresSettings, PostgresStore, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
    stock::puzzle::SHELVES_MAX,
};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection, SqliteConnection};
use tempfile::TempDir;
use tokio::sync::Notify;

use crate::{databases, watch::Watch};

/// The time of the store's clock at the start of a case.
pub(crate) const START: Millis = Millis(1_000_000_000_000);

/// A case that takes this long hangs. All cases together take a few seconds on an idle machine.
const PATIENCE: Duration = Duration::from_mins(5);

/// Runs a case to its end, and fails if it hangs.
pub(crate) async fn in_time(case: impl Future<Output = ()>) {
    tokio::time::timeout(PATIENCE, case).await.expect("the case hangs");
}

/// Settings in which the store of one process may differ from that of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Differing {
    pub(crate) shelves_max: u32,
    pub(crate) engine_version: u32,
    /// Of the pool; on SQLite, of that for reads.
    pub(crate) connections: u32,
}

impl Default for Differing {
    fn default() -> Self {
        Self { shelves_max: SHELVES_MAX, engine_version: ENGINE_VERSION, connections: 4 }
    }
}

/// A separate database, which can be opened several times.
#[async_trait]
pub(crate) trait Backend: Send + Sync {
    /// Opens a store on the database, as a separate process would.
    async fn open(
        &self,
        clock: Arc<dyn Clock>,
        fault_points: Arc<dyn FaultPoints>,
        own: Differing,
    ) -> Result<Arc<dyn CheckStore>, StoreError>;

    /// Changes the database directly, so that the store does not know of the change.
    async fn tamper(&self, statement: &str);

    /// A connection that reads whole tables.
    async fn watch(&self) -> Box<dyn Watch>;
}

/// A store on a database with its usual settings.
pub(crate) async fn open(on: &dyn Backend) -> Result<Arc<dyn Store>, StoreError> {
    Ok(on.open(ManualClock::at(START), Arc::new(NoFaults), Differing::default()).await?)
}

/// A new SQLite file.
pub(crate) struct Sqlite {
    directory: TempDir,
}

impl Sqlite {
    pub(crate) fn new() -> Self {
        Self { directory: databases::in_memory::folder() }
    }

    pub(crate) fn settings(&self) -> SqliteSettings {
        SqliteSettings::of(self.directory.path().join("puzzled.db"))
    }
}

#[async_trait]
impl Backend for Sqlite {
    async fn open(
        &self,
        clock: Arc<dyn Clock>,
        fault_points: Arc<dyn FaultPoints>,
        own: Differing,
    ) -> Result<Arc<dyn CheckStore>, StoreError> {
        let Differing { shelves_max, engine_version, connections: readers } = own;
        let settings = SqliteSettings { shelves_max, engine_version, readers, ..self.settings() };
        Ok(Arc::new(SqliteStore::open(settings, clock, fault_points).await?))
    }

    async fn tamper(&self, statement: &str) {
        let path = self.settings().path;
        let mut db = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
        let statement = format!("pragma ignore_check_constraints = on; pragma foreign_keys = off; {statement}");
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut db).await.unwrap();
        db.close().await.unwrap();
    }

    async fn watch(&self) -> Box<dyn Watch> {
        Box::new(SqliteConnection::connect(self.settings().path.to_str().unwrap()).await.unwrap())
    }
}

/// A new PostgreSQL database.
pub(crate) struct Postgres {
    pub(crate) database: databases::postgres::Database,
}

impl Postgres {
    pub(crate) fn new() -> Self {
        Self { database: databases::postgres::Database::new() }
    }

    /// A connection that the store does not know.
    pub(crate) async fn connection(&self) -> PgConnection {
        self.database.settings().url.options().connect().await.unwrap()
    }
}

#[async_trait]
impl Backend for Postgres {
    async fn open(
        &self,
        clock: Arc<dyn Clock>,
        fault_points: Arc<dyn FaultPoints>,
        own: Differing,
    ) -> Result<Arc<dyn CheckStore>, StoreError> {
        let Differing { shelves_max, engine_version, connections } = own;
        let clock = StoreClock::Injected(clock);
        let settings = PostgresSettings { shelves_max, engine_version, connections, ..self.database.settings() };
        Ok(Arc::new(PostgresStore::open(settings, clock, fault_points).await?))
    }

    async fn tamper(&self, statement: &str) {
        let mut db = self.connection().await;
        db.execute(AssertSqlSafe(statement)).await.unwrap();
        db.close().await.unwrap();
    }

    async fn watch(&self) -> Box<dyn Watch> {
        Box::new(self.connection().await)
    }
}

/// Changes that a case can make to the environment of its store.
pub(crate) struct World {
    clock: Arc<ManualClock>,
    pub(crate) trap: Arc<Trap>,
    backend: Box<dyn Backend>,
}

impl World {
    pub(crate) fn new(backend: Box<dyn Backend>) -> Self {
        Self { clock: ManualClock::at(START), trap: Arc::default(), backend }
    }

    /// Opens another store on the same database, as another process or a restarted one would.
    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        self.open_with(Differing::default()).await
    }

    /// Opens another store, with this limit on shelves.
    pub(crate) async fn open_with_shelves(&self, shelves_max: u32) -> Arc<dyn Store> {
        self.open_with(Differing { shelves_max, ..Differing::default() }).await
    }

    /// Opens another store, for a newer or older engine version.
    pub(crate) async fn open_for_version(&self, engine_version: u32) -> Arc<dyn Store> {
        self.open_with(Differing { engine_version, ..Differing::default() }).await
    }

    /// Opens another store, with as few connections as possible, so that each call gets that of the call before it.
    pub(crate) async fn open_narrow(&self) -> Arc<dyn CheckStore> {
        self.open_with(Differing { connections: 1, ..Differing::default() }).await
    }

    /// A connection that reads whole tables.
    pub(crate) async fn watch(&self) -> Box<dyn Watch> {
        self.backend.watch().await
    }

    /// Opens another store, as `puzzled export` and `check` do.
    pub(crate) async fn open_to_check(&self) -> Arc<dyn CheckStore> {
        self.open_with(Differing::default()).await
    }

    /// Checks that `puzzled check` would compare all counts and rows without a finding.
    pub(crate) async fn is_sound(&self) {
        assert_eq!(self.open_to_check().await.check().await.unwrap(), [""; 0]);
    }

    async fn open_with(&self, own: Differing) -> Arc<dyn CheckStore> {
        let fault_points: Arc<dyn FaultPoints> = Arc::<Trap>::clone(&self.trap);
        self.backend.open(Arc::<ManualClock>::clone(&self.clock), fault_points, own).await.unwrap()
    }

    /// Changes the database directly, so that the store does not know of the change.
    pub(crate) async fn tamper(&self, statement: &str) {
        self.backend.tamper(statement).await;
    }

    /// The time of the store's clock.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) fn pass_ms(&self, ms: i64) {
        self.clock.advance_ms(ms);
    }

    /// Sets the store's clock forward, or back if `ms` is negative, without any time passing.
    pub(crate) fn jump_ms(&self, ms: i64) {
        self.clock.jump_ms(ms);
    }
}

/// Fails a write at a chosen point, or stops it there indefinitely. Until a point is chosen, all writes
/// continue.
#[derive(Debug, Default)]
pub(crate) struct Trap {
    fail_in: AtomicU32,
    hold_in: AtomicU32,
    held: Notify,
}

impl Trap {
    /// Fails the n-th point from now on, counted from 1; 0 removes the trap.
    pub(crate) fn fail_at(&self, nth: u32) {
        self.fail_in.store(nth, Ordering::SeqCst);
    }

    /// Stops indefinitely at the n-th point from now on, counted from 1; 0 removes the trap.
    pub(crate) fn hold_at(&self, nth: u32) {
        self.hold_in.store(nth, Ordering::SeqCst);
    }

    /// Waits until a write has stopped at the point that `hold_at` chose.
    pub(crate) async fn held(&self) {
        self.held.notified().await;
    }
}

#[async_trait]
impl FaultPoints for Trap {
    async fn at(&self, point: &'static str) -> Result<(), StoreError> {
        if falls_to_zero(&self.hold_in) {
            self.held.notify_one();
            std::future::pending::<()>().await;
        }
        if falls_to_zero(&self.fail_in) { Err(StoreError::Injected(point)) } else { Ok(()) }
    }
}

fn falls_to_zero(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) == Ok(1)
}
