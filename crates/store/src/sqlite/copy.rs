//! Opens an SQLite database for reading only, and copies it to a file for backups.

use std::{path::Path, sync::Arc};

use sqlx::{
    ConnectOptions as _, Connection as _,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tokio::sync::Mutex;

use crate::{
    StoreError,
    fault_points::NoFaults,
    sql::statements::file,
    sqlite::{
        SqliteSettings, SqliteStore,
        open_files::{OpenFiles, must_have_its_log},
        schema,
    },
};
use puzzled_base::{
    clock::Clock,
    counters::{Counter, Durations, SHORT_US},
};

impl SqliteStore {
    /// Opens an existing file for reading only; every write is refused. The file must have the schema of this version,
    /// or a newer schema that allows this version.
    ///
    /// # Errors
    /// [`StoreError::OtherBuild`] if another build made the file, [`StoreError::Outdated`] if it lacks a migration,
    /// [`StoreError::TooNew`] if its schema does not allow this version, [`StoreError::Migration`] if its schema is not
    /// one of puzzled, [`StoreError::LogMissing`] if the log of a file that another process has open is missing.
    pub async fn open_to_read(settings: &SqliteSettings, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        must_have_its_log(settings).await?;
        let had_log = settings.log().exists();
        let options = SqliteConnectOptions::new()
            .filename(&settings.path)
            .create_if_missing(false)
            .read_only(true)
            .immutable(settings.is_immutable())
            .foreign_keys(true)
            .busy_timeout(settings.busy_timeout)
            .pragma("cache_size", "-32768");
        let pool = || SqlitePoolOptions::new().max_connections(settings.readers);
        let opened = async {
            schema::read_first(settings).await?;
            let readers = pool().connect_with(options.clone()).await?;
            let checked = match readers.acquire().await {
                Ok(mut reader) => schema::check_readable(settings, &mut reader).await,
                Err(error) => Err(error.into()),
            };
            if checked.is_err() {
                readers.close().await;
            }
            checked.map(|_| readers)
        };
        let opened = opened.await.map_err(|error| settings.explained(had_log, error));
        if opened.is_err() {
            tidy(settings, had_log).await;
        }
        let (readers, writer) = (opened?, Arc::new(Mutex::new(pool().connect_lazy_with(options))));
        let (draws, fault_points, waits) = (Mutex::default(), Arc::new(NoFaults), Durations::new(SHORT_US));
        let (draw_fallbacks, settings) = (Counter::default(), settings.clone());
        let files = Arc::new(OpenFiles::of(&settings));
        Ok(Self { writer, readers, draws, draw_fallbacks, clock, fault_points, settings, files, had_log, waits })
    }

    /// Copies the database, as it is at one moment, to a file that must not exist. Writes continue meanwhile. The copy
    /// is not yet synced to the disk when this returns. A failure may leave an incomplete copy.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be copied, or the path is not UTF-8.
    pub async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let name = file.to_str().ok_or_else(|| {
            StoreError::Refused(sqlx::Error::InvalidArgument(format!("{} is not UTF-8", file.display())))
        })?;
        let written = sqlx::query("vacuum into ?").bind(name).execute(&self.readers).await;
        written.map(drop).map_err(|error| self.settings.explained(self.had_log, error.into()))
    }
}

/// Removes the log of a file that had no log before it was read. SQLite removes the log, under its own locks, when the
/// last connection that may write closes. If another process has the file open, the log stays for that process.
pub(super) async fn tidy(settings: &SqliteSettings, had_log: bool) {
    if had_log || !settings.log().exists() {
        return;
    }
    let options = SqliteConnectOptions::new().filename(&settings.path).create_if_missing(false);
    // If the file cannot be written, the log cannot be removed either. Nothing is lost.
    if let Ok(mut db) = options.connect().await {
        let _ = sqlx::query(file::TOUCH).execute(&mut db).await;
        let _ = db.close().await;
    }
}
