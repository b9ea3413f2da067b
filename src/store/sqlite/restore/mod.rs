//! Putting a backup in the place of a database file. At each step the database is the old one or the new one, whole, and the
//! command can be repeated: an old log is applied to the old file before anything is replaced, and one rename replaces it.

mod aside;
mod lock;

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{SqliteSettings, SqliteStore, StoreError, moved, with_suffix};
use crate::{
    clock::Clock,
    store::{audit::Audit as _, probe::Probe},
};

/// What is behind the name of a database while its backup is written next to it.
const COPY: &str = ".restoring";

/// Why a restore failed. The database is the old one or, if only the last sync failed, the new one.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The backup is the database.
    #[error("{}: this is the database itself; name a backup of it", .0.display())]
    Same(PathBuf),
    /// The backup is no file.
    #[error("{}: not a file; name a backup that `puzzled backup` wrote", .0.display())]
    NotAFile(PathBuf),
    /// The backup is a database, and not one of this version.
    #[error("{}: not a puzzled database of this version; name a backup that this version wrote", .0.display())]
    NotOurs(PathBuf),
    /// The backup has a newer schema, which does not allow this binary.
    #[error(transparent)]
    TooNew(StoreError),
    /// The backup is no database, or a damaged one.
    #[error("{}: not a sound database: {fault}; name another backup", path.display())]
    Unsound {
        /// The backup.
        path: PathBuf,
        /// What SQLite finds.
        fault: String,
    },
    /// Another process has the database open.
    #[error("{}: another process has the database open; end that process and run the command again", .0.display())]
    InUse(PathBuf),
    /// Another process restores a database of the same folder.
    #[error("{}: another `puzzled restore` is running in this folder; repeat the command after it", .0.display())]
    UnderWay(PathBuf),
    /// There are too many old databases.
    #[error("{}: {count} old databases stand next to it; remove some", path.display())]
    TooMany {
        /// The database.
        path: PathBuf,
        /// How many there are.
        count: u32,
    },
    /// SQLite failed.
    #[error("{}: {error}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// How.
        error: StoreError,
    },
}

/// Says which file cannot be read or written.
fn fault(path: &Path) -> impl Fn(io::Error) -> RestoreError {
    move |source| RestoreError::File { path: path.to_owned(), source }
}

/// Says on which file SQLite failed.
fn failed<E: Into<StoreError>>(path: &Path) -> impl Fn(E) -> RestoreError {
    move |error| RestoreError::Store { path: path.to_owned(), error: error.into() }
}

/// Puts a backup in the place of a database, which need not exist. Returns the name that the old database has now.
///
/// # Errors
/// [`RestoreError`].
pub async fn restore(
    backup: &Path,
    database: &Path,
    clock: Arc<dyn Clock>,
    probe: &dyn Probe,
) -> Result<Option<PathBuf>, RestoreError> {
    let is_file = fs::metadata(backup).map_err(fault(backup))?.is_file();
    if !is_file {
        return Err(RestoreError::NotAFile(backup.to_owned()));
    }
    // SQLite names a log by the file behind a symbolic link, so everything is done there.
    let database = &fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    if fs::canonicalize(backup).is_ok_and(|backup| backup == *database) {
        return Err(RestoreError::Same(backup.to_owned()));
    }
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Held to the end: two at a time would write the same copy.
    let _turn = take_turn(folder)?;
    let at = async |point| probe.at(point).await.map_err(failed(database));
    at("restore.begin").await?;
    // Asked before the work, and again when the file is replaced.
    lock::take(database).await?.release().await;
    let copy = with_suffix(database, COPY);
    let [file, log, index] = SqliteSettings::of(&copy).files();
    let leftovers = [file, log, index, with_suffix(&copy, "-journal")];
    remove(&leftovers)?;
    at("restore.copy").await?;
    let written = write_copy(backup, &copy, clock).await;
    at("restore.check").await?;
    let checked = match written {
        Ok(()) => check_copy(backup, &copy).await,
        Err(error) => Err(error),
    };
    if let Err(error) = checked {
        remove(&leftovers)?;
        return Err(error);
    }
    sync(&copy)?;
    at("restore.fold").await?;
    let replaced = match lock::fold(database).await {
        Ok(()) => replace(database, &copy, folder, probe).await,
        Err(error) => Err(error),
    };
    if replaced.is_err() {
        remove(&[copy])?;
    }
    replaced
}

/// Puts the copy in the place of the database, and returns the name that the old one has now.
async fn replace(
    database: &Path,
    copy: &Path,
    folder: &Path,
    probe: &dyn Probe,
) -> Result<Option<PathBuf>, RestoreError> {
    let at = async |point| probe.at(point).await.map_err(failed(database));
    let held = lock::take(database).await?;
    let replaced = async {
        at("restore.link").await?;
        let old = aside::link(database)?;
        sync(folder)?;
        at("restore.unlog").await?;
        // What is left of a log belongs to the old file, and would be applied to the new one. The old name has it.
        let [_, log, index] = SqliteSettings::of(database).files();
        remove(&[log, index])?;
        sync(folder)?;
        at("restore.rename").await?;
        fs::rename(copy, database).map_err(fault(database))?;
        at("restore.sync").await?;
        sync(folder)?;
        at("restore.done").await?;
        Ok(old)
    };
    let replaced = replaced.await;
    held.release().await;
    replaced
}

/// Keeps others from restoring in the same folder. The operating system ends it with the process.
fn take_turn(folder: &Path) -> Result<File, RestoreError> {
    let turn = File::open(folder).map_err(fault(folder))?;
    match turn.try_lock() {
        Ok(()) => Ok(turn),
        Err(TryLockError::WouldBlock) => Err(RestoreError::UnderWay(folder.to_owned())),
        Err(TryLockError::Error(source)) => Err(fault(folder)(source)),
    }
}

/// Writes the backup, as SQLite reads it, to a file of its own.
async fn write_copy(backup: &Path, copy: &Path, clock: Arc<dyn Clock>) -> Result<(), RestoreError> {
    let opened = SqliteStore::open_to_read(&SqliteSettings::of(backup), clock).await;
    let store = opened.map_err(|error| refused(backup, error))?;
    let written = match store.side().await {
        Ok(side) => match moved::refuse(side) {
            Ok(()) => store.copy_to(copy).await,
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    store.close_read().await;
    written.map_err(|error| refused(backup, error))
}

/// What is wrong with the backup.
fn refused(backup: &Path, error: StoreError) -> RestoreError {
    let path = backup.to_owned();
    match error {
        StoreError::Outdated(_) => RestoreError::NotOurs(path),
        StoreError::TooNew { .. } => RestoreError::TooNew(error),
        error if error.is_malformed() => RestoreError::Unsound { path, fault: error.to_string() },
        error => RestoreError::Store { path, error },
    }
}

/// Checks the copy, and removes the rows of processes from it: they worked on the database that was backed up.
async fn check_copy(backup: &Path, copy: &Path) -> Result<(), RestoreError> {
    let mut db = SqliteConnectOptions::new().filename(copy).connect().await.map_err(failed(copy))?;
    let found = findings(&mut db).await;
    let closed = db.close().await;
    let found = found.map_err(|error| refused(backup, error))?;
    closed.map_err(failed(copy))?;
    match found {
        None => Ok(()),
        Some(fault) => Err(RestoreError::Unsound { path: backup.to_owned(), fault }),
    }
}

/// What SQLite finds wrong in a file first.
async fn findings(db: &mut SqliteConnection) -> Result<Option<String>, StoreError> {
    sqlx::query("delete from processes").execute(&mut *db).await?;
    let line: String = sqlx::query_scalar("pragma integrity_check(1)").fetch_one(&mut *db).await?;
    if line != "ok" {
        return Ok(Some(line));
    }
    let broken = sqlx::query("pragma foreign_key_check").fetch_optional(db).await?;
    Ok(broken.map(|_| "a foreign key refers to a row that does not exist".to_owned()))
}

/// Removes files, those that are there.
fn remove(files: &[PathBuf]) -> Result<(), RestoreError> {
    for file in files {
        match fs::remove_file(file) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => return Err(fault(file)(source)),
            _ => {}
        }
    }
    Ok(())
}

/// Brings a file or a folder to the disk.
fn sync(path: &Path) -> Result<(), RestoreError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(fault(path))
}
