//! Outputs that nobody reads: the log of a server, and the standard output of a command that watches.

use std::{io::Write as _, process::Stdio};

use puzzled_api::v1::{
    GetPuzzleRequest, GetServerInfoRequest, Kind, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient,
};
use rustix::process::Signal;
use tokio::{process::Command, time::timeout};
use tonic::transport::Channel;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

use crate::{
    page::MetricsPage,
    process::{PATIENCE, Process},
};

/// The size of a pipe on Linux.
const PIPE_BYTES: usize = 65_536;

/// Lines of the log that had no room so far.
async fn dropped(process: &Process) -> f64 {
    MetricsPage::read(&process.get("/metrics").await.body).value("puzzled_log_lines_dropped_total")
}

/// Calls the server, which logs each frame, until lines of its log have no room.
async fn fill_log(process: &Process, channel: &Channel) -> f64 {
    let before = dropped(process).await;
    let mut server = ServerServiceClient::new(channel.clone());
    let filled = async {
        loop {
            for _ in 0..20 {
                server.get_server_info(GetServerInfoRequest {}).await.unwrap();
            }
            let now = dropped(process).await;
            if now > before {
                return now;
            }
        }
    };
    timeout(PATIENCE, filled).await.expect("a call hangs, or no line is dropped")
}

/// Cause: with 64 KiB of unread lines in a pipe, each call, `/livez`, and SIGTERM waited for the reader.
#[tokio::test]
async fn log_that_nobody_reads_holds_up_nothing() {
    let mut process = Process::serve("--log puzzled=info,h2=trace").await;
    let channel = process.channel().await;
    process.read_log(false);
    fill_log(&process, &channel).await;
    assert_eq!(process.get("/livez").await.code, 200);
    HealthClient::new(channel.clone()).check(HealthCheckRequest::default()).await.unwrap();
    let empty = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
    let status = PuzzleServiceClient::new(channel.clone()).get_puzzle(empty).await.unwrap_err();
    assert!(status.message().contains("stock"), "{status:?}");
    let count = dropped(&process).await;
    process.read_log(true);
    let line = process.line("log lines dropped, because standard error was not read").await;
    let told: f64 = line.split_once("dropped=").unwrap().1.parse().unwrap();
    assert!(told >= count, "{line}, of at least {count}");
    process.read_log(false);
    fill_log(&process, &channel).await;
    process.signal(Signal::TERM);
    assert_eq!(process.exited().await, Some(0));
}

#[tokio::test]
async fn last_lines_are_written_before_the_process_ends() {
    let mut process = Process::serve("").await;
    process.address().await;
    process.signal(Signal::TERM);
    let lines = process.lines_to_the_end().await;
    assert!(lines.last().unwrap().ends_with("stopped"), "{lines:#?}");
}

/// Cause: a write to a full pipe held up the whole command, with its limit of time.
#[tokio::test]
async fn limit_of_a_watch_holds_though_nobody_reads_its_output() {
    let mut process = Process::serve("").await;
    let address = process.address().await;
    let (_unread, output) = std::io::pipe().unwrap();
    (&output).write_all(&vec![b'x'; PIPE_BYTES]).unwrap();
    let mut watch = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    watch.args(["watch", "--json", "--timeout", "1", "--address", &address]).env_clear();
    let mut watch = watch.stdin(Stdio::null()).stdout(output).kill_on_drop(true).spawn().unwrap();
    let ended = timeout(PATIENCE, watch.wait()).await.expect("it hangs").unwrap();
    assert_eq!(ended.code(), Some(2));
}
