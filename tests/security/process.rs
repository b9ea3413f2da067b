//! The binary as a process: a server on a free port, and commands, in a new folder and with an empty environment.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    thread,
};

use rustix::process::{Pid, Signal, kill_process};

/// A running server. It is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    lines: Mutex<Receiver<String>>,
    log: Arc<Mutex<Vec<String>>>,
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
        let mut child = puzzled(folder, &args).stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (sender, lines) = channel();
        let (all, stderr) = (Arc::clone(&log), child.stderr.take().unwrap());
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                all.lock().unwrap().push(line.clone());
                // The test may have seen enough.
                let _ = sender.send(line);
            }
        });
        let mut server = Self { child, address: String::new(), lines: Mutex::new(lines), log };
        let line = server.line_with(" listens on ");
        let (_, address) = line.split_once(" listens on ").unwrap();
        address.split_once(',').unwrap().0.clone_into(&mut server.address);
        server
    }

    /// Waits until its first ping of the database has answered. Before, health is `NOT_SERVING`.
    pub(crate) fn wait_until_serving(&self) {
        self.line_with("health changed status=\"SERVING\"");
    }

    /// The next line of its log that has these words.
    pub(crate) fn line_with(&self, words: &str) -> String {
        let found = self.lines.lock().unwrap().iter().find(|line| line.contains(words));
        found.unwrap_or_else(|| panic!("no line with {words:?}: {:#?}", self.log()))
    }

    /// All lines of its log so far.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Its command line, as other users of the machine see it.
    pub(crate) fn arguments(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/cmdline", self.child.id())).unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The binary with arguments that are separated by blanks.
pub(crate) fn puzzled(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    command.args(args.split_whitespace()).current_dir(folder).env_clear().stdin(Stdio::null());
    command
}

/// Runs a command, and returns its exit code with what it printed on standard error.
pub(crate) fn run(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}
