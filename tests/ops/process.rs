//! A `puzzled` process with an ops port: started on free ports, asked over HTTP and gRPC, killed when it is dropped.

use std::sync::Arc;

use rustix::process::Signal;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    process::Command,
    time::timeout,
};
use tonic::transport::{Channel, Endpoint};

pub(crate) use crate::databases::process::PATIENCE;
use crate::{databases::process, folder::Folder, on_postgres::folder};

pub(crate) struct Process {
    running: process::Process,
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
        command.args(arguments.split_whitespace()).env_clear().current_dir(folder.path());
        Self { running: process::Process::spawn(&mut command), ops: String::new(), folder }
    }

    /// The next line of its log with these words.
    pub(crate) async fn line(&mut self, words: &str) -> String {
        self.running.line(&[words]).await
    }

    /// All further lines of its log, after its end.
    pub(crate) async fn lines_to_the_end(&mut self) -> Vec<String> {
        self.running.end().await.1
    }

    /// The address of its API; takes the line that says where it listens.
    pub(crate) async fn address(&mut self) -> String {
        self.running.address().await
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

    /// Whether its log is read from now on.
    pub(crate) fn read_log(&self, is_read: bool) {
        self.running.is_read.send_replace(is_read);
    }

    /// Waits for its end without a look at its log, and returns its exit code.
    pub(crate) async fn exited(&mut self) -> Option<i32> {
        timeout(PATIENCE, self.running.child.wait()).await.expect("it does not end").unwrap().code()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.running.signal(signal);
    }

    /// Waits for its end, and returns its exit code.
    pub(crate) async fn ended(&mut self) -> Option<i32> {
        self.running.end().await.0
    }
}
