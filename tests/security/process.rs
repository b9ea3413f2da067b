//! The binary as a process: a server on a free port, and commands, in a folder and with an empty environment.

use std::{fs, ops::Deref, path::Path, process::Command};

use crate::running::{self, Running};

/// A running server. It is killed when it is dropped.
pub(crate) struct Server {
    running: Running,
    pub(crate) address: String,
}

impl Deref for Server {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.running
    }
}

impl Server {
    /// Starts a server without workers in a folder, and waits until it listens.
    pub(crate) fn start(folder: &Path, args: &str) -> Self {
        Self::run(folder, &format!("--workers 0 {args}"))
    }

    /// The same with as many workers as the arguments say.
    pub(crate) fn run(folder: &Path, args: &str) -> Self {
        Self::listen(folder, "127.0.0.1:0", args)
    }

    /// The same on a free port of another address.
    pub(crate) fn listen(folder: &Path, address: &str, args: &str) -> Self {
        let args = format!("serve --listen {address} --database sqlite:stock.db {args}");
        let running = Running::spawn(&mut puzzled(folder, &args));
        Self { address: running.address(), running }
    }

    /// Waits until its first ping of the database has answered. Before, health is `NOT_SERVING`.
    pub(crate) fn wait_until_serving(&self) {
        self.line_with("health changed status=\"SERVING\"");
    }

    /// Its command line, as other users of the machine see it.
    pub(crate) fn arguments(&self) -> String {
        fs::read_to_string(format!("/proc/{}/cmdline", self.pid())).unwrap()
    }
}

/// The binary with arguments that are separated by blanks, in a folder.
pub(crate) fn puzzled(folder: &Path, args: &str) -> Command {
    let mut command = running::puzzled(args);
    command.current_dir(folder);
    command
}

/// Runs a command, and returns its exit code with what it printed on standard error.
pub(crate) fn run(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}
