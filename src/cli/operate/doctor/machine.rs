//! Checks of this machine: the limit on open files, and the free space on the disk of an SQLite file.

use std::path::Path;

use rustix::fs::statvfs;

use super::finding::Finding;
use crate::{config::Config, system::this_process};

/// The number of files that a process opens besides connections: log, database files, and listeners.
const OTHER_FILES: u64 = 64;

const FILES: &str = "open files";
const DISK: &str = "disk";

const MIB: u64 = 1 << 20;

/// Checks whether the limit on open files allows all connections of the settings.
pub(super) fn open_files(config: &Config) -> Finding {
    let settings = &config.server;
    let needed = u64::from(settings.connections_max)
        + u64::from(settings.handshakes_max)
        + u64::from(config.database_connections)
        + OTHER_FILES;
    match this_process::highest_file_limit() {
        Some(limit) if limit < needed => {
            let remedy = "raise the hard limit (LimitNOFILE in systemd) or lower max_connections";
            Finding::warning(FILES, format!("the limit is {limit}; the settings need {needed}; {remedy}"))
        }
        Some(limit) => Finding::ok(FILES, format!("the limit is {limit}; the settings need {needed}")),
        None => Finding::ok(FILES, "no limit"),
    }
}

/// Checks whether the disk of an SQLite file has room for a second copy of the file, which a backup or a restore needs.
pub(super) fn free_disk(file: &Path) -> Finding {
    let folder = folder_of(file);
    let disk = match statvfs(folder) {
        Ok(disk) => disk,
        Err(error) => return Finding::error(DISK, format!("{}: {error}; create the folder", folder.display())),
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let database = std::fs::metadata(file).map_or(0, |file| file.len());
    let (free_mib, database_mib) = (free / MIB, database.div_ceil(MIB));
    let state = format!("{free_mib} MiB are free; the database has {database_mib} MiB");
    if free < database {
        Finding::warning(DISK, format!("{state}; free space: a backup or a restore needs as much as the database"))
    } else {
        Finding::ok(DISK, state)
    }
}

/// The folder of a file.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
