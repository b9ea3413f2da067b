//! Reads the access file when the server starts, and again whenever it changes. If the file has a fault, the server
//! does not start, or keeps the access file in force.

use std::{path::Path, path::PathBuf, sync::Arc};

use crate::{
    access::{AccessFault, Directory, Gate},
    system::watched_files::{Rereads, Unreadable, WatchedFiles},
    telemetry::{Reloaded, report_reload},
};
use puzzled_base::{clock::Clock, message::text_of};

/// An access file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum UnusableAccess {
    /// It cannot be read.
    #[error("access file {0}")]
    Unreadable(#[from] Unreadable),
    /// It is not UTF-8.
    #[error("access file {}: {}", .0.display(), .1)]
    NotText(PathBuf, &'static str),
    /// An entry is not allowed.
    #[error("access file {}: {fault}", path.display())]
    Fault {
        /// The path as it was given.
        path: PathBuf,
        /// The line, and what is wrong there.
        fault: AccessFault,
    },
}

/// Returns the gate of a server, and a future that applies each change of its access file. Without a file, every caller
/// is anonymous.
///
/// # Errors
/// [`UnusableAccess`] if the file cannot be used.
pub(super) async fn begin(
    file: Option<&Path>,
    clock: &Arc<dyn Clock>,
    rereads: &Rereads,
) -> Result<(Arc<Gate>, impl Future<Output = ()> + use<>), UnusableAccess> {
    let Some(path) = file else { return Ok((Gate::open(Arc::clone(clock)), follow(None))) };
    let mut watched = WatchedFiles::new(vec![path.to_owned()], rereads.clone());
    let directory = parse(path, watched.read().await)?;
    let (principals, tokens) = directory.counts();
    tracing::info!(principals, tokens, "access file applied");
    let gate = Gate::new(directory, Arc::clone(clock));
    Ok((Arc::clone(&gate), follow(Some((path.to_owned(), watched, gate)))))
}

async fn follow(watched: Option<(PathBuf, WatchedFiles, Arc<Gate>)>) {
    let Some((path, mut watched, gate)) = watched else { return };
    loop {
        match parse(&path, watched.changed().await) {
            Ok(directory) => {
                let (principals, tokens) = directory.counts();
                gate.set(directory);
                report_reload(Reloaded::Access, true);
                tracing::info!(principals, tokens, "access file applied");
            }
            Err(error) => {
                report_reload(Reloaded::Access, false);
                tracing::error!(%error, "access file not applied; the one in force stays");
            }
        }
    }
}

/// Reads an access file once.
///
/// # Errors
/// [`UnusableAccess`] if a server could not start with it.
pub async fn read_access_file(path: &Path) -> Result<Directory, UnusableAccess> {
    let content = tokio::fs::read(path).await.map(|content| vec![content]);
    parse(path, content.map_err(|error| Unreadable { path: path.to_owned(), error }))
}

fn parse(path: &Path, read: Result<Vec<Vec<u8>>, Unreadable>) -> Result<Directory, UnusableAccess> {
    let bytes = read?.into_iter().next().unwrap_or_default();
    let text = text_of(bytes).map_err(|fault| UnusableAccess::NotText(path.to_owned(), fault))?;
    Directory::parse(&text).map_err(|fault| UnusableAccess::Fault { path: path.to_owned(), fault })
}
