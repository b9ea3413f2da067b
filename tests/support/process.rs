//! A process of the binary under test: its log, signals, and its end. A task reads the log all the time, unless
//! a test stalls it.

use std::{process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    sync::{
        mpsc::{UnboundedReceiver, unbounded_channel},
        watch,
    },
    time::timeout,
};

/// The longest wait for anything. Even on a busy machine, only a process that hangs reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

/// A running process. It is killed when it is dropped.
pub(crate) struct Process {
    pub(crate) child: Child,
    log: UnboundedReceiver<String>,
    /// Whether the log is read.
    pub(crate) is_read: watch::Sender<bool>,
}

impl Process {
    /// Starts a command, without any wait.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, log) = unbounded_channel();
        let (is_read, mut read) = watch::channel(true);
        tokio::spawn(async move {
            // If the process is dropped, its log is at its end.
            while read.wait_for(|is_read| *is_read).await.is_ok()
                && let Ok(Some(line)) = lines.next_line().await
            {
                // A test that needs no more lines has dropped the other end.
                let _ = sender.send(line);
            }
        });
        Self { child, log, is_read }
    }

    /// The next line of the log that contains one of these texts.
    pub(crate) async fn line(&mut self, texts: &[&str]) -> String {
        let mut before = Vec::new();
        match timeout(PATIENCE, self.line_if_any(texts, &mut before)).await {
            Ok(Some(line)) => line,
            ended => panic!("no {texts:?} ({ended:?}) in the log: {before:#?}"),
        }
    }

    /// Like [`Self::line`], but `None` if the process ends first. `before` gets the skipped lines.
    pub(crate) async fn line_if_any(&mut self, texts: &[&str], before: &mut Vec<String>) -> Option<String> {
        while let Some(line) = self.log.recv().await {
            if texts.iter().any(|text| line.contains(text)) {
                return Some(line);
            }
            before.push(line);
        }
        None
    }

    /// The host and port on which a server listens; takes the line that reports it.
    pub(crate) async fn address(&mut self) -> String {
        let line = self.line(&[" listens on "]).await;
        let (_, address) = line.split_once(" listens on ").unwrap();
        address.split_once(',').unwrap().0.to_owned()
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id().unwrap()).unwrap()).unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits until the process ends by itself, and returns the exit code and the rest of the log.
    pub(crate) async fn end(&mut self) -> (Option<i32>, Vec<String>) {
        self.is_read.send_replace(true);
        let ended = async {
            let mut rest = Vec::new();
            while let Some(line) = self.log.recv().await {
                rest.push(line);
            }
            (self.child.wait().await.unwrap().code(), rest)
        };
        timeout(PATIENCE, ended).await.expect("the process does not end")
    }
}
