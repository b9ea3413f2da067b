//! Tests of the real binary: kills, restarts, cancellations, and shutdowns, as a client and an operator see them.
//!
//! `PUZZLED_SOAK=1` runs the full sizes instead of samples.
#![cfg(test)]

mod cancel;
mod copy;
mod daily;
#[path = "../support"]
mod databases {
    mod binaries;
    pub(crate) mod cluster;
    pub(crate) mod postgres;
    pub(crate) mod process;
    pub(crate) mod restart;
}
mod deliveries;
mod enqueue;
#[path = "../support/files.rs"]
mod files;
mod full;
mod imports;
mod kills;
mod locked;
mod member;
mod night;
mod open_files;
mod processes;
mod proxy;
mod replaced;
mod replicas;
mod restore;
mod results;
mod server;
mod stuck;
mod withdrawals;

use std::path::PathBuf;

use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard};

/// Whether the tests run at their full sizes.
#[expect(clippy::disallowed_methods, reason = "the environment chooses the sizes of the tests")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}

/// Lets one test run at a time. The tests time, kill, and compare whole servers, which need the machine to themselves.
async fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::const_new(());
    TURN.lock().await
}

/// What a test has to itself: the machine, and a folder with a database file.
struct Site {
    _alone: MutexGuard<'static, ()>,
    folder: TempDir,
    database: PathBuf,
}

impl Site {
    async fn new() -> Self {
        let (alone, folder) = (alone().await, tempfile::tempdir().unwrap());
        let database = folder.path().join("stock.db");
        Self { _alone: alone, folder, database }
    }
}
