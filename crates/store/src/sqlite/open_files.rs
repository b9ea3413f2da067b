//! Detects that an open database was deleted or replaced, and saves its rows. Also refuses to read a file whose log is missing.

use std::{
    fs::{self, File},
    io::ErrorKind,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::{
    Rescue, StoreError,
    sqlite::{SqliteSettings, SqliteStore},
};

/// The device and the inode of a file.
type FileId = (u64, u64);

/// The list of file locks of the kernel.
const LOCKS: &str = "/proc/locks";

/// The first byte of the range that every connection to an SQLite file locks.
const SHARED_FIRST: &str = "1073741826";

/// The maximum time between the first lock on a file and the creation of its log.
const OPENS: Duration = Duration::from_millis(100);

/// The files of a store: the database, its log, and the index of the log.
#[derive(Debug)]
pub(super) struct OpenFiles {
    paths: [PathBuf; 3],
    /// Set when the first connection has opened them.
    opened: OnceLock<[FileId; 3]>,
    /// Whether a path has led to another file.
    are_replaced: AtomicBool,
}

impl OpenFiles {
    pub(super) fn of(settings: &SqliteSettings) -> Self {
        Self { paths: settings.files(), opened: OnceLock::new(), are_replaced: AtomicBool::new(false) }
    }

    /// Remembers the files, which a connection has just opened.
    pub(super) fn remember(&self) {
        let [database, log, index] = &self.paths;
        if let (Ok(database), Ok(log), Ok(index)) = (id(database), id(log), id(index)) {
            let _ = self.opened.set([database, log, index]);
        }
    }

    /// Fails once a path has led to another file.
    ///
    /// # Errors
    /// [`StoreError::Replaced`].
    pub(super) fn must_be_open(&self) -> Result<(), StoreError> {
        if self.are_replaced.load(Ordering::Acquire) { Err(StoreError::Replaced(self.path())) } else { Ok(()) }
    }

    /// Whether a path leads to another file than the open one, or to none. An error of the file system says neither.
    pub(super) fn are_replaced(&self) -> bool {
        let Some(opened) = self.opened.get() else { return false };
        let is_other = |(path, opened): (&PathBuf, &FileId)| match id(path) {
            Ok(found) => found != *opened,
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        self.paths.iter().zip(opened).any(is_other)
    }

    fn path(&self) -> Box<str> {
        self.paths[0].display().to_string().into()
    }

    /// Removes the open log and its index from paths beside a database that is not the open one. SQLite would apply the log to it.
    fn remove_log(&self) {
        let Some([database, beside @ ..]) = self.opened.get() else { return };
        if id(&self.paths[0]).is_ok_and(|found| found == *database) {
            return;
        }
        for (path, _) in
            self.paths[1..].iter().zip(beside).filter(|(path, opened)| id(path).is_ok_and(|it| it == **opened))
        {
            if let Err(error) = fs::remove_file(path) {
                tracing::error!(path = %path.display(), %error, "database log could not be removed");
            }
        }
    }
}

impl SqliteStore {
    /// Saves what the open files hold, if a path leads to others or has led to others. From then on, each call of the store fails.
    pub(super) async fn rescued(&self) -> Option<Rescue> {
        if self.files.must_be_open().is_ok() && !self.files.are_replaced() {
            return None;
        }
        self.files.are_replaced.store(true, Ordering::Release);
        // The write in progress ends first. Those that wait for the writer fail.
        let writer = self.writer.lock().await;
        let path = self.settings.path.display().to_string();
        let saved = rescue_path(&self.settings.path, self.clock.now().0);
        let written = match saved.to_str() {
            Some(name) => {
                sqlx::query("vacuum into ?").bind(name).execute(&*writer).await.map_err(|error| error.to_string())
            }
            None => Err("the path is not UTF-8".to_owned()),
        };
        let synced = written.and_then(|_| synced(&saved).map_err(|error| error.to_string()));
        match synced {
            Ok(()) => self.files.remove_log(),
            // An incomplete rescue file is useless.
            Err(_) => drop(fs::remove_file(&saved)),
        }
        // A connection that closes would remove the files at the paths, which may belong to another database. So none closes
        // before the process ends.
        std::mem::forget((writer.clone(), self.readers.clone()));
        Some(Rescue { path, saved: synced.map(|()| saved) })
    }
}

/// A name beside the database that no other process and no earlier rescue has.
fn rescue_path(database: &Path, now_ms: i64) -> PathBuf {
    crate::sqlite::settings::with_suffix(database, &format!(".rescued-{now_ms}-{}", std::process::id()))
}

fn synced(saved: &Path) -> std::io::Result<()> {
    File::open(saved)?.sync_all()?;
    let folder = saved.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

fn id(path: &Path) -> std::io::Result<FileId> {
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

/// Refuses to read a file whose log is missing although another process has the file open: the log had the newest rows.
///
/// # Errors
/// [`StoreError::LogMissing`].
pub(super) async fn must_have_its_log(settings: &SqliteSettings) -> Result<(), StoreError> {
    let is_missing = || !settings.log().exists() && is_open_elsewhere(&settings.path);
    if is_missing() {
        // A process that opens the file has it locked a moment before it creates the log.
        tokio::time::sleep(OPENS).await;
        if is_missing() {
            return Err(StoreError::LogMissing(settings.path.display().to_string().into()));
        }
    }
    Ok(())
}

/// Whether a connection of another process has locked the file, as each does while it is open. `false` if `/proc/locks` cannot be read, as
/// under `ProcSubset=pid`.
pub(super) fn is_open_elsewhere(path: &Path) -> bool {
    let (Ok((_, inode)), Ok(locks)) = (id(path), fs::read_to_string(LOCKS)) else { return false };
    let own = std::process::id().to_string();
    // `1: POSIX  ADVISORY  READ 1234 fe:00:5678 1073741826 1073742335`
    locks.lines().any(|line| {
        let mut fields = line.split_whitespace().skip(4);
        let (pid, file, first) = (fields.next(), fields.next(), fields.next());
        let is_file = file.and_then(|file| file.rsplit(':').next()?.parse::<u64>().ok()) == Some(inode);
        is_file && first == Some(SHARED_FIRST) && pid.is_some_and(|pid| pid != own)
    })
}
