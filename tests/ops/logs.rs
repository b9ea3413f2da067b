//! The call log: one line at the end of each call that the settings name. Its fields, call IDs in errors, calls over
//! HTTP, reloads, and the limit on lines about failed calls.

use std::{collections::BTreeSet, fs};

use puzzled_api::v1::{
    ExportPuzzlesRequest, GetJobRequest, GetPuzzleRequest, GetServerInfoRequest, Kind, WatchJobRequest,
    WatchStockRequest, job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient, stock_service_client::StockServiceClient,
};
use rustix::process::Signal;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tonic::{Request, Status, transport::Channel};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt as _;

use crate::{on_postgres::folder, process::Process};

/// The fields of a line that follow its message.
fn fields(line: &str) -> Vec<(&str, &str)> {
    let (_, fields) = line.split_once("call ended ").unwrap();
    fields.split(' ').map(|field| field.split_once('=').unwrap()).collect()
}

fn value<'a>(line: &'a str, name: &str) -> &'a str {
    fields(line).into_iter().find(|(field, _)| *field == name).unwrap_or_else(|| panic!("no {name} in {line}")).1
}

/// The call ID that the details of an error have.
fn call_id(status: &Status) -> String {
    status.get_details_request_info().unwrap_or_else(|| panic!("no RequestInfo in {status:?}")).request_id
}

/// Asks for a job with this ID.
async fn job(channel: &Channel, id: &str) -> Result<(), Status> {
    let request = GetJobRequest { id: id.to_owned() };
    JobServiceClient::new(channel.clone()).get_job(request).await.map(|_| ())
}

/// Ends the server, and returns the lines with these words since the last one that was read.
async fn lines_at_the_end(mut process: Process, words: &str) -> Vec<String> {
    process.signal(Signal::TERM);
    let lines = process.lines_to_the_end().await;
    lines.into_iter().filter(|line| line.contains(words)).collect()
}

#[tokio::test]
async fn call_id_of_each_error_is_found_in_the_log() {
    let mut process = Process::serve("").await;
    let channel = process.channel().await;
    let mut puzzles = PuzzleServiceClient::new(channel.clone());
    let empty = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
    let too_large = GetJobRequest { id: "x".repeat(2 << 20) };
    let mut named = Request::new(GetJobRequest { id: "job-7".to_owned() });
    named.metadata_mut().insert("x-request-id", "night-7".parse().unwrap());
    let mut jobs = JobServiceClient::new(channel.clone());
    let watch = jobs.watch_job(WatchJobRequest { id: "job-7".to_owned() }).await;
    let watch = match watch {
        Ok(stream) => stream.into_inner().message().await.unwrap_err(),
        Err(status) => status,
    };
    let errors = [
        ("PuzzleService/GetPuzzle", "STOCK_EXHAUSTED", puzzles.get_puzzle(empty).await.unwrap_err()),
        (
            "PuzzleService/GetPuzzle",
            "INVALID_FIELD",
            puzzles.get_puzzle(GetPuzzleRequest::default()).await.unwrap_err(),
        ),
        ("JobService/GetJob", "MESSAGE_TOO_LARGE", jobs.get_job(too_large).await.unwrap_err()),
        ("JobService/GetJob", "JOB_NOT_FOUND", jobs.get_job(named).await.unwrap_err()),
        ("JobService/WatchJob", "JOB_NOT_FOUND", watch),
    ];
    assert_eq!(call_id(&errors[3].2), "night-7");
    let lines = lines_at_the_end(process, "call ended").await;
    for (method, reason, status) in &errors {
        let id = call_id(status);
        let line = lines.iter().find(|line| value(line, "call_id") == id);
        let line = line.unwrap_or_else(|| panic!("no call {id} of {method} in {lines:#?}"));
        assert_eq!(value(line, "method"), format!("puzzled.v1.{method}"));
        assert_eq!((value(line, "reason"), value(line, "principal")), (*reason, "anonymous"));
        assert!(value(line, "peer").starts_with("127.0.0.1:") && line.contains(" INFO "), "{line}");
    }
    assert_eq!(lines.len(), errors.len(), "{lines:#?}");
}

/// Cause: each `get --make` left a line `code=Canceled`, because it leaves the stream of its job once it has a puzzle.
#[tokio::test]
async fn a_stream_that_its_caller_leaves_after_a_message_is_no_fault() {
    let mut process = Process::serve("").await;
    let channel = process.channel().await;
    let watch = StockServiceClient::new(channel.clone()).watch_stock(WatchStockRequest::default()).await;
    let mut stream = watch.unwrap().into_inner();
    stream.message().await.unwrap().unwrap();
    drop(stream);
    // On the same connection, the server meets the end of the stream before this call.
    let unknown = GetJobRequest { id: "job-7".to_owned() };
    JobServiceClient::new(channel).get_job(unknown).await.unwrap_err();
    let lines = lines_at_the_end(process, "call ended").await;
    let methods: Vec<_> = lines.iter().map(|line| value(line, "method")).collect();
    assert_eq!(methods, ["puzzled.v1.JobService/GetJob"], "{lines:#?}");
}

#[tokio::test]
async fn fields_are_in_order_and_contain_no_text_of_the_request() {
    let mut process = Process::serve("").await;
    let channel = process.channel().await;
    let mut request = Request::new(GetJobRequest { id: "secret text".to_owned() });
    request.metadata_mut().insert("authorization", "Bearer secret".parse().unwrap());
    request.metadata_mut().insert("x-request-id", "secret id".parse().unwrap());
    JobServiceClient::new(channel.clone()).get_job(request).await.unwrap_err();
    let mut unknown = tonic::client::Grpc::new(channel);
    unknown.ready().await.unwrap();
    let codec = tonic_prost::ProstCodec::<GetServerInfoRequest, GetServerInfoRequest>::default();
    let path = http::uri::PathAndQuery::from_static("/secret.v1.Secret/Secret");
    unknown.unary(Request::new(GetServerInfoRequest {}), path, codec).await.unwrap_err();
    let lines = lines_at_the_end(process, "call ended").await;
    let names: Vec<_> = fields(&lines[0]).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        ["method", "code", "reason", "principal", "peer", "ms", "compute_ms", "bytes", "call_id"],
        "{lines:#?}"
    );
    assert_eq!(value(&lines[1], "method"), "unknown/unknown");
    assert!(!lines.iter().any(|line| line.to_lowercase().contains("secret")), "{lines:#?}");
}

#[tokio::test]
async fn all_calls_are_logged_when_they_end_except_health_and_reflection() {
    let mut process = Process::serve("--log-calls all").await;
    let channel = process.channel().await;
    HealthClient::new(channel.clone()).check(HealthCheckRequest::default()).await.unwrap();
    let mut server = ServerServiceClient::new(channel.clone());
    server.get_server_info(GetServerInfoRequest {}).await.unwrap();
    let info = process.line("call ended").await;
    assert_eq!((value(&info, "method"), value(&info, "code")), ("puzzled.v1.ServerService/GetServerInfo", "OK"));
    assert!(value(&info, "bytes").parse::<u64>().unwrap() > 100 && !info.contains("reason="), "{info}");
    let export = ExportPuzzlesRequest { kind: Kind::Sudoku.into(), ..ExportPuzzlesRequest::default() };
    let mut stream = PuzzleServiceClient::new(channel).export_puzzles(export).await.unwrap().into_inner();
    while stream.message().await.unwrap().is_some() {}
    let export = process.line("call ended").await;
    assert_eq!((value(&export, "method"), value(&export, "code")), ("puzzled.v1.PuzzleService/ExportPuzzles", "OK"));
}

#[tokio::test]
async fn reload_changes_which_calls_are_logged() {
    let folder = folder();
    let file = folder.path().join("puzzled.toml");
    fs::write(&file, "log_calls = 'off'\n").unwrap();
    let arguments = "serve --listen 127.0.0.1:0 --workers 0 --config puzzled.toml --config-poll-ms 1000000000";
    let mut process = Process::start(folder, arguments).await;
    let channel = process.channel().await;
    let unlogged = call_id(&job(&channel, "job-1").await.unwrap_err());
    fs::write(&file, "log_calls = 'slow'\n").unwrap();
    process.signal(Signal::HUP);
    process.line("settings reloaded").await;
    let logged = call_id(&job(&channel, "job-1").await.unwrap_err());
    // The first line is the one of the second call.
    let line = process.line("call ended").await;
    assert_eq!(value(&line, "call_id"), logged);
    assert_ne!(unlogged, logged);
}

#[tokio::test]
async fn calls_over_http_are_logged_like_others() {
    let mut process = Process::serve("").await;
    let mut stream = TcpStream::connect(process.address().await).await.unwrap();
    let request = "POST /puzzled.v1.JobService/GetJob HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                   X-Request-Id: by-curl\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{\"id\":\"job-7\"}";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    let line = process.line("call ended").await;
    assert_eq!((value(&line, "call_id"), value(&line, "code")), ("by-curl", "NotFound"));
    assert_eq!((value(&line, "reason"), value(&line, "principal")), ("JOB_NOT_FOUND", "anonymous"));
}

/// Calls of a burst: several times the bound, even if the burst lasts some seconds.
const BURST: usize = 2_000;

#[tokio::test]
async fn burst_of_failing_calls_gives_bounded_lines_and_their_number() {
    let mut process = Process::serve("").await;
    let channel = process.channel().await;
    let calls = (0..BURST).map(|_| {
        let channel = channel.clone();
        tokio::spawn(async move { job(&channel, "job-7").await.unwrap_err() })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    let lines = lines_at_the_end(process, "").await;
    let (mut logged, mut ids, mut left_out) = (0, BTreeSet::new(), 0);
    for line in &lines {
        if line.contains("call ended ") {
            logged += 1;
            ids.insert(value(line, "call_id"));
        } else if let Some((_, count)) = line.split_once("calls left out of the log reason=JOB_NOT_FOUND count=") {
            assert!(logged >= 100, "{logged} lines before some were left out");
            left_out += count.parse::<usize>().unwrap();
        }
    }
    assert!(left_out > 0 && logged + left_out == BURST, "{logged} logged, {left_out} left out");
    assert_eq!(ids.len(), logged);
}
