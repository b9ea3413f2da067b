//! Connects a command to a running server and explains connection failures.

use std::{net::SocketAddr, time::Duration};

use clap::Args;
use tokio::runtime;
use tonic::{
    Status,
    transport::{Channel, Endpoint},
};

use super::{CliError, settings::DEFAULT};

/// The longest time that a server may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(3);

/// Names the server of a command.
#[derive(Debug, Clone, Args)]
pub(super) struct ServerArgs {
    /// Address of the server; 0.0.0.0 and [::] mean this machine
    #[arg(long, env = "PUZZLED_LISTEN", value_name = "ADDRESS", default_value_t = DEFAULT.listen.to_string())]
    address: String,
}

/// A connected server.
#[derive(Debug, Clone)]
pub(super) struct Server {
    /// The address of the server, for messages.
    address: String,
    /// The connection. Clones share it.
    pub(super) channel: Channel,
}

impl ServerArgs {
    /// Connects to the server and runs `act` with it.
    ///
    /// # Errors
    /// [`CliError::Server`] if the server cannot be reached, and any error of `act`.
    pub(super) fn ask<T>(&self, act: impl AsyncFnOnce(Server) -> Result<T, CliError>) -> Result<T, CliError> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
        runtime.block_on(async {
            let address = reachable(self.address.clone());
            match connect(&address).await {
                Ok(channel) => act(Server { address, channel }).await,
                Err(reason) => Err(CliError::Server { address, reason }),
            }
        })
    }
}

impl Server {
    /// The error of a failed call, with the message of the server.
    pub(super) fn refused(&self, status: &Status) -> CliError {
        self.failed(status.message().to_owned())
    }

    /// An error with a reason of our own.
    pub(super) fn failed(&self, reason: String) -> CliError {
        CliError::Server { address: self.address.clone(), reason }
    }
}

async fn connect(address: &str) -> Result<Channel, String> {
    Endpoint::from_shared(format!("http://{address}"))
        .map_err(|error| error.to_string())?
        .connect_timeout(PATIENCE)
        .connect()
        .await
        .map_err(|error| format!("no server answers ({}); start one, or set --address", innermost(&error)))
}

/// An address that a client can connect to. A server can listen on 0.0.0.0 or [::], but no client can connect there.
pub(super) fn reachable(address: String) -> String {
    match address.parse::<SocketAddr>() {
        Ok(SocketAddr::V4(v4)) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
        Ok(SocketAddr::V6(v6)) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
        _ => address,
    }
}

/// The last cause of an error. The text of tonic's error is only "transport error".
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
