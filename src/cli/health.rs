//! `puzzled health`: asks a server whether it serves, so that a container needs no other tool for it.

use std::{net::SocketAddr, time::Duration};

use clap::Args;
use tokio::runtime;
use tonic::transport::Endpoint;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient};

use super::{CliError, Ended};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks a server whether it serves
///
/// It is asked by grpc.health.v1. Exit code: 0 it serves, 1 it does not.
#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// Address of the server; 0.0.0.0 and [::] mean this machine
    #[arg(long, env = "PUZZLED_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    address: String,
}

pub(super) fn run(args: HealthArgs) -> Result<Ended, CliError> {
    let address = reachable(args.address);
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    match runtime.block_on(ask(&address)) {
        Ok(ServingStatus::Serving) => Ok(Ended::Done),
        Ok(status) => Err(CliError::Health { address, reason: status.as_str_name().to_owned() }),
        Err(reason) => Err(CliError::Health { address, reason }),
    }
}

/// An address that a client can connect to: a server listens on 0.0.0.0, nobody can be reached there.
fn reachable(address: String) -> String {
    match address.parse::<SocketAddr>() {
        Ok(SocketAddr::V4(v4)) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
        Ok(SocketAddr::V6(v6)) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
        _ => address,
    }
}

async fn ask(address: &str) -> Result<ServingStatus, String> {
    let channel = Endpoint::from_shared(format!("http://{address}"))
        .map_err(|error| error.to_string())?
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE)
        .connect()
        .await
        .map_err(|error| innermost(&error))?;
    let request = HealthCheckRequest { service: String::new() };
    let response = HealthClient::new(channel).check(request).await.map_err(|status| status.message().to_owned())?;
    Ok(response.into_inner().status())
}

/// The cause at the end of the chain: tonic's own text is a bare "transport error".
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;
    use tokio_stream::wrappers::TcpListenerStream;
    use tonic::transport::Server;
    use tonic_health::{ServingStatus as Reported, server::health_reporter};

    #[tokio::test]
    async fn a_server_is_asked_for_its_own_health() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (reporter, service) = health_reporter();
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener)));
        assert_eq!(ask(&address).await, Ok(ServingStatus::Serving));
        reporter.set_service_status("", Reported::NotServing).await;
        assert_eq!(ask(&address).await, Ok(ServingStatus::NotServing));
    }

    #[test]
    fn a_server_that_listens_everywhere_is_asked_on_this_machine() {
        let cases = [
            ("127.0.0.1:50051", "127.0.0.1:50051"),
            ("0.0.0.0:50051", "127.0.0.1:50051"),
            ("[::]:6000", "[::1]:6000"),
            ("puzzled:50051", "puzzled:50051"),
        ];
        for (given, wanted) in cases {
            assert_eq!(reachable(given.to_owned()), wanted);
        }
    }
}
