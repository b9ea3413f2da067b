//! Helpers of the drills: a machine (a folder and a database), its commands, and its servers, which keep their
//! addresses over restarts.

use std::{net::TcpListener, path::Path, process::Stdio};

use rustix::process::Signal;
use tempfile::{TempDir, tempdir};
use tokio::{process::Command, time::timeout};

pub(crate) use crate::databases::process::PATIENCE;
use crate::databases::process::Process;

/// The maximum number of calls of `puzzled health` until a listening server is healthy.
const HEALTH_CHECKS_MAX: u32 = 1_000;

/// Where servers and commands run.
pub(crate) struct Machine {
    pub(crate) folder: TempDir,
    pub(crate) database: String,
}

impl Machine {
    /// A machine whose database is an SQLite file in its folder.
    pub(crate) fn with_file() -> Self {
        Self::on("sqlite:puzzled.db")
    }

    /// A machine whose database has this URL.
    pub(crate) fn on(database: &str) -> Self {
        let folder = tempdir().unwrap();
        std::fs::write(folder.path().join("puzzled.toml"), "").unwrap();
        Self { folder, database: database.to_owned() }
    }

    /// A program in the folder, with the variables that an operator sets.
    pub(crate) fn program(&self, name: &str, address: &str) -> Command {
        let ours = Path::new(env!("CARGO_BIN_EXE_puzzled")).parent().unwrap();
        let mut command = Command::new(name);
        command.current_dir(self.folder.path()).env_clear().stdin(Stdio::null()).kill_on_drop(true);
        command.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", ours.display()));
        command.env("PUZZLED_CONFIG", "puzzled.toml").env("PUZZLED_DATABASE_URL", &self.database);
        command.env("PUZZLED_LISTEN", address).env("BACKUPS", self.folder.path().join("backups"));
        command
    }

    /// Runs `puzzled`, which must succeed, and returns its output.
    pub(crate) async fn puzzled(&self, arguments: &str) -> String {
        let mut command = self.program(env!("CARGO_BIN_EXE_puzzled"), "127.0.0.1:50051");
        let ran = timeout(PATIENCE, command.args(arguments.split_whitespace()).output()).await.unwrap().unwrap();
        let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(ran.status.success(), "{arguments}: {out}{err}");
        out
    }

    /// Starts a server at an address, and waits until it is healthy.
    pub(crate) async fn serve(&self, address: &str, arguments: &str) -> Server {
        let mut command = self.program(env!("CARGO_BIN_EXE_puzzled"), address);
        let mut process = Process::spawn(command.arg("serve").args(arguments.split_whitespace()));
        let server = Server { address: process.address().await, process };
        for _ in 0..HEALTH_CHECKS_MAX {
            let mut health = self.program(env!("CARGO_BIN_EXE_puzzled"), address);
            if health.arg("health").output().await.unwrap().status.success() {
                return server;
            }
        }
        panic!("the server at {address} is not healthy");
    }
}

/// A running server.
pub(crate) struct Server {
    process: Process,
    pub(crate) address: String,
}

impl Server {
    /// Stops the server with SIGTERM. It must exit with 0.
    pub(crate) async fn stop(mut self) {
        self.signal(Signal::TERM);
        let (code, log) = self.process.end().await;
        assert_eq!(code, Some(0), "{log:#?}");
    }

    /// Kills the server with SIGKILL.
    pub(crate) async fn kill(mut self) {
        self.process.child.kill().await.unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }
}

/// An address that nobody listens on.
pub(crate) fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
