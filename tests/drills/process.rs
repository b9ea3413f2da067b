//! Helpers of the drills: a machine (a folder and a database), its commands, and its servers, which keep their
//! addresses over restarts.

use std::{net::TcpListener, path::Path, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

/// Longest wait for anything: only a process that hangs meets it.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

/// Longest time until a server that listens is healthy, in calls of `puzzled health`.
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
        command.arg("serve").args(arguments.split_whitespace()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let listening = async {
            let mut log = Vec::new();
            while let Some(line) = lines.next_line().await.unwrap() {
                if line.contains(" listens on ") {
                    return;
                }
                log.push(line);
            }
            panic!("the server does not start: {log:#?}");
        };
        timeout(PATIENCE, listening).await.expect("the server does not listen");
        // The server writes to the pipe until it ends.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let server = Server { process, address: address.to_owned() };
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
    process: Child,
    pub(crate) address: String,
}

impl Server {
    /// Ends it in order.
    pub(crate) async fn stop(mut self) {
        self.signal(Signal::TERM);
        let ended = timeout(PATIENCE, self.process.wait()).await.expect("the server does not end").unwrap();
        assert!(ended.success(), "{ended}");
    }

    /// Ends it on the spot.
    pub(crate) async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.process.id().unwrap()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }
}

/// An address that nobody listens on.
pub(crate) fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}
