//! Gives the old database file a second name, `NAME.old-1` or the next free number, under which a restore keeps it. A
//! log next to the file also gets such a name. No file is overwritten.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use super::{RestoreError, fault};
use crate::store::sqlite::{SqliteSettings, settings::with_suffix};

/// The maximum number of old databases next to a database.
const OLD_MAX: u32 = 9_999;

/// Gives a database a second name, `NAME.old-1` or the first free number, and returns that name. Returns `None` if
/// there is no database; a log without a database still gets such a name. Until another file takes the first name, both
/// names are the same database.
pub(super) fn link(database: &Path) -> Result<Option<PathBuf>, RestoreError> {
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
    Err(RestoreError::TooMany { path: database.to_owned(), count: OLD_MAX })
}

/// Whether these names are free, or a killed restore of this database gave some of them. In that case, a log that the
/// restore removed may still have its second name.
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
