//! Checks of this machine and its files: a server can use the certificate of its listener and the access file, neither the
//! certificate nor a token expires soon, and the limit on open files and the free disk space suffice.

use std::{path::Path, time::Duration};

use rustix::fs::statvfs;
use tokio::sync::watch;

use super::Finding;
use crate::{
    access::{Directory, Expiry},
    app::read_access_file,
    settings::{Config, Settings, TlsSettings},
    system::{this_process, watched_files::Rereads},
    tls::TlsWatch,
};
use puzzled_base::clock::{Millis, SystemClock};
use puzzled_store::sqlite::{LOG_LEN_MAX, SqliteSettings};

const CERTIFICATE: &str = "certificate";
const ACCESS: &str = "access";

/// If a certificate or a token ends in fewer days than these, the finding is a warning. For a certificate, there is also an
/// alert.
const DAYS_MIN: i64 = 14;

const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// Whether a server can use these files, and for how long.
pub(super) async fn certificate(files: &TlsSettings) -> Finding {
    let clock = SystemClock::shared();
    let now = clock.now();
    // The files are read once: nothing asks for another read.
    let (_none, hangups) = watch::channel(());
    let rereads = Rereads { every: Duration::from_secs(1), hangups };
    let watched = match TlsWatch::begin(files, rereads, clock).await {
        Ok(Some(watched)) => watched,
        Ok(None) => return Finding::ok(CERTIFICATE, "none; connections are not encrypted"),
        Err(error) => return Finding::error(CERTIFICATE, error.to_string()),
    };
    let days = watched.tls().expires_at().ms_since(now) / DAY_MS;
    if days < DAYS_MIN {
        return Finding::warning(CERTIFICATE, format!("expires in {days} days; renew it and replace its files"));
    }
    Finding::ok(CERTIFICATE, format!("expires in {days} days"))
}

/// Whether a server can use this file, and which of its tokens expire first.
pub(super) async fn access(file: Option<&Path>) -> Finding {
    let Some(file) = file else { return Finding::ok(ACCESS, "no access file; every caller may do everything") };
    match read_access_file(file).await {
        Ok(directory) => of_tokens(&directory, SystemClock::shared().now()),
        Err(error) => Finding::error(ACCESS, error.to_string()),
    }
}

fn of_tokens(directory: &Directory, now: Millis) -> Finding {
    let expiries = directory.expire_before(now.plus_ms(DAYS_MIN * DAY_MS));
    let Some(Expiry { expires_at, id, principal }) = expiries.first() else {
        let (principals, tokens) = directory.counts();
        return Finding::ok(ACCESS, format!("principals {principals}, tokens {tokens}"));
    };
    let left_ms = expires_at.ms_since(now);
    let when = if left_ms <= 0 { "has expired".to_owned() } else { format!("expires in {} days", left_ms / DAY_MS) };
    let others = match expiries.len() - 1 {
        0 => String::new(),
        others => format!(" (and {others} more within {DAYS_MIN} days)"),
    };
    let remedy = "make a new one with `puzzled token new`, and remove the old entry";
    Finding::warning(ACCESS, format!("the token {id:?} of {principal:?} {when}{others}; {remedy}"))
}

/// The number of files that a process opens besides connections: log, database files, and listeners.
const OTHER_FILES: u64 = 64;

const FILES: &str = "open files";
const DISK: &str = "disk";

const MIB: u64 = 1 << 20;

/// Checks whether the limit on open files allows all connections of the settings.
pub(super) fn open_files(config: &Config) -> Finding {
    let Settings { connections, process, .. } = &config.settings;
    let needed = u64::from(connections.max_connections)
        + u64::from(connections.max_handshakes)
        + u64::from(process.database_connections)
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

/// Checks whether the disk of an SQLite file has room for a second copy of the file, which a backup or a restore needs, and whether a long
/// reader keeps the log of the file from shrinking.
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
    let log = std::fs::metadata(SqliteSettings::of(file).log()).map_or(0, |log| log.len());
    if log > LOG_LEN_MAX {
        let remedy = "end the program that reads it for so long; the log shrinks with the writes after that";
        return Finding::warning(DISK, format!("the log {}-wal has {} MiB; {remedy}", file.display(), log / MIB));
    }
    if free < database {
        Finding::warning(DISK, format!("{state}; free space: a backup or a restore needs as much as the database"))
    } else {
        Finding::ok(DISK, state)
    }
}

pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
