//! Locks a database file during a restore, and applies its log to the file. SQLite's locks show whether another process
//! has the file open. A killed process holds no locks.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{
    ConnectOptions as _, Connection as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode},
};

use crate::{
    StoreError,
    sqlite::{
        SqliteSettings,
        restore::{RestoreError, failed, fault, remove},
        schema::is_busy,
        settings::with_suffix,
    },
};

/// The suffix of the second name through which a database is locked.
const LOCK: &str = ".restore-lock";

/// The exclusive lock on a database file; `None` if the file does not exist or is not a database, which needs no lock.
pub(super) struct Held(Option<(SqliteConnection, PathBuf)>);

impl Held {
    /// Releases the lock.
    pub(super) async fn release(self) {
        let Some((db, link)) = self.0 else { return };
        // The lock ends with the connection. If the second name is left here, the next restore removes it.
        let _ = db.close().await;
        let _ = remove(&SqliteSettings::of(link).files());
    }
}

/// Takes the exclusive lock through a second name of the file. SQLite's locks belong to the file, whatever its name. A
/// log belongs to a name, so this neither applies nor removes the log.
pub(super) async fn take(database: &Path) -> Result<Held, RestoreError> {
    let link = with_suffix(database, LOCK);
    let files = SqliteSettings::of(&link).files();
    remove(&files)?;
    match fs::hard_link(database, &link) {
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(Held(None)),
        linked => linked.map_err(fault(database))?,
    }
    match lock(&link).await {
        Ok(db) => Ok(Held(Some((db, link)))),
        Err(error) => {
            remove(&files)?;
            let is_in_use = is_busy(&error);
            let error = StoreError::from(error);
            match error {
                _ if is_in_use => Err(RestoreError::InUse(database.to_owned())),
                // Another process cannot have opened a malformed file either.
                error if error.is_malformed() => Ok(Held(None)),
                error => Err(failed(database)(error)),
            }
        }
    }
}

async fn lock(link: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let mut db = options(link).locking_mode(SqliteLockingMode::Exclusive).connect().await?;
    match sqlx::raw_sql("begin exclusive").execute(&mut db).await {
        Ok(_) => Ok(db),
        Err(error) => {
            // The caller gets the first error. This connection is no longer used.
            let _ = db.close().await;
            Err(error)
        }
    }
}

/// Options for an existing file, without a wait for other processes.
fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).create_if_missing(false).busy_timeout(Duration::ZERO)
}

/// Applies the log of a database to its file, so that the file alone is the whole database. If the log makes the file
/// malformed, it belongs to another file, and is not applied.
pub(super) async fn fold(database: &Path) -> Result<(), RestoreError> {
    let [file, log, _] = SqliteSettings::of(database).files();
    if !file.exists() || !log.exists() {
        return Ok(());
    }
    let explained = |error: sqlx::Error| {
        let is_in_use = is_busy(&error);
        if is_in_use { RestoreError::InUse(database.to_owned()) } else { failed(database)(error) }
    };
    match is_sound(database).await {
        Ok(true) => {}
        Ok(false) => return Ok(()),
        Err(error) if is_malformed(&error) => return Ok(()),
        Err(error) => return Err(explained(error)),
    }
    // Switching from WAL mode takes the exclusive lock, applies the log, and removes it.
    let db = options(database).journal_mode(SqliteJournalMode::Delete).connect().await.map_err(explained)?;
    db.close().await.map_err(explained)
}

/// Whether a file together with its log is sound. A connection that only reads never applies the log to the file.
async fn is_sound(database: &Path) -> Result<bool, sqlx::Error> {
    let mut db = options(database).read_only(true).connect().await?;
    let line = sqlx::query_scalar("pragma integrity_check(1)").fetch_one(&mut db).await;
    db.close().await?;
    let line: String = line?;
    Ok(line == "ok")
}

fn is_malformed(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 11 | 26))
}
