//! `puzzled health`: checks the health of a running process, so that a container image needs no other tool.

use std::{net::SocketAddr, time::Duration};

use clap::Args;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    runtime,
};
use tonic::Request;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient};

use crate::{
    CliError, Ended,
    client::{Connection, Server, ServerArgs, reachable},
    output,
};
use puzzled_api::v1::job_service_server;
use puzzled_base::address::to_listen_on;

/// The maximum time that a server may take to respond.
const PATIENCE: Duration = Duration::from_secs(3);

/// Check whether a server or a worker process is ready
///
/// If the process has an ops port, the check asks its `/readyz`; otherwise it uses grpc.health.v1. If the process is ready but its
/// database can only be read, prints one line that says so. Exit code: 0 ready, 1 not ready or not reachable.
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// Address of the ops port, HOST:PORT; 0.0.0.0 and [::] mean this machine [default: none, ask by gRPC]
    #[arg(long, env = "PUZZLED_OPS_LISTEN", value_name = "ADDRESS", value_parser = to_listen_on)]
    ops_address: Option<SocketAddr>,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &HealthArgs) -> Result<Ended, CliError> {
    if let Some(at) = args.ops_address {
        return run_probe(&reachable(at.to_string()));
    }
    args.server.ask(async |server: Server| {
        for service in ["", job_service_server::SERVICE_NAME] {
            match ask(server.channel.clone(), service).await {
                Ok(ServingStatus::Serving) => {}
                Ok(_) if !service.is_empty() => return reads_only("the database cannot be written"),
                Ok(status) => return Err(server.failed(status.as_str_name().to_owned())),
                Err(status) => return Err(server.refused(&status)),
            }
        }
        Ok(Ended::Done)
    })
}

/// Prints why a process that is ready cannot write.
fn reads_only(writes: &str) -> Result<Ended, CliError> {
    output::print_result(&format!("ready for reads only: {writes}\n"))
}

fn run_probe(address: &str) -> Result<Ended, CliError> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let asked = runtime.block_on(async { tokio::time::timeout(PATIENCE, ready(address)).await });
    match asked.unwrap_or_else(|_| Err(format!("no answer within {PATIENCE:?}"))) {
        Ok(None) => Ok(Ended::Done),
        Ok(Some(writes)) => reads_only(&writes),
        Err(reason) => Err(CliError::Server { address: address.to_owned(), reason }),
    }
}

async fn ask(channel: Connection, service: &str) -> Result<ServingStatus, tonic::Status> {
    let mut request = Request::new(HealthCheckRequest { service: service.to_owned() });
    request.set_timeout(PATIENCE);
    Ok(HealthClient::new(channel).check(request).await?.into_inner().status())
}

/// The maximum number of bytes of a response that are read. A response of `/readyz` has a few hundred.
const ANSWER_MAX: u64 = 16_384;

/// Asks `/readyz` at `address`, HOST:PORT. One plain HTTP request needs no HTTP client. Returns why a process that is ready cannot write;
/// `None` if it can.
///
/// # Errors
/// Why the process is not ready, or why it does not answer.
async fn ready(address: &str) -> Result<Option<String>, String> {
    let unreachable = |error| format!("no ops port answers ({error}); start the process with --ops-listen");
    let mut stream = TcpStream::connect(address).await.map_err(unreachable)?;
    let request = format!("GET /readyz?verbose HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(unreachable)?;
    let mut answer = String::new();
    stream.take(ANSWER_MAX).read_to_string(&mut answer).await.map_err(unreachable)?;
    verdict(&answer)
}

fn verdict(answer: &str) -> Result<Option<String>, String> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    match head.split(' ').nth(1) {
        Some("200") => Ok(body.lines().find_map(|line| line.strip_prefix("[-] writes: ")).map(str::to_owned)),
        Some("503") => Err(failed(body)),
        _ => Err("the address is not that of an ops port; see --ops-listen".to_owned()),
    }
}

/// The checks that failed, in one line.
fn failed(checks: &str) -> String {
    let failed: Vec<_> = checks.lines().filter_map(|line| line.strip_prefix("[-] ")).collect();
    format!("not ready: {}", failed.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{bearer::Bearer, server_clock::Dated};
    use tokio::net::TcpListener;
    use tokio_stream::wrappers::TcpListenerStream;
    use tonic::transport::{Endpoint, Server};
    use tonic_health::{ServingStatus as Reported, server::health_reporter};

    #[tokio::test]
    async fn a_server_is_asked_for_its_own_health() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (reporter, service) = health_reporter();
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)));
        let channel = Endpoint::from_shared(address).unwrap().connect().await.unwrap();
        let channel = Connection::new(Dated(channel), Bearer::read(None).unwrap());
        assert_eq!(ask(channel.clone(), "").await.unwrap(), ServingStatus::Serving);
        reporter.set_service_status("", Reported::NotServing).await;
        assert_eq!(ask(channel, "").await.unwrap(), ServingStatus::NotServing);
    }

    #[test]
    fn answer_of_the_port_is_ready_or_names_the_checks_that_failed() {
        assert_eq!(verdict("HTTP/1.1 200 OK\r\n\r\n[+] database: ok\n[+] writes: ok\n"), Ok(None));
        let writes = "HTTP/1.1 200 OK\r\n\r\n[+] database: ok\n[-] writes: read-only\n";
        assert_eq!(verdict(writes), Ok(Some("read-only".to_owned())));
        let failed = "HTTP/1.1 503 Service Unavailable\r\n\r\n[-] database: no answer\n[+] running: ok\n";
        assert_eq!(verdict(failed), Err("not ready: database: no answer".to_owned()));
        for other in ["HTTP/1.1 404 Not Found\r\n\r\n", "\0\0\u{6}", ""] {
            assert!(verdict(other).unwrap_err().contains("not that of an ops port"), "{other:?}");
        }
    }
}
