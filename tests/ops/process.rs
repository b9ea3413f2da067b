//! A `puzzled` process with an ops port: started on free ports, asked over HTTP and gRPC, killed when it is dropped.

use std::{process::Stdio, sync::Arc, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
    process::{Child, Command},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::timeout,
};
use tonic::transport::{Channel, Endpoint};

use crate::{folder::Folder, on_postgres::folder};

/// Longest wait for anything: only a process that hangs meets it.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

pub(crate) struct Process {
    child: Child,
    log: UnboundedReceiver<String>,
    /// The address of its ops port.
    pub(crate) ops: String,
    pub(crate) folder: Arc<Folder>,
}

/// An answer of the ops port.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Process {
    /// A server without workers on a new database.
    pub(crate) async fn serve(arguments: &str) -> Self {
        Self::start(folder(), &format!("serve --listen 127.0.0.1:0 --workers 0 {arguments}")).await
    }

    /// Starts a command on the database of a folder, and waits until its ops port is open.
    pub(crate) async fn start(folder: Arc<Folder>, command: &str) -> Self {
        let arguments = format!("{command} --ops-listen 127.0.0.1:0 --database {}", folder.database());
        let mut process = Self::spawn(folder, &arguments);
        let line = process.line("ops port opened").await;
        process.ops = line.split_once("address=").unwrap().1.to_owned();
        process
    }

    /// Starts a command, without any wait.
    pub(crate) fn spawn(folder: Arc<Folder>, arguments: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
        command.args(arguments.split_whitespace()).env_clear().current_dir(folder.path()).kill_on_drop(true);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, log) = unbounded_channel();
        // Read all the time, so that the process never blocks on its output.
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let _ = sender.send(line);
            }
        });
        Self { child, log, ops: String::new(), folder }
    }

    /// The next line of its log with these words.
    pub(crate) async fn line(&mut self, words: &str) -> String {
        let mut before = Vec::new();
        let found = async {
            while let Some(line) = self.log.recv().await {
                if line.contains(words) {
                    return Some(line);
                }
                before.push(line);
            }
            None
        };
        let found = timeout(PATIENCE, found).await.expect("it hangs");
        found.unwrap_or_else(|| panic!("no line with {words:?} after {before:#?}"))
    }

    /// All further lines of its log, after its end.
    pub(crate) async fn lines_to_the_end(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let all = async {
            while let Some(line) = self.log.recv().await {
                lines.push(line);
            }
        };
        timeout(PATIENCE, all).await.expect("it hangs");
        lines
    }

    /// The address of its API; takes the line that says where it listens.
    pub(crate) async fn address(&mut self) -> String {
        let line = self.line(" listens on ").await;
        let (_, address) = line.split_once(" listens on ").unwrap();
        address.split_once(',').unwrap().0.to_owned()
    }

    /// A connection to its API; takes the line that says where it listens.
    pub(crate) async fn channel(&mut self) -> Channel {
        let address = self.address().await;
        Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
    }

    /// Asks its ops port.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nAccept: application/openmetrics-text; version=1.0.0\r\n")).await
    }

    /// Sends the beginning of a request to its ops port.
    pub(crate) async fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.ops).await.unwrap();
        let request = format!("{request}Host: {}\r\nConnection: close\r\n\r\n", self.ops);
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        timeout(PATIENCE, stream.read_to_string(&mut answer)).await.expect("it hangs").unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let code = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { code, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Asks until the answer has this code. Readiness changes when the database has been asked.
    pub(crate) async fn get_until(&self, path: &str, code: u16) -> Answer {
        let asked = async {
            loop {
                let answer = self.get(path).await;
                if answer.code == code {
                    return answer;
                }
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, asked).await.unwrap_or_else(|_| panic!("{path} never answers {code}"))
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.child.id().unwrap().try_into().unwrap()).unwrap(), signal).unwrap();
    }

    /// Waits for its end, and returns its exit code.
    pub(crate) async fn ended(&mut self) -> Option<i32> {
        timeout(PATIENCE, self.child.wait()).await.expect("it hangs").unwrap().code()
    }
}
