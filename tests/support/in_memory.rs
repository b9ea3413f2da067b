//! Folders in memory, because a commit waits for the disk.

use std::path::Path;

use tempfile::TempDir;

/// The usual mount point of a file system in memory.
const MEMORY: &str = "/dev/shm";

/// The least free space, in bytes. Containers often have 64 MiB there, which a test would fill.
const FREE_MIN: u64 = 1 << 30;

/// A new folder in memory. If there is no room, it is where temporary files are.
pub(crate) fn folder() -> TempDir {
    let free = rustix::fs::statvfs(Path::new(MEMORY)).map_or(0, |at| at.f_bavail.saturating_mul(at.f_frsize));
    let in_memory = (free >= FREE_MIN).then(|| TempDir::new_in(MEMORY).ok()).flatten();
    in_memory.unwrap_or_else(|| TempDir::new().unwrap())
}
