//! Finds the binaries of a `PostgreSQL` server on this machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder of the newest version's binaries: on the path, or where Debian has them.
pub(crate) fn binaries() -> Option<PathBuf> {
    if let Ok(found) = Command::new("sh").args(["-c", "command -v initdb"]).output()
        && found.status.success()
    {
        let path = fs::canonicalize(String::from_utf8(found.stdout).unwrap().trim()).unwrap();
        return path.parent().map(Path::to_owned);
    }
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.map(|entry| entry.unwrap().path());
    let installed = versions.map(|version| version.join("bin")).filter(|bin| bin.join("initdb").exists());
    installed.max_by_key(|bin| bin.iter().rev().nth(1).and_then(|version| version.to_str()?.parse::<u32>().ok()))
}
