//! A process of the binary under test, for tests that wait on their own thread: its log, signals, and its end. Another
//! thread reads the log all the time, so that the process never blocks on its output.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, OnceLock,
        mpsc::{Receiver, channel},
    },
    thread,
};

use rustix::process::{Pid, Signal, kill_process};

/// A running process. It is killed when it is dropped.
pub(crate) struct Running {
    child: Mutex<Child>,
    lines: Mutex<Receiver<String>>,
    log: Arc<Mutex<Vec<String>>>,
    address: OnceLock<String>,
}

/// The binary with these arguments, separated by blanks, and an empty environment.
pub(crate) fn puzzled(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    command.args(args.split_whitespace()).env_clear().stdin(Stdio::null());
    command
}

impl Running {
    /// Starts a command, without any wait.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (sender, lines) = channel();
        let (all, stderr) = (Arc::clone(&log), child.stderr.take().unwrap());
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                all.lock().unwrap().push(line.clone());
                // A test that needs no more lines has dropped the other end.
                let _ = sender.send(line);
            }
        });
        Self { child: Mutex::new(child), lines: Mutex::new(lines), log, address: OnceLock::new() }
    }

    /// The host and port on which a server listens. The first call takes the line that reports it.
    pub(crate) fn address(&self) -> String {
        let taken = self.address.get_or_init(|| {
            let line = self.line_with(" listens on ");
            let (_, address) = line.split_once(" listens on ").unwrap();
            address.split_once(',').unwrap().0.to_owned()
        });
        taken.clone()
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

    pub(crate) fn pid(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child.lock().unwrap()), signal).unwrap();
    }

    /// Kills the process (SIGKILL).
    pub(crate) fn kill(&self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Waits for its end, and returns the exit code and the rest of the log.
    pub(crate) fn ended(&self) -> (Option<i32>, String) {
        let rest: String = self.lines.lock().unwrap().iter().map(|line| line + "\n").collect();
        (self.child.lock().unwrap().wait().unwrap().code(), rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let child = self.child.get_mut().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}
