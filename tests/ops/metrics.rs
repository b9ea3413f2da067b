//! Metrics of a process, as Prometheus scrapes them: the format, counts of calls and work, a lost database, the list in
//! the docs with names, types, and labels that are frozen, and the limit on series.

use std::collections::{BTreeMap, BTreeSet};

use puzzled_api::v1::{
    CreateStockTargetRequest, GenerateRequest, GetJobRequest, GetPuzzleRequest, GetServerInfoRequest, Kind, Level,
    WatchJobRequest, job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient, stock_service_client::StockServiceClient,
};
use tonic::transport::Channel;

use crate::{
    frozen_list,
    on_postgres::folder,
    page::MetricsPage,
    process::{PATIENCE, Process},
};

/// What the process shows now.
pub(crate) async fn scraped(process: &Process) -> MetricsPage {
    MetricsPage::read(&process.get("/metrics").await.body)
}

/// The labels of a method.
fn method(service: &str, method: &str, of: &str) -> String {
    format!(r#"grpc_service="{service}",grpc_method="{method}",grpc_type="{of}""#)
}

#[tokio::test]
async fn metrics_come_in_the_format_that_the_scraper_accepts() {
    let process = Process::serve("").await;
    let open = process.get("/metrics").await;
    assert!(
        open.head.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"),
        "{}",
        open.head
    );
    let page = MetricsPage::read(&open.body);
    let version = env!("CARGO_PKG_VERSION");
    assert!(page.value(&format!("puzzled_build_info{{version=\"{version}\"}}")) > 0.0);
    assert!(page.value("process_resident_memory_bytes") > 1e6 && page.value("process_start_time_seconds") > 1e9);
    let old = process.ask("GET /metrics HTTP/1.1\r\nAccept: text/plain\r\n").await;
    assert!(old.head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{}", old.head);
    assert!(!old.body.contains("# EOF") && old.body.contains("\nprocess_open_fds "), "{}", old.body);
}

#[tokio::test]
async fn calls_are_counted_by_method_and_code_from_zero_on() {
    let mut process = Process::serve("").await;
    let channel = process.channel().await;
    let info = method("puzzled.v1.ServerService", "GetServerInfo", "unary");
    let watch = method("puzzled.v1.JobService", "WatchJob", "server_stream");
    let before = scraped(&process).await;
    assert_eq!(before.values_of("grpc_code").len(), 17);
    for (series, value) in &before.series {
        let is_of_calls = series.starts_with("grpc_server_") && !series.contains("Health");
        assert!(!is_of_calls || value.to_bits() == 0, "{series} is {value} before the first call");
    }
    call(&channel, &info, &watch, &process).await;
}

/// Makes one call of each kind, and asserts what is counted.
async fn call(channel: &Channel, info: &str, watch: &str, process: &Process) {
    let mut server = ServerServiceClient::new(channel.clone());
    server.get_server_info(GetServerInfoRequest {}).await.unwrap();
    let mut jobs = JobServiceClient::new(channel.clone());
    jobs.get_job(GetJobRequest { id: "job-1".to_owned() }).await.unwrap_err();
    let stream = jobs.watch_job(WatchJobRequest { id: "job-1".to_owned() }).await;
    if let Ok(stream) = stream {
        stream.into_inner().message().await.unwrap_err();
    }
    let unknown = tonic::client::Grpc::new(channel.clone());
    refused(unknown).await;
    let page = scraped(process).await;
    assert_eq!(page.count(&format!("grpc_server_started_total{{{info}}}")), 1);
    assert_eq!(page.count(&format!("grpc_server_handled_total{{{info},grpc_code=\"OK\"}}")), 1);
    assert_eq!(page.count(&format!("grpc_server_handling_seconds_count{{{info}}}")), 1);
    let get = method("puzzled.v1.JobService", "GetJob", "unary");
    assert_eq!(page.count(&format!("grpc_server_handled_total{{{get},grpc_code=\"NotFound\"}}")), 1);
    assert_eq!(page.count(&format!("grpc_server_handled_total{{{watch},grpc_code=\"NotFound\"}}")), 1);
    let other = method("unknown", "unknown", "unary");
    assert_eq!(page.count(&format!("grpc_server_handled_total{{{other},grpc_code=\"Unimplemented\"}}")), 1);
}

/// Calls a method that no service has.
async fn refused(mut client: tonic::client::Grpc<Channel>) {
    client.ready().await.unwrap();
    let path = http::uri::PathAndQuery::from_static("/puzzled.v1.PuzzleService/NoSuchMethod");
    let codec = tonic_prost::ProstCodec::<GetServerInfoRequest, GetServerInfoRequest>::default();
    client.unary(tonic::Request::new(GetServerInfoRequest {}), path, codec).await.unwrap_err();
}

/// What the process shows once it has read the shared gauges.
async fn scraped_with_gauges(process: &Process) -> MetricsPage {
    let read = async {
        loop {
            let page = scraped(process).await;
            if page.families.contains_key("puzzled_jobs") {
                return page;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("no gauges")
}

#[tokio::test]
async fn metrics_page_of_the_documentation_lists_what_is_scraped() {
    let process = Process::serve("--max-puzzles 1000").await;
    let mut page = scraped_with_gauges(&process).await;
    let mut absent = vec![
        ("puzzled_certificate_expiry_days", "Days until the certificate of the listener expires; TLS only."),
        (
            "puzzled_daily_days_ready",
            "Days of a daily series that have a puzzle, from the current day up to the first without, at most 31.",
        ),
    ];
    if process.folder.is_on_server() {
        absent.push(("puzzled_database_wal_bytes", "Size of the write-ahead log; SQLite only."));
    }
    for (name, help) in absent {
        let scraped = page.families.insert(name.to_owned(), ("gauge".to_owned(), help.to_owned()));
        assert_eq!(scraped, None, "{name}");
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operations/metrics.md");
    let text = std::fs::read_to_string(file).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")).filter(|line| !line.starts_with('/'));
    let cells = rows.map(|row| row.split('|').map(|cell| cell.trim_matches([' ', '`'])).collect::<Vec<_>>());
    let (mut documented, mut frozen) = (BTreeMap::new(), BTreeSet::new());
    for cells in cells {
        let [metric, of, labels, help, ..] = cells[..] else { panic!("{cells:?}") };
        let name = metric.trim_end_matches("_total").trim_end_matches("_info");
        documented.insert(name.to_owned(), (of.to_owned(), help.to_owned()));
        frozen.insert(format!("{metric} {of} {labels}").trim_end().to_owned());
        let labels: BTreeSet<_> = labels.split(", ").filter(|label| !label.is_empty()).collect();
        assert!(page.labels(name).is_none_or(|scraped| scraped == labels), "{metric}: {:?}", page.labels(name));
    }
    assert_eq!(page.families, documented);
    frozen_list::check("metrics.txt", &frozen);
}

#[tokio::test]
async fn work_of_a_process_is_counted_by_kind_level_and_outcome() {
    let mut process = Process::start(folder(), "serve --listen 127.0.0.1:0 --workers 1").await;
    let channel = process.channel().await;
    let mut puzzles = PuzzleServiceClient::new(channel.clone());
    let easy = |count| GenerateRequest {
        kind: Kind::Sudoku.into(),
        level: Level::Easy.into(),
        count: Some(count),
        ..GenerateRequest::default()
    };
    let id = puzzles.generate(easy(3)).await.unwrap().into_inner().job.unwrap().id;
    let mut watch = JobServiceClient::new(channel).watch_job(WatchJobRequest { id }).await.unwrap().into_inner();
    while watch.message().await.unwrap().is_some() {}
    let get = |level: Level| GetPuzzleRequest {
        kind: Kind::Sudoku.into(),
        level: level.into(),
        audience: "anna".to_owned(),
        ..GetPuzzleRequest::default()
    };
    puzzles.get_puzzle(get(Level::Easy)).await.unwrap();
    puzzles.get_puzzle(get(Level::Evil)).await.unwrap_err();
    let page = scraped(&process).await;
    let made = |level, outcome| {
        format!("puzzled_puzzles_made_total{{kind=\"sudoku\",level=\"{level}\",outcome=\"{outcome}\"}}")
    };
    assert_eq!(page.count(&made("easy", "stored")), 3);
    assert_eq!(page.count(&made("evil", "stored")), 0);
    assert_eq!(page.count("puzzled_deliveries_total{kind=\"sudoku\"}"), 1);
    assert_eq!(page.count("puzzled_exhausted_calls_total{kind=\"sudoku\",level=\"evil\"}"), 1);
    assert_eq!(page.count("puzzled_job_wait_seconds_count"), 1);
    assert!(page.count("puzzled_slice_seconds_count") >= 1);
    assert_eq!(page.count("puzzled_reclaimed_slices_total"), 0);
}

#[tokio::test]
async fn shared_gauges_are_absent_and_the_database_down_after_a_failed_read() {
    let folder = folder();
    let mut first = Process::start(folder.clone(), "serve --listen 127.0.0.1:0 --workers 0").await;
    let mut puzzles = PuzzleServiceClient::new(first.channel().await);
    puzzles.generate(GenerateRequest { kind: Kind::Sudoku.into(), ..GenerateRequest::default() }).await.unwrap();
    // A second server reads what the first one has queued.
    let second = Process::start(folder.clone(), "serve --listen 127.0.0.1:0 --workers 2").await;
    let page = scraped_with_gauges(&second).await;
    assert_eq!(page.count("puzzled_database_up"), 1);
    assert_eq!(page.values_of("state").len(), 6 + 6 + 2);
    drop(second);
    drop(first);
    let broken = Process::start(folder.clone(), "serve --listen 127.0.0.1:0 --workers 0").await;
    // Until the first read, the gauges are absent anyway.
    scraped_with_gauges(&broken).await;
    folder.execute("drop table reclaimed_slices").await;
    let failed = async {
        while scraped(&broken).await.families.contains_key("puzzled_jobs") {
            tokio::task::yield_now().await;
        }
        scraped(&broken).await
    };
    let page = tokio::time::timeout(PATIENCE, failed).await.expect("the gauges stay");
    assert!(!page.families.contains_key("puzzled_stock_puzzles"));
    assert_eq!(broken.get("/livez").await.code, 200);
    let down = async {
        while scraped(&broken).await.count("puzzled_database_up") == 1 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, down).await.expect("the database seems to be up");
}

/// Calls of the cardinality test. In each hundredth part of them all methods and many texts occur.
const CALLS: u32 = 100_000;

/// Calls under way at a time.
const CALLERS: u32 = 16;

#[tokio::test]
async fn random_calls_and_a_thousand_targets_give_at_most_3000_series() {
    let mut process = Process::serve("").await;
    let channel = process.channel().await;
    let mut stock = StockServiceClient::new(channel.clone());
    for number in 0..1_000_u32 {
        let (givens, tenths) = (20 + number % 20, number / 20);
        let target = CreateStockTargetRequest {
            kind: Kind::Sudoku.into(),
            min_givens: Some(givens),
            max_givens: Some(givens),
            min_rating: Some(f64::from(10 + tenths) / 10.0),
            max_rating: Some(f64::from(20 + tenths) / 10.0),
            target: 1,
            ..CreateStockTargetRequest::default()
        };
        stock.create_stock_target(target).await.unwrap();
    }
    let callers = (0..CALLERS).map(|caller| {
        let mut client = tonic::client::Grpc::new(channel.clone());
        tokio::spawn(async move {
            for number in (caller..CALLS).step_by(CALLERS as usize) {
                random_call(&mut client, number).await;
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
    let page = scraped(&process).await;
    let calls: f64 =
        page.series.iter().filter(|(name, _)| name.starts_with("grpc_server_started")).map(|(_, n)| n).sum();
    assert!(calls >= f64::from(CALLS), "{calls}");
    println!("{} series after {calls} calls", page.series.len());
    assert!(page.series.len() <= 3_000, "{} series", page.series.len());
    assert!(!page.series.keys().any(|series| series.contains("secret")));
}

/// A call with random texts, of a known method or of an unknown one.
async fn random_call(client: &mut tonic::client::Grpc<Channel>, number: u32) {
    const PATHS: [&str; 6] = [
        "/puzzled.v1.PuzzleService/GetPuzzle",
        "/puzzled.v1.JobService/GetJob",
        "/puzzled.v1.PuzzleService/Validate",
        "/puzzled.v1.PuzzleService/ListDeliveries",
        "/puzzled.v1.StockService/ListStockTargets",
        "/puzzled.v1.PuzzleService/secret",
    ];
    let path = match number % 7 {
        6 => format!("/secret.v{number}/Call{number}").parse().unwrap(),
        at => http::uri::PathAndQuery::from_static(PATHS[at as usize]),
    };
    let request = GetJobRequest { id: format!("secret-{number}") };
    let codec = tonic_prost::ProstCodec::<GetJobRequest, AnyAnswer>::default();
    client.ready().await.unwrap();
    let _ = client.unary(tonic::Request::new(request), path, codec).await;
}

/// Takes any answer: its fields are unknown.
type AnyAnswer = GetServerInfoRequest;
