//! A `puzzled serve` process: started on a free port, called by a client, killed or stopped.

use std::{path::Path, process::Stdio, time::Duration};

use puzzled::proto::v1::{
    self as pb, job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient,
};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::timeout,
};
use tonic::{Streaming, transport::Channel};

/// The longest wait for anything. Even on a busy machine, only a server that hangs reaches it.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

pub(crate) struct Server {
    process: Child,
    /// The lines of the log. A task reads them all the time, so that the server never blocks on its output.
    log: UnboundedReceiver<String>,
    pub(crate) client: Client,
    /// The host and port on which the server listens.
    pub(crate) address: String,
}

impl Server {
    /// Starts a server on a database file with further arguments, and waits until it listens.
    pub(crate) async fn start(database: &Path, arguments: &[&str]) -> Self {
        Self::start_by(Command::new(env!("CARGO_BIN_EXE_puzzled")), database, arguments).await
    }

    /// Starts a server whose file sizes the test can limit. It ignores SIGXFSZ, which would end it at the limit.
    pub(crate) async fn start_limitable(database: &Path, arguments: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#, env!("CARGO_BIN_EXE_puzzled")]);
        Self::start_by(shell, database, arguments).await
    }

    /// Starts a server with this soft limit of open files.
    pub(crate) async fn start_with_files(database: &Path, arguments: &[&str], soft: u32) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!(r#"ulimit -Sn {soft}; exec "$0" "$@""#), env!("CARGO_BIN_EXE_puzzled")]);
        Self::start_by(shell, database, arguments).await
    }

    async fn start_by(command: Command, database: &Path, arguments: &[&str]) -> Self {
        let (process, mut log) = spawned(command, database, arguments);
        let line = line_with(&mut log, &[" listens on "]).await;
        let (_, address) = line.split_once(" listens on ").unwrap();
        let (address, _) = address.split_once(',').unwrap();
        let client = Client::connect(address).await.unwrap();
        Self { process, log, client, address: address.to_owned() }
    }

    /// Starts a server that halts at a point of the store for the N-th time (`POINT:N`) before it listens, and kills it
    /// there.
    pub(crate) async fn die_at_start(database: &Path, arguments: &[&str], point: &str) {
        let arguments = [arguments, &["--halt-at", point]].concat();
        let (mut process, mut log) = spawned(Command::new(env!("CARGO_BIN_EXE_puzzled")), database, &arguments);
        let (name, _) = point.split_once(':').unwrap();
        line_with(&mut log, &[&format!("halted at {name}")]).await;
        process.kill().await.unwrap();
    }

    /// The next line of the log that contains this text.
    pub(crate) async fn logs(&mut self, what: &str) -> String {
        self.logs_one_of(&[what]).await
    }

    /// The next line of the log that contains one of these texts.
    pub(crate) async fn logs_one_of(&mut self, what: &[&str]) -> String {
        line_with(&mut self.log, what).await
    }

    /// Kills the process at once (SIGKILL).
    pub(crate) async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }

    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Waits until the process ends by itself, and returns the exit code and the rest of the log.
    pub(crate) async fn end(mut self) -> (Option<i32>, Vec<String>) {
        let ended = async {
            let mut rest = Vec::new();
            while let Some(line) = self.log.recv().await {
                rest.push(line);
            }
            (self.process.wait().await.unwrap().code(), rest)
        };
        timeout(PATIENCE, ended).await.expect("the process does not end")
    }

    /// Stops the process (SIGSTOP) until it is resumed.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    pub(crate) fn pid(&self) -> Pid {
        let pid = i32::try_from(self.process.id().unwrap()).unwrap();
        Pid::from_raw(pid).unwrap()
    }

    /// Waits until the process ends by itself, and returns the exit code.
    pub(crate) async fn exit_code(self) -> Option<i32> {
        self.end().await.0
    }
}

/// A client of a server.
#[derive(Clone)]
pub(crate) struct Client(Channel);

impl Client {
    /// Connects to the server at an address.
    pub(crate) async fn connect(address: &str) -> Result<Self, tonic::transport::Error> {
        Ok(Self(Channel::from_shared(format!("http://{address}")).unwrap().connect().await?))
    }

    pub(crate) fn channel(&self) -> Channel {
        self.0.clone()
    }

    pub(crate) fn info(&self) -> ServerServiceClient<Channel> {
        ServerServiceClient::new(self.0.clone())
    }

    pub(crate) fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.0.clone())
    }

    pub(crate) fn puzzles(&self) -> PuzzleServiceClient<Channel> {
        PuzzleServiceClient::new(self.0.clone()).max_decoding_message_size(usize::MAX)
    }

    pub(crate) async fn generate(&self, request: pb::GenerateRequest) -> pb::Job {
        self.puzzles().generate(request).await.unwrap().into_inner().job.unwrap()
    }

    pub(crate) async fn job(&self, id: &str) -> pb::Job {
        let request = pb::GetJobRequest { id: id.to_owned() };
        self.jobs().get_job(request).await.unwrap().into_inner().job.unwrap()
    }

    pub(crate) async fn watch(&self, id: &str) -> Streaming<pb::WatchJobResponse> {
        let request = pb::WatchJobRequest { id: id.to_owned() };
        self.jobs().watch_job(request).await.unwrap().into_inner()
    }

    /// Waits until the job is as wanted. A long job may take its time: the limit applies to the wait for each message.
    pub(crate) async fn job_when(&self, id: &str, is_wanted: impl Fn(&pb::Job) -> bool) -> pb::Job {
        let mut watch = self.watch(id).await;
        loop {
            let next = timeout(PATIENCE, watch.message()).await.expect("the job makes no progress");
            let job = next.unwrap().expect("the job ended and was never as wanted").job.unwrap();
            if is_wanted(&job) {
                return job;
            }
        }
    }

    /// Waits for the end of the job.
    pub(crate) async fn job_at_its_end(&self, id: &str) -> pb::Job {
        self.job_when(id, |job| job.end_time.is_some()).await
    }
}

/// A server on a database file, and its log.
fn spawned(mut command: Command, database: &Path, arguments: &[&str]) -> (Child, UnboundedReceiver<String>) {
    let mut process = command
        .env_clear()
        .args(["serve", "--listen", "127.0.0.1:0", "--database"])
        .arg(format!("sqlite:{}", database.display()))
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let (send, log) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            // A test that needs no more lines has dropped the other end.
            let _ = send.send(line);
        }
    });
    (process, log)
}

async fn line_with(log: &mut UnboundedReceiver<String>, what: &[&str]) -> String {
    let mut before = Vec::new();
    let found = async {
        while let Some(line) = log.recv().await {
            if what.iter().any(|what| line.contains(what)) {
                return Some(line);
            }
            before.push(line);
        }
        None
    };
    match timeout(PATIENCE, found).await {
        Ok(Some(line)) => line,
        ended => panic!("no {what:?} ({ended:?}) in the log: {before:#?}"),
    }
}
