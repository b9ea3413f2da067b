//! A database that is only read, by whoever looks after it: opened without a writer, and copied as a whole.

use std::{path::Path, sync::Arc};

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use tokio::sync::Mutex;

use super::{SqliteSettings, SqliteStore, StoreError, schema};
use crate::{clock::Clock, store::probe::Pass};

impl SqliteStore {
    /// Opens a file that is there and has the schema of this version, to be read: every write is refused.
    ///
    /// # Errors
    /// [`StoreError::OtherBuild`] if another build made it, [`StoreError::Outdated`] if it lacks a migration,
    /// [`StoreError::Migration`] if it has one that is not known.
    pub async fn open_to_read(settings: &SqliteSettings, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(&settings.path)
            .create_if_missing(false)
            .read_only(true)
            .foreign_keys(true)
            .busy_timeout(settings.busy_timeout)
            .pragma("cache_size", "-32768");
        let pool = || SqlitePoolOptions::new().max_connections(settings.readers);
        let readers = pool().connect_with(options.clone()).await?;
        schema::is_current(settings, &mut *readers.acquire().await?).await?;
        let writer = Arc::new(Mutex::new(pool().connect_lazy_with(options)));
        Ok(Self { writer, readers, draws: Mutex::default(), clock, probe: Arc::new(Pass) })
    }

    /// Copies the database, as it is at one moment, to a file that must not be there; others write on meanwhile. The copy is
    /// not yet on the disk when this returns. On a failure the beginning of a copy may be left.
    ///
    /// # Errors
    /// [`StoreError`], also if the path is not UTF-8.
    pub async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let name = file.to_str().ok_or_else(|| {
            StoreError::Refused(sqlx::Error::InvalidArgument(format!("{} is not UTF-8", file.display())))
        })?;
        sqlx::query("vacuum into ?").bind(name).execute(&self.readers).await?;
        Ok(())
    }
}
