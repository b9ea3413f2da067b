//! One process of several that share a database.

use tokio::{process::Command, time::timeout};

use crate::databases::process::{PATIENCE, Process};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Answers calls, and makes no puzzles.
    Serves,
    /// Makes puzzles, and answers no calls.
    Works,
}

pub(crate) struct Member {
    process: Process,
    /// The host and port of a server; `None` for a worker process.
    address: Option<String>,
}

impl Member {
    /// Starts a process. If the database does not answer just then, the start is repeated, as a supervisor would do.
    pub(crate) async fn start(role: Role, database: &str) -> Self {
        let started = async {
            loop {
                if let Some(member) = Self::try_start(role, database).await {
                    return member;
                }
            }
        };
        timeout(PATIENCE, started).await.expect("the process does not start")
    }

    async fn try_start(role: Role, database: &str) -> Option<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
        match role {
            Role::Serves => command.args(["serve", "--workers", "0", "--listen", "127.0.0.1:0"]),
            Role::Works => command.args(["work", "--workers", "1", "--lease-ms", "3000", "--max-attempts", "100"]),
        };
        command.args(["--database", database, "--database-connections", "4"]).env_clear();
        let mut process = Process::spawn(&mut command);
        let first = process.line_if_any(&[" listens on ", " works on "], &mut Vec::new()).await?;
        let address = first.split_once(" listens on ").and_then(|(_, rest)| rest.split_once(','));
        Some(Self { process, address: address.map(|(address, _)| address.to_owned()) })
    }

    pub(crate) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Kills the process at once (SIGKILL).
    pub(crate) async fn kill(&mut self) {
        self.process.child.kill().await.unwrap();
    }
}
