//! Replaces a database file with a backup. After each step, the database is completely the old one or completely the
//! new one, and the command can be repeated. The log (WAL) of the old file is applied to it first, if that leaves it
//! readable. Then one rename replaces the file.

mod lock;

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    StoreError,
    check_store::CheckStore as _,
    fault_points::FaultPoints,
    sql::statements::file,
    sqlite::{SqliteSettings, SqliteStore, settings::with_suffix},
};
use puzzled_base::{clock::Clock, message::of_file};

/// The suffix of the copy of the backup, which is written next to the database.
const COPY: &str = ".restoring";

/// The maximum number of old databases next to a database.
const OLD_MAX: u32 = 9_999;

/// Why a restore failed. The database is the old one or, if only the last sync failed, the new one.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), of_file(.1))]
    File(PathBuf, #[source] io::Error),
    /// The backup and the database are the same file.
    #[error("{}: this is the database itself; name a backup of it", .0.display())]
    Same(PathBuf),
    /// The backup is not a file.
    #[error("{}: not a file; name a backup that `puzzled backup` wrote", .0.display())]
    NotAFile(PathBuf),
    /// The backup is a database of another version or another program.
    #[error("{}: not a puzzled database of this version; name a backup that this version wrote", .0.display())]
    NotOurs(PathBuf),
    /// The backup has a newer schema that does not allow this program.
    #[error(transparent)]
    TooNew(StoreError),
    /// The backup is damaged or not a database.
    #[error("{}: not a sound database: {}; name another backup", .0.display(), .1)]
    Unsound(PathBuf, String),
    /// Another process has the database open.
    #[error("{}: another process has the database open; end that process and run the command again", .0.display())]
    InUse(PathBuf),
    /// Another process is restoring a database in the same folder.
    #[error("{}: another `puzzled restore` is running in this folder; repeat the command after it", .0.display())]
    UnderWay(PathBuf),
    /// There are too many old databases.
    #[error("{}: {OLD_MAX} old databases exist next to it, from .old-1 on; delete some", .0.display())]
    TooMany(PathBuf),
    /// SQLite failed.
    #[error("{}: {}", .0.display(), .1)]
    Store(PathBuf, StoreError),
}

/// Adds the path to an error of reading or writing a file.
fn fault(path: &Path) -> impl Fn(io::Error) -> RestoreError {
    move |source| RestoreError::File(path.to_owned(), source)
}

/// Adds the path to an error of SQLite.
fn failed<E: Into<StoreError>>(path: &Path) -> impl Fn(E) -> RestoreError {
    move |error| RestoreError::Store(path.to_owned(), error.into())
}

/// Replaces a database with a backup. The database need not exist. Returns the new name of the old database.
///
/// # Errors
/// [`RestoreError`].
pub async fn restore(
    backup: &Path,
    database: &Path,
    clock: Arc<dyn Clock>,
    fault_points: &dyn FaultPoints,
) -> Result<Option<PathBuf>, RestoreError> {
    let is_file = fs::metadata(backup).map_err(fault(backup))?.is_file();
    if !is_file {
        return Err(RestoreError::NotAFile(backup.to_owned()));
    }
    for file in [backup, database] {
        SqliteSettings::of(file).must_not_be_moved().map_err(failed(file))?;
    }
    // SQLite names a log after the file behind a symbolic link, so all steps use that file.
    let database = &fs::canonicalize(database).unwrap_or_else(|_| database.to_owned());
    if fs::canonicalize(backup).is_ok_and(|backup| backup == *database) {
        return Err(RestoreError::Same(backup.to_owned()));
    }
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Held to the end, because two restores at a time would write the same copy.
    let _turn = take_turn(folder)?;
    let at = async |point| fault_points.at(point).await.map_err(failed(database));
    at("restore.begin").await?;
    // The lock is checked before the work, and again when the file is replaced.
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
        Ok(()) => replace(database, &copy, folder, fault_points).await,
        Err(error) => Err(error),
    };
    if replaced.is_err() {
        remove(&[copy])?;
    }
    replaced
}

/// Replaces the database with the copy, and returns the new name of the old database.
async fn replace(
    database: &Path,
    copy: &Path,
    folder: &Path,
    fault_points: &dyn FaultPoints,
) -> Result<Option<PathBuf>, RestoreError> {
    let at = async |point| fault_points.at(point).await.map_err(failed(database));
    let held = lock::take(database).await?;
    let replaced = async {
        at("restore.link").await?;
        let old = link_old(database)?;
        sync(folder)?;
        at("restore.unlog").await?;
        // A remaining log belongs to the old file, and SQLite would apply it to the new file. The log is kept under the
        // new name of the old database.
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

/// Gives a database, and a log next to it, a second name, `NAME.old-1` or the first free number, and returns that name.
/// Returns `None` if there is no database; a log without a database still gets such a name. Until another file takes the
/// first name, both names are the same database. No file is overwritten.
fn link_old(database: &Path) -> Result<Option<PathBuf>, RestoreError> {
    let files = SqliteSettings::of(database).files();
    if !files.iter().any(|file| file.exists()) {
        return Ok(None);
    }
    for number in 1..=OLD_MAX {
        let old = with_suffix(database, &format!(".old-{number}"));
        let linked = SqliteSettings::of(&old).files();
        if !is_free_or_begun(&files, &linked) {
            continue;
        }
        for (file, linked) in files.iter().zip(&linked) {
            if file.exists() && linked.symlink_metadata().is_err() {
                fs::hard_link(file, linked).map_err(fault(linked))?;
            }
        }
        return Ok(database.exists().then_some(old));
    }
    Err(RestoreError::TooMany(database.to_owned()))
}

/// Whether a restore can use these names: they are free, or a killed restore of this database gave some of them already.
/// The killed restore may have removed the log, whose second name then remains.
fn is_free_or_begun(files: &[PathBuf; 3], linked: &[PathBuf; 3]) -> bool {
    let [first, log, index] = [0, 1, 2].map(|at| (inode(&files[at]), inode(&linked[at])));
    let is_begun = first.1.is_some() && first.0 == first.1;
    let fits =
        |(file, linked): (Option<_>, Option<_>)| linked.is_none() || file == linked || is_begun && file.is_none();
    (first.1.is_none() || is_begun) && fits(log) && fits(index)
}

/// Returns what identifies a file, whatever its name; `None` if there is no file of this name.
fn inode(file: &Path) -> Option<(u64, u64)> {
    fs::symlink_metadata(file).ok().map(|file| (file.dev(), file.ino()))
}

/// Excludes other restores in the same folder. When the process ends, the operating system releases the lock.
fn take_turn(folder: &Path) -> Result<File, RestoreError> {
    let turn = File::open(folder).map_err(fault(folder))?;
    match turn.try_lock() {
        Ok(()) => Ok(turn),
        Err(TryLockError::WouldBlock) => Err(RestoreError::UnderWay(folder.to_owned())),
        Err(TryLockError::Error(source)) => Err(fault(folder)(source)),
    }
}

/// Writes the backup, as SQLite reads it, to the new file `copy`.
async fn write_copy(backup: &Path, copy: &Path, clock: Arc<dyn Clock>) -> Result<(), RestoreError> {
    let opened = SqliteStore::open_to_read(&SqliteSettings::of(backup), clock).await;
    let store = opened.map_err(|error| refused(backup, error))?;
    let written = store.copy_to(copy).await;
    store.close_read().await;
    written.map_err(|error| refused(backup, error))
}

/// Converts an error of opening the backup.
fn refused(backup: &Path, error: StoreError) -> RestoreError {
    let path = backup.to_owned();
    match error {
        StoreError::Outdated(_) | StoreError::Foreign(_) => RestoreError::NotOurs(path),
        StoreError::TooNew { .. } => RestoreError::TooNew(error),
        StoreError::Damaged { error, .. } => RestoreError::Unsound(path, error.into()),
        error if error.is_malformed() => RestoreError::Unsound(path, error.to_string()),
        error => RestoreError::Store(path, error),
    }
}

/// Checks the copy. Removes the rows of processes, because those processes worked on the database that was backed up.
async fn check_copy(backup: &Path, copy: &Path) -> Result<(), RestoreError> {
    let mut db = SqliteConnectOptions::new().filename(copy).connect().await.map_err(failed(copy))?;
    let found = findings(&mut db).await;
    let closed = db.close().await;
    let found = found.map_err(|error| refused(backup, error))?;
    closed.map_err(failed(copy))?;
    match found {
        None => Ok(()),
        Some(fault) => Err(RestoreError::Unsound(backup.to_owned(), fault)),
    }
}

/// Removes the rows of processes, and returns SQLite's first finding in the file.
async fn findings(db: &mut SqliteConnection) -> Result<Option<String>, StoreError> {
    sqlx::query(file::FORGET_PROCESSES).execute(&mut *db).await?;
    let line: String = sqlx::query_scalar("pragma integrity_check(1)").fetch_one(&mut *db).await?;
    if line != "ok" {
        return Ok(Some(line));
    }
    let broken = sqlx::query("pragma foreign_key_check").fetch_optional(db).await?;
    Ok(broken.map(|_| "a foreign key refers to a row that does not exist".to_owned()))
}

/// Removes the files that exist.
fn remove(files: &[PathBuf]) -> Result<(), RestoreError> {
    for file in files {
        match fs::remove_file(file) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => return Err(fault(file)(source)),
            _ => {}
        }
    }
    Ok(())
}

/// Syncs a file or a folder to the disk.
fn sync(path: &Path) -> Result<(), RestoreError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(fault(path))
}
