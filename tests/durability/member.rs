//! One process of several that share a database. A task reads its log all the time, so that the process never blocks on
//! its output.

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    process::{Child, ChildStderr, Command},
    time::timeout,
};

use crate::server::PATIENCE;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Answers calls, and makes no puzzles.
    Serves,
    /// Makes puzzles, and answers no calls.
    Works,
}

pub(crate) struct Member {
    process: Child,
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
        command
            .args(["--database", database, "--database-connections", "4"])
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        let mut process = command.env_clear().kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let first = first_line(&mut lines).await?;
        let address = first.split_once(" listens on ").and_then(|(_, rest)| rest.split_once(','));
        let address = address.map(|(address, _)| address.to_owned());
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Some(Self { process, address })
    }

    pub(crate) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Kills the process at once (SIGKILL).
    pub(crate) async fn kill(&mut self) {
        self.process.kill().await.unwrap();
    }
}

/// The line that reports the start; `None` if the process ended before.
async fn first_line(lines: &mut Lines<BufReader<ChildStderr>>) -> Option<String> {
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains(" listens on ") || line.contains(" works on ") {
            return Some(line);
        }
    }
    None
}
