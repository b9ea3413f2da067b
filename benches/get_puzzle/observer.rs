//! Observes servers: a collector that receives spans and drops them, and a scraper.

use std::{net::SocketAddr, time::Duration};

use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
    trace_service_server::{TraceService, TraceServiceServer},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status, transport::Server};

/// Time between two scrapes. Prometheus usually takes 15 seconds.
const SCRAPE_EVERY: Duration = Duration::from_secs(1);

struct Sink;

#[tonic::async_trait]
impl TraceService for Sink {
    async fn export(
        &self,
        _spans: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Starts a collector in this process, and returns its URL.
pub(crate) async fn collector() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = Server::builder().add_service(TraceServiceServer::new(Sink));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    format!("http://{address}")
}

/// Scrapes an ops port until the task is aborted.
pub(crate) async fn scrape(ops_port: SocketAddr) {
    loop {
        let mut stream = TcpStream::connect(ops_port).await.expect("an ops port");
        let request = b"GET /metrics HTTP/1.1\r\nHost: puzzled\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.expect("a request");
        let mut page = Vec::new();
        stream.read_to_end(&mut page).await.expect("a page");
        assert!(page.starts_with(b"HTTP/1.1 200"), "no metrics");
        tokio::time::sleep(SCRAPE_EVERY).await;
    }
}
