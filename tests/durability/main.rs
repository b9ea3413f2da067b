//! The real binary through kills, restarts, cancellations, and shutdowns, as a client and an operator see it.
//!
//! `PUZZLED_SOAK=1` runs the full sizes instead of samples.
#![cfg(test)]

mod cancel;
mod daily;
#[path = "../support"]
mod databases {
    mod binaries;
    pub(crate) mod cluster;
    pub(crate) mod restart;
}
mod declare;
mod deliveries;
mod enqueue;
mod full;
mod growth;
mod kakuro;
mod kills;
mod locked;
mod member;
mod moved;
mod night;
mod open_files;
mod processes;
mod proxy;
mod replicas;
mod restore;
mod results;
mod server;
mod shutdown;
mod stuck;
mod workers;

/// Whether full sizes are wanted.
#[expect(clippy::disallowed_methods, reason = "a person or a script says how much is to be run")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}

/// One test at a time: they time, kill and compare whole servers, which should have the machine to themselves.
async fn alone() -> tokio::sync::MutexGuard<'static, ()> {
    static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    TURN.lock().await
}
