//! A `puzzled serve` process: started on a free port, called by a client, killed or stopped.

use std::path::Path;

use puzzled_api::v1::{
    self as pb, job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient,
};
use rustix::process::{Pid, Signal};
use tokio::{process::Command, time::timeout};
use tonic::{Streaming, transport::Channel};

pub(crate) use crate::databases::process::PATIENCE;
use crate::databases::process::Process;

pub(crate) struct Server {
    process: Process,
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
        let mut process = spawned(command, database, arguments);
        let address = process.address().await;
        Self { process, client: Client::connect(&address).await.unwrap(), address }
    }

    /// The next line of the log that contains this text.
    pub(crate) async fn logs(&mut self, what: &str) -> String {
        self.logs_one_of(&[what]).await
    }

    /// The next line of the log that contains one of these texts.
    pub(crate) async fn logs_one_of(&mut self, what: &[&str]) -> String {
        self.process.line(what).await
    }

    /// Kills the process at once (SIGKILL).
    pub(crate) async fn kill(mut self) {
        self.process.child.kill().await.unwrap();
    }

    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Waits until the process ends by itself, and returns the exit code and the rest of the log.
    pub(crate) async fn end(mut self) -> (Option<i32>, Vec<String>) {
        self.process.end().await
    }

    /// Stops the process (SIGSTOP) until it is resumed.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    pub(crate) fn pid(&self) -> Pid {
        self.process.pid()
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

/// A server on a database file.
fn spawned(mut command: Command, database: &Path, arguments: &[&str]) -> Process {
    command.env_clear().args(["serve", "--listen", "127.0.0.1:0", "--database"]);
    Process::spawn(command.arg(format!("sqlite:{}", database.display())).args(arguments))
}
