//! A process of several that share a database. It restarts as often as needed, and its log is read all the time so that it never
//! blocks on its output.

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    process::{Child, ChildStderr, Command},
    time::timeout,
};

use crate::server::PATIENCE;

/// The role of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Answers calls alone.
    Serves,
    /// Works alone.
    Works,
}

pub(crate) struct Member {
    process: Child,
    /// Where it listens, if it serves.
    address: Option<String>,
}

impl Member {
    /// Starts one, and starts it again if the database does not answer just then, as a supervisor would.
    pub(crate) async fn start(role: Role, database: &str) -> Self {
        let started = async {
            loop {
                if let Some(member) = Self::try_start(role, database).await {
                    return member;
                }
            }
        };
        timeout(PATIENCE, started).await.expect("it does not start")
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

    /// Where a client finds it.
    pub(crate) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Ends it on the spot.
    pub(crate) async fn kill(&mut self) {
        self.process.kill().await.unwrap();
    }
}

/// The line that says that it runs; none if it ended without.
async fn first_line(lines: &mut Lines<BufReader<ChildStderr>>) -> Option<String> {
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains(" listens on ") || line.contains(" works on ") {
            return Some(line);
        }
    }
    None
}
