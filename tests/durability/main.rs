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
    pub(crate) mod in_memory;
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

use databases::in_memory;
use tempfile::TempDir;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Whether the tests run at their full sizes.
#[expect(clippy::disallowed_methods, reason = "the environment chooses the sizes of the tests")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}

/// The maximum number of tests that run at once. Each starts whole servers, which make puzzles with two threads.
const AT_ONCE: u32 = 3;

static TURNS: Semaphore = Semaphore::const_new(AT_ONCE as usize);

/// Waits until fewer than [`AT_ONCE`] tests run.
async fn turn() -> SemaphorePermit<'static> {
    TURNS.acquire().await.unwrap()
}

/// Waits until no other test runs, for tests that measure time.
async fn alone() -> SemaphorePermit<'static> {
    TURNS.acquire_many(AT_ONCE).await.unwrap()
}

/// What a test has to itself: a folder with a database file.
struct Site {
    _turn: SemaphorePermit<'static>,
    folder: TempDir,
    database: PathBuf,
}

impl Site {
    async fn new() -> Self {
        Self::with(turn().await)
    }

    /// A site beside which no other test runs.
    async fn alone() -> Self {
        Self::with(alone().await)
    }

    fn with(turn: SemaphorePermit<'static>) -> Self {
        let folder = in_memory::folder();
        let database = folder.path().join("stock.db");
        Self { _turn: turn, folder, database }
    }
}
