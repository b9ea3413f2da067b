//! Watches files while a process runs. Reads them at an interval, and returns contents that have changed; at SIGHUP,
//! reads and returns them even if unchanged. Compares contents, because orchestrators replace a symbolic link and
//! editors replace the file.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use sha2::{Digest as _, Sha256};
use tokio::{
    sync::watch,
    time::{Interval, MissedTickBehavior, interval},
};

use puzzled_base::message::of_file;

/// When files are read again.
#[derive(Debug, Clone)]
pub struct Rereads {
    /// Time between two reads, at least 1 ms. Changed contents are returned once two consecutive reads have found them.
    pub every: Duration,
    /// Changes at each SIGHUP.
    pub hangups: watch::Receiver<()>,
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", path.display(), of_file(error))]
pub struct Unreadable {
    /// The path as it was given.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

/// Files whose contents belong together, such as a certificate and its key.
#[derive(Debug)]
pub struct WatchedFiles {
    paths: Vec<PathBuf>,
    hangups: watch::Receiver<()>,
    reads: Interval,
    /// A digest of the state that was last returned. It is a digest because the contents may be secret.
    taken: Option<Fingerprint>,
    /// Another state that one read has found. It is returned once a second read finds it too, because the first may
    /// have read half-written files.
    unsettled: Option<Fingerprint>,
}

type Fingerprint = [u8; 32];

impl WatchedFiles {
    /// Starts to watch. [`Self::read`] reads the files for the first time.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>, rereads: Rereads) -> Self {
        let mut reads = interval(rereads.every.max(Duration::from_millis(1)));
        reads.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { paths, hangups: rereads.hangups, reads, taken: None, unsettled: None }
    }

    /// Returns the contents of the files as they are now, in the order of their paths.
    ///
    /// # Errors
    /// [`Unreadable`] with the first file that cannot be read.
    pub async fn read(&mut self) -> Result<Vec<Vec<u8>>, Unreadable> {
        let found = contents(&self.paths).await;
        (self.taken, self.unsettled) = (Some(fingerprint(&found)), None);
        found
    }

    /// Waits for a SIGHUP, or until the contents differ from those last returned, and returns the contents. An error
    /// that lasts, such as a missing file, is returned once. If the future is dropped, a SIGHUP may be lost, but no
    /// change of the contents.
    ///
    /// # Errors
    /// [`Unreadable`] with the first file that cannot be read.
    pub async fn changed(&mut self) -> Result<Vec<Vec<u8>>, Unreadable> {
        loop {
            tokio::select! {
                // An error means that the sender was dropped. Then only the interval counts.
                Ok(()) = self.hangups.changed() => return self.read().await,
                _ = self.reads.tick() => {
                    let found = contents(&self.paths).await;
                    let print = fingerprint(&found);
                    if self.taken == Some(print) {
                        self.unsettled = None;
                    } else if self.unsettled == Some(print) {
                        (self.taken, self.unsettled) = (Some(print), None);
                        return found;
                    } else {
                        self.unsettled = Some(print);
                    }
                }
            }
        }
    }
}

async fn contents(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>, Unreadable> {
    let mut all = Vec::with_capacity(paths.len());
    for path in paths {
        all.push(content(path).await?);
    }
    Ok(all)
}

async fn content(path: &Path) -> Result<Vec<u8>, Unreadable> {
    tokio::fs::read(path).await.map_err(|error| Unreadable { path: path.to_owned(), error })
}

fn fingerprint(found: &Result<Vec<Vec<u8>>, Unreadable>) -> Fingerprint {
    let mut digest = Sha256::new();
    match found {
        Ok(contents) => {
            for content in contents {
                // The length comes first, so that the digest depends on where each file ends.
                digest.update((content.len() as u64).to_be_bytes());
                digest.update(content);
            }
        }
        Err(unreadable) => digest.update(format!("{}: {:?}", unreadable.path.display(), unreadable.error.kind())),
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::tempdir;

    use super::*;

    #[tokio::test]
    async fn changed_content_is_returned_once_and_a_hangup_returns_it_again() {
        let folder = tempdir().unwrap();
        let paths = ["cert", "key"].map(|name| folder.path().join(name));
        for path in &paths {
            fs::write(path, "old").unwrap();
        }
        let (hangup, hangups) = watch::channel(());
        let mut files = WatchedFiles::new(paths.to_vec(), Rereads { every: Duration::from_millis(1), hangups });
        assert_eq!(files.read().await.unwrap(), [b"old", b"old"]);
        fs::write(&paths[1], "new").unwrap();
        assert_eq!(files.changed().await.unwrap(), [b"old", b"new"]);
        hangup.send_replace(());
        assert_eq!(files.changed().await.unwrap(), [b"old", b"new"]);
        fs::remove_file(&paths[0]).unwrap();
        let missing = files.changed().await.unwrap_err().to_string();
        assert!(missing.ends_with("cert: the file does not exist; check its name"), "{missing}");
        fs::write(&paths[0], "third").unwrap();
        assert_eq!(files.changed().await.unwrap(), [b"third".as_slice(), b"new"]);
    }
}
