//! The settings of an SQLite database: its file, and how its connections are opened.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};

use crate::stock::puzzle::SHELVES_MAX;
use puzzled_engine::ENGINE_VERSION;

/// The size to which the log shrinks, in bytes. Without long readers, it has about 4 MiB.
pub const LOG_LEN_MAX: u64 = 64 << 20;

/// Where the database is and how it is opened.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// The file. It is created if it does not exist. While it is open, SQLite keeps two more files next to it, `-wal`
    /// and `-shm`.
    pub path: PathBuf,
    /// The number of connections that read, besides the connection for draws.
    pub readers: u32,
    /// How long a write waits while another process holds the write lock.
    pub busy_timeout: Duration,
    /// The maximum number of shelves.
    pub shelves_max: u32,
    /// Engine version of the workers that use this store. They do not claim jobs that need a newer version.
    pub engine_version: u32,
}

impl SqliteSettings {
    /// Default settings for a file: four readers, and a busy timeout of ten seconds.
    #[must_use]
    pub fn of(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            readers: 4,
            busy_timeout: Duration::from_secs(10),
            shelves_max: SHELVES_MAX,
            engine_version: ENGINE_VERSION,
        }
    }

    /// The file, and the files that SQLite keeps next to it.
    pub(crate) fn files(&self) -> [PathBuf; 3] {
        [self.path.clone(), self.log(), with_suffix(&self.path, "-shm")]
    }

    /// The log of the file, `-wal`. SQLite applies it whenever it opens the file.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        with_suffix(&self.path, "-wal")
    }

    /// Options of a connection that writes.
    pub(super) fn options(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(&self.path)
            // A file that existed when these options were made is not created again after `puzzled copy` has renamed it.
            .create_if_missing(!self.path.exists())
            .journal_mode(SqliteJournalMode::Wal)
            // Commits are synced to the disk before they return, so a power failure loses no acknowledged job or
            // puzzle.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(self.busy_timeout)
            // In KiB, for each connection. With SQLite's default of 2 MiB, the same pages are read from the file
            // repeatedly. This value holds the index pages that lead to a million puzzles; a larger cache would not stay
            // in the processor's caches. The file is not mapped (`mmap_size`): SQLite removes the mapping after each
            // commit of another connection, and the page faults then take longer than reads. A page that the disk cannot
            // read would also cause a SIGBUS instead of an error.
            .pragma("cache_size", "-12288")
            // After a long reader, the log shrinks to this size with the first commit that begins it anew.
            .pragma("journal_size_limit", LOG_LEN_MAX.to_string())
    }
}

/// The name of a file that SQLite keeps next to a database.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_path_buf().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
}
