//! `puzzled serve` and `puzzled health`: the start, the log, and the end by a signal. A job makes the same puzzles as
//! `puzzled generate`. Also the helper `Server`, with which other tests run servers and workers.

use std::ops::Deref;

use puzzled_api::v1::{Job, JobState, ListPuzzlesRequest, WatchJobRequest, job_service_client::JobServiceClient};
use tonic::transport::Endpoint;

use crate::{
    prelude::*,
    running::{Running, puzzled},
};

#[test]
fn server_reports_its_address_is_healthy_and_stops_on_a_signal() {
    for signal in [Signal::TERM, Signal::INT] {
        let server = Server::start("--workers 2");
        let line = server.line_with(" listens on ");
        let version = env!("CARGO_PKG_VERSION");
        let (before, after) = line.split_once(" listens on 127.0.0.1:").unwrap();
        assert!(before.ends_with(&format!("puzzled {version}")), "{line}");
        let (port, after) = after.split_once(", ").unwrap();
        let database = server.folder.path().join("stock.db");
        assert_eq!(after, format!("database {} (created), 2 workers", database.display()));
        // It listens a moment before the database has been asked for the first time.
        let mut asked = (0..1_000).map(|_| run(&format!("health --address 127.0.0.1:{port}")));
        let healthy = asked.find(|asked| !asked.err.contains("NOT_SERVING")).unwrap();
        assert_eq!((healthy.code, healthy.err.as_str()), (Some(0), ""));
        server.signal(signal);
        let (code, rest) = server.ended();
        assert_eq!(code, Some(0), "{signal:?}: {rest}");
        assert_eq!(run(&format!("health --address 127.0.0.1:{port}")).code, Some(1));
    }
}

#[test]
fn server_listens_on_the_first_ipv4_address_of_a_name() {
    let folder = Arc::new(tempdir().unwrap());
    let server = Server::run(folder, "serve --listen localhost:0 --database sqlite:stock.db --workers 0");
    let line = server.line_with(" listens on ");
    assert!(line.contains(" listens on 127.0.0.1:"), "{line}");
    server.end();
}

#[test]
fn json_logs_are_one_object_a_line() {
    let server = Server::start("--workers 0 --log-format json");
    let line: Value = serde_json::from_str(&server.line_with(" listens on ")).unwrap();
    assert!(line["message"].as_str().unwrap().ends_with("stock.db (created), no workers"), "{line}");
    assert_eq!(line["level"], "INFO");
    assert!(server.end().lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
}

#[test]
fn server_with_a_closed_log_pipe_shuts_down_in_order() {
    // The logger used to complain about the closed log on the closed log, which panicked where the signal was handled.
    let folder = tempdir().unwrap();
    let mut command = puzzled("serve --listen 127.0.0.1:0 --database sqlite:stock.db --workers 1");
    let mut child = command.current_dir(&folder).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    log.find(|line| line.contains(" listens on ")).unwrap();
    drop(log);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A job of the service and `puzzled generate` work by the same rules, whatever the spec says.
#[tokio::test]
async fn a_job_into_an_empty_stock_makes_what_generate_prints() {
    let cases = [
        ("--level expert --count 60", GenerateRequest { level: Level::Expert.into(), ..request(60) }),
        ("--min-rating 2.3 --count 30", GenerateRequest { min_rating: Some(2.3), ..request(30) }),
        (
            "--max-rating 1.5 --symmetry rotation180 --givens 30-32 --count 20",
            GenerateRequest {
                max_rating: Some(1.5),
                symmetry: Symmetry::Rotation180.into(),
                min_givens: Some(30),
                max_givens: Some(32),
                ..request(20)
            },
        ),
    ];
    for (args, request) in cases {
        let server = Server::start("--workers 2");
        let made = made_by_job(server.channel().await, request).await;
        let printed = run(&format!("generate --seed 7 {args}"));
        assert_eq!(made, printed.out.lines().collect::<Vec<_>>(), "{args}");
    }
}

pub(crate) fn request(count: u32) -> GenerateRequest {
    GenerateRequest { kind: Kind::Sudoku.into(), count: Some(count), seed: Some(7), ..GenerateRequest::default() }
}

/// The texts of a job's puzzles, by their index.
pub(crate) async fn made_by_job(channel: Channel, request: GenerateRequest) -> Vec<String> {
    let mut puzzles = PuzzleServiceClient::new(channel.clone());
    let id = puzzles.generate(request).await.unwrap().into_inner().job.unwrap().id;
    let mut watch = JobServiceClient::new(channel).watch_job(WatchJobRequest { id }).await.unwrap().into_inner();
    let mut job = Job::default();
    while let Some(change) = watch.message().await.unwrap() {
        job = change.job.unwrap();
    }
    assert_eq!(job.state(), JobState::Succeeded, "{job:?}");
    let mut listed = Vec::new();
    let mut request = ListPuzzlesRequest { page_size: 200, include_record: true, ..ListPuzzlesRequest::default() };
    loop {
        let page = puzzles.list_puzzles(request.clone()).await.unwrap().into_inner();
        listed.extend(page.puzzles);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    listed.sort_by_key(|puzzle| puzzle.job_index);
    listed.into_iter().map(|puzzle| puzzle.text).collect()
}

#[tokio::test]
async fn a_second_signal_ends_a_server_that_hangs() {
    let server = Server::start("--workers 0 --grace-seconds 3600 --halt-at enqueue.begin:1");
    let channel = server.channel().await;
    let call = tokio::spawn(async move { PuzzleServiceClient::new(channel).generate(request(1)).await });
    // The test waits on another thread, so that the call goes on meanwhile.
    let ended = spawn_blocking(move || {
        server.line_with("halted at enqueue.begin");
        server.signal(Signal::TERM);
        server.line_with("shutdown started");
        server.signal(Signal::TERM);
        server.ended()
    });
    let (code, rest) = ended.await.unwrap();
    assert_eq!(code, Some(143));
    assert!(rest.contains("shutdown interrupted by a second signal"), "{rest}");
    assert!(call.await.unwrap().is_err());
}

/// A server on a free port with its database in a folder of its own; killed when it is dropped.
pub(crate) struct Server {
    running: Running,
    pub(crate) folder: Arc<TempDir>,
}

impl Deref for Server {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.running
    }
}

impl Server {
    pub(crate) fn start(args: &str) -> Self {
        Self::start_in(Arc::new(tempdir().unwrap()), args)
    }

    /// Starts one on the database `stock.db` of a folder.
    pub(crate) fn start_in(folder: Arc<TempDir>, args: &str) -> Self {
        Self::start_at(folder, "127.0.0.1:0", args)
    }

    /// Starts one on that database, at an address that an earlier one has left.
    pub(crate) fn start_at(folder: Arc<TempDir>, address: &str, args: &str) -> Self {
        Self::run(folder, &format!("serve --listen {address} --database sqlite:stock.db {args}"))
    }

    /// Starts a process of workers on that database.
    pub(crate) fn work_in(folder: Arc<TempDir>, args: &str) -> Self {
        Self::run(folder, &format!("work --database sqlite:stock.db {args}"))
    }

    fn run(folder: Arc<TempDir>, args: &str) -> Self {
        Self { running: Running::spawn(puzzled(args).current_dir(folder.path())), folder }
    }

    /// Ends it in order, and returns what is left of its log.
    pub(crate) fn end(self) -> String {
        self.signal(Signal::TERM);
        let (code, rest) = self.ended();
        assert_eq!(code, Some(0), "{rest}");
        rest
    }

    /// What it logs until it listens.
    pub(crate) fn log_of_the_start(&self) -> Vec<String> {
        self.address();
        self.log().into_iter().take_while(|line| !line.contains(" listens on ")).collect()
    }

    /// A connection to it.
    pub(crate) async fn channel(&self) -> Channel {
        connected(&self.address()).await
    }
}

/// A connection to a server.
pub(crate) async fn connected(address: &str) -> Channel {
    Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}
