//! Metrics, as a scraper reads them.

use puzzled::proto::v1::{
    GetJobRequest, GetServerInfoRequest, WatchJobRequest, job_service_client::JobServiceClient,
    server_service_client::ServerServiceClient,
};
use tonic::transport::Channel;

use crate::{page::MetricsPage, process::Process};

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

#[tokio::test]
async fn metrics_page_of_the_documentation_lists_what_is_scraped() {
    let process = Process::serve("").await;
    let page = scraped(&process).await;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operations/metrics.md");
    let text = std::fs::read_to_string(file).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")).filter(|line| !line.starts_with('/'));
    let cells = rows.map(|row| row.split(" | ").map(|cell| cell.trim_matches([' ', '|'])).collect::<Vec<_>>());
    let documented = cells.map(|cells| {
        let name = cells[0].trim_end_matches('`').trim_end_matches("_total").trim_end_matches("_info");
        (name.to_owned(), (cells[1].to_owned(), cells.last().unwrap().to_string()))
    });
    assert_eq!(page.families, documented.collect());
}
