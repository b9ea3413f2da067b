//! Finds out why a file cannot be opened: SQLite says only that it cannot.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, access},
    io::Errno,
    process::geteuid,
};
use sqlx::SqliteConnection;

use crate::{
    StoreError, schema,
    sql::statements::file,
    sqlite::{SqliteSettings, open_files::is_open_elsewhere},
};

/// The mark of a database of this program in the header of its file: `puzd`.
const APPLICATION_ID: i32 = 0x7075_7a64;

/// SQLite's code for a read beyond the end of a file: the log is not the one that another process writes.
const IOERR_SHORT_READ: u32 = 522;

/// SQLite's primary codes for a file that cannot be opened as wanted: no permission, read-only, and cannot open.
const UNOPENED: [u32; 3] = [3, 8, 14];

impl SqliteSettings {
    /// Replaces an error by a clearer one, if there is one: the file is malformed, is a folder, lacks its log, or cannot be
    /// opened by this process. `had_log` is whether a log lay next to the file before it was opened. If the file is malformed,
    /// that log may be the cause.
    pub(crate) fn explained(&self, had_log: bool, error: StoreError) -> StoreError {
        let is_malformed = error.is_malformed();
        let name = || self.path.display().to_string();
        match error {
            StoreError::Refused(error) if is_malformed && had_log => StoreError::ForeignLog(name(), error),
            StoreError::Refused(error) if is_malformed => {
                StoreError::Damaged { file: name().into(), error: error.to_string().into() }
            }
            StoreError::Unavailable(error)
                if has_code(&error, &[IOERR_SHORT_READ]) && is_open_elsewhere(&self.path) =>
            {
                StoreError::LogMissing(name().into())
            }
            StoreError::Unavailable(_) if self.path.is_dir() => StoreError::Folder(name()),
            StoreError::Unavailable(error) if has_code(&error, &UNOPENED) => match self.obstacle() {
                Some(obstacle) => StoreError::Closed { file: name().into(), obstacle: obstacle.into() },
                None => StoreError::Unavailable(error),
            },
            other => other,
        }
    }

    /// Why this process cannot open the file for writing, in words, with what to do; `None` if the file system does not say.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.exists() {
            let folder = folder.display();
            return Some(format!(
                "the folder {folder} does not exist; create it, or name another path with --database"
            ));
        }
        let files: Vec<PathBuf> = self.files().into_iter().filter(|file| file.exists()).collect();
        let of_file = files.iter().find_map(|file| refusal(file, Access::READ_OK | Access::WRITE_OK));
        of_file.or_else(|| refusal(folder, Access::WRITE_OK | Access::EXEC_OK))
    }

    /// Whether the file can only be read, and holds all rows: this process cannot create a log beside it, there is none, and no other process
    /// has the file open.
    pub(super) fn is_immutable(&self) -> bool {
        let is_whole = fs::metadata(self.log()).map_or(true, |log| log.len() == 0);
        is_whole && self.path.exists() && self.obstacle().is_some() && !is_open_elsewhere(&self.path)
    }
}

/// Why this process may not use a path in this way; `None` if it may.
fn refusal(path: &Path, wanted: Access) -> Option<String> {
    let shown = format!("{}{}", if path.is_dir() { "the folder " } else { "" }, path.display());
    match access(path, wanted) {
        Err(Errno::ROFS) => Some(format!("{shown} is on a read-only file system; mount it for writing")),
        Err(Errno::ACCESS) => {
            let (uid, found) = (geteuid().as_raw(), fs::metadata(path).ok()?);
            let (owner, mode) = (found.uid(), found.mode() & 0o7777);
            let remedy = "run `puzzled` as the owner, or change the owner (chown) or the mode (chmod)";
            Some(format!(
                "{shown} is not writable: it belongs to user {owner} with mode {mode:o}, and this is user {uid}; {remedy}"
            ))
        }
        _ => None,
    }
}

/// Whether an error of SQLite has one of these codes. A primary code also stands for its extended codes.
fn has_code(error: &sqlx::Error, codes: &[u32]) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| codes.contains(&code) || codes.contains(&(code & 0xff)))
}

/// The names of the tables of a file. A new file has none.
///
/// # Errors
/// [`StoreError::Foreign`] if the file has tables, but not those of this program.
pub(super) async fn tables(settings: &SqliteSettings, db: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let names: Vec<String> = sqlx::query_scalar(file::TABLES).fetch_all(db).await?;
    if names.is_empty() || schema::find(&names).is_some() {
        return Ok(names);
    }
    Err(StoreError::Foreign(settings.path.display().to_string().into()))
}

/// Marks a file as one of this program. Older versions ignore the mark.
pub(super) async fn mark(db: &mut SqliteConnection) -> Result<(), StoreError> {
    let found: i32 = sqlx::query_scalar("pragma application_id").fetch_one(&mut *db).await?;
    if found == 0 {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("pragma application_id = {APPLICATION_ID}"))).execute(db).await?;
    }
    Ok(())
}
