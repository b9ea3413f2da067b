//! Traces, as a collector receives them. Each test starts a collector.

use std::{fmt::Write as _, fs, net::SocketAddr};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::any_value,
    trace::v1::Span,
};
use puzzled_api::v1::{
    CreateStockTargetRequest, GenerateRequest, GetJobRequest, GetServerInfoRequest, Kind, Level,
    job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    server_service_client::ServerServiceClient, stock_service_client::StockServiceClient,
};
use rustix::process::Signal;
use tokio::{
    net::TcpListener,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, transport::Server};

use crate::{
    on_postgres::folder,
    process::{PATIENCE, Process},
};

/// The trace and the span of a caller.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// A collector that keeps what it receives.
struct Collector {
    address: SocketAddr,
    spans: UnboundedReceiver<Span>,
}

struct Receiver(UnboundedSender<Span>);

#[tonic::async_trait]
impl TraceService for Receiver {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let scopes = request.into_inner().resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        for scope in scopes {
            assert_eq!(scope.scope.unwrap().name, "puzzled");
            for span in scope.spans {
                let _ = self.0.send(span);
            }
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, spans) = unbounded_channel();
        let server = Server::builder().add_service(TraceServiceServer::new(Receiver(sender)));
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        Self { address, spans }
    }

    /// The flags of a process that sends its spans here. Traces that it begins are sampled by this ratio.
    fn flags(&self, ratio: &str) -> String {
        format!("--otlp-endpoint http://{} --trace-ratio {ratio}", self.address)
    }

    /// The next span with this name.
    async fn span(&mut self, name: &str) -> Span {
        let found = async {
            loop {
                let span = self.spans.recv().await.unwrap();
                if span.name == name {
                    return span;
                }
            }
        };
        timeout(PATIENCE, found).await.unwrap_or_else(|_| panic!("no span {name}"))
    }

    /// The names of all spans so far that were not read.
    fn names(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.spans.try_recv().ok()).map(|span| span.name).collect()
    }
}

/// An attribute of a span as text.
fn attribute(span: &Span, name: &str) -> Option<String> {
    let value = span.attributes.iter().find(|attribute| attribute.key == name)?.value.clone()?.value?;
    Some(match value {
        any_value::Value::StringValue(text) => text,
        any_value::Value::IntValue(number) => number.to_string(),
        other => panic!("{name} is {other:?}"),
    })
}

fn hex(id: &[u8]) -> String {
    let mut text = String::new();
    for byte in id {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

/// A request in the caller's span, which is sampled or not.
fn traced<T>(message: T, is_sampled: bool) -> Request<T> {
    let mut request = Request::new(message);
    let flags = u8::from(is_sampled);
    let traceparent = format!("00-{TRACE}-{CALLER}-{flags:02x}");
    request.metadata_mut().insert("traceparent", traceparent.parse().unwrap());
    request
}

fn two_easy_puzzles() -> GenerateRequest {
    let (kind, level) = (Kind::Sudoku.into(), Level::Easy.into());
    GenerateRequest { kind, level, count: Some(2), ..GenerateRequest::default() }
}

#[tokio::test]
async fn span_of_a_call_is_a_child_of_the_callers_and_its_trace_is_logged() {
    let mut collector = Collector::start().await;
    let mut process = Process::serve(&format!("--log-calls all {}", collector.flags("0"))).await;
    let channel = process.channel().await;
    let mut server = ServerServiceClient::new(channel.clone());
    server.get_server_info(traced(GetServerInfoRequest {}, true)).await.unwrap();
    let line = process.line("call ended").await;
    assert!(line.ends_with(&format!(" trace_id={TRACE}")), "{line}");
    let span = collector.span("puzzled.v1.ServerService/GetServerInfo").await;
    assert_eq!((hex(&span.trace_id).as_str(), hex(&span.parent_span_id).as_str()), (TRACE, CALLER));
    for (name, value) in [
        ("rpc.system", "grpc"),
        ("rpc.service", "puzzled.v1.ServerService"),
        ("rpc.method", "GetServerInfo"),
        ("rpc.grpc.status_code", "0"),
    ] {
        assert_eq!(attribute(&span, name).as_deref(), Some(value), "{name}");
    }
    let request = traced(GetJobRequest { id: "job-7".to_owned() }, true);
    JobServiceClient::new(channel).get_job(request).await.unwrap_err();
    let line = process.line("call ended").await;
    let span = collector.span("puzzled.v1.JobService/GetJob").await;
    assert_eq!(attribute(&span, "rpc.grpc.status_code").as_deref(), Some("5"));
    assert_eq!(attribute(&span, "puzzled.reason").as_deref(), Some("JOB_NOT_FOUND"));
    let id = attribute(&span, "puzzled.call_id").unwrap();
    assert!(line.contains(&format!("call_id={id} ")), "{line}");
}

#[tokio::test]
async fn slice_span_of_another_process_is_linked_to_the_call_that_queued() {
    let mut collector = Collector::start().await;
    let mut process = Process::serve(&collector.flags("0")).await;
    let mut puzzles = PuzzleServiceClient::new(process.channel().await);
    puzzles.generate(traced(two_easy_puzzles(), true)).await.unwrap();
    let generate = collector.span("puzzled.v1.PuzzleService/Generate").await;
    let _worker = Process::start(process.folder.clone(), &format!("work --workers 1 {}", collector.flags("0"))).await;
    let slice = collector.span("slice").await;
    let link = &slice.links[0];
    assert_eq!((hex(&link.trace_id).as_str(), &link.span_id), (TRACE, &generate.span_id));
    assert_ne!(slice.trace_id, generate.trace_id);
    assert_eq!(attribute(&slice, "puzzled.job").as_deref(), Some("job-1"));
    assert_eq!(attribute(&slice, "puzzled.made").as_deref(), Some("2"));
}

#[tokio::test]
async fn slices_of_a_planned_refill_are_linked_to_its_span() {
    let mut collector = Collector::start().await;
    let mut process =
        Process::start(folder(), &format!("serve --listen 127.0.0.1:0 --workers 1 {}", collector.flags("1"))).await;
    let mut stock = StockServiceClient::new(process.channel().await);
    let (kind, level) = (Kind::Sudoku.into(), Level::Easy.into());
    let target = CreateStockTargetRequest { kind, level, target: 2, ..CreateStockTargetRequest::default() };
    stock.create_stock_target(target).await.unwrap();
    let refill = collector.span("refill").await;
    assert_eq!(attribute(&refill, "puzzled.stock_target").as_deref(), Some("target-1"));
    assert_eq!(attribute(&refill, "puzzled.job").as_deref(), Some("job-1"));
    let slice = collector.span("slice").await;
    assert_eq!((&slice.links[0].trace_id, &slice.links[0].span_id), (&refill.trace_id, &refill.span_id));
    process.signal(Signal::TERM);
    assert_eq!(process.ended().await, Some(0));
    // A target has one refill at a time, and each further plan is none.
    assert!(!collector.names().contains(&"refill".to_owned()));
}

#[tokio::test]
async fn refill_that_the_store_refuses_has_no_span() {
    let mut collector = Collector::start().await;
    let folder = folder();
    let target = |level: &str| format!("[[target]]\nkind = 'sudoku'\nlevel = '{level}'\ntarget = 2\n");
    // Each plan queues a refill for one of them at most.
    let file = format!("max_refills = 1\n{}{}", target("easy"), target("medium"));
    fs::write(folder.path().join("puzzled.toml"), file).unwrap();
    let arguments = format!("serve --listen 127.0.0.1:0 --workers 0 --config puzzled.toml {}", collector.flags("1"));
    let mut process = Process::start(folder, &arguments).await;
    collector.span("refill").await;
    process.signal(Signal::TERM);
    assert_eq!(process.ended().await, Some(0));
    assert_eq!(collector.names(), Vec::<String>::new());
}

#[tokio::test]
async fn without_a_sampled_caller_a_ratio_of_zero_exports_nothing() {
    let mut collector = Collector::start().await;
    let arguments = format!("serve --listen 127.0.0.1:0 --workers 1 --log-calls all {}", collector.flags("0"));
    let mut process = Process::start(folder(), &arguments).await;
    let channel = process.channel().await;
    let mut puzzles = PuzzleServiceClient::new(channel.clone());
    puzzles.generate(two_easy_puzzles()).await.unwrap();
    puzzles.generate(traced(two_easy_puzzles(), false)).await.unwrap();
    for _ in 0..2 {
        process.line("job ended").await;
    }
    ServerServiceClient::new(channel).get_server_info(traced(GetServerInfoRequest {}, true)).await.unwrap();
    process.signal(Signal::TERM);
    let lines = process.lines_to_the_end().await;
    assert_eq!(lines.iter().filter(|line| line.contains("trace_id=")).count(), 1, "{lines:#?}");
    assert_eq!(collector.names(), ["puzzled.v1.ServerService/GetServerInfo"]);
}

/// More calls than spans may wait.
const CALLS: usize = 3_000;

#[tokio::test]
async fn calls_and_the_end_do_not_wait_for_a_collector_that_is_away() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    // It accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for address in [closed, silent.local_addr().unwrap()] {
        let arguments = format!("--otlp-endpoint http://{address} --trace-ratio 1 --log warn,puzzled=info");
        let mut process = Process::serve(&arguments).await;
        let channel = process.channel().await;
        PuzzleServiceClient::new(channel.clone()).generate(two_easy_puzzles()).await.unwrap();
        // This line comes after statements of the database.
        process.line("job queued").await;
        let mut server = ServerServiceClient::new(channel);
        for _ in 0..CALLS {
            server.get_server_info(GetServerInfoRequest {}).await.unwrap();
        }
        process
            .line(
                "spans not exported; check the collector that otlp_endpoint names; spans are dropped until it answers",
            )
            .await;
        process.signal(Signal::TERM);
        assert_eq!(process.ended().await, Some(0));
    }
}

#[tokio::test]
async fn unreadable_collector_is_an_error_at_the_start() {
    for (url, reason) in [
        ("collector:4317", "not a URL with a host; use http://HOST:PORT"),
        ("https://collector:4317", "spans are sent without TLS; use http://HOST:PORT"),
    ] {
        for command in ["serve", "work"] {
            let mut process = Process::spawn(folder(), &format!("{command} --otlp-endpoint {url}"));
            let line = process.line("--otlp-endpoint").await;
            assert!(line.contains(reason), "{line}");
            assert_ne!(process.ended().await, Some(0));
        }
    }
}
