//! Defines the flags that name a command's server, its TLS files, and its token. Connects to the server, and converts
//! failed calls to errors.

pub mod bearer;
pub mod dial;
pub(super) mod server_clock;
mod trust;
mod words;

use std::{net::SocketAddr, path::PathBuf, pin::Pin};

use clap::Args;
use tokio::runtime::{self, Runtime};
use tonic::{Status, service::interceptor::InterceptedService};

use super::CliError;
use bearer::Bearer;
use dial::Endpoint;
use server_clock::Dated;
use trust::ClientFiles;

/// The heading of [`TrustArgs`] in the help. Each argument names it, because clap's `next_help_heading` would also apply to the
/// arguments that the command declares after the group.
const HEADING: &str = "Connection";

/// The server of a command, and how to connect to it.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Address of the server, HOST:PORT, or https://HOST:PORT for TLS; 0.0.0.0 and [::] mean this machine
    #[arg(long, env = "PUZZLED_LISTEN", value_name = "ADDRESS", default_value = puzzled_api::ADDRESS)]
    address: String,

    #[command(flatten)]
    trust: TrustArgs,
}

/// How a command identifies itself, and what it trusts. If the address has no scheme, a file or name for TLS implies `https`.
#[derive(Debug, Clone, Args)]
struct TrustArgs {
    /// Authorities to trust, or the certificate of the server itself, PEM [default: those of this machine]
    #[arg(long, env = "PUZZLED_CA", value_name = "FILE", help_heading = HEADING)]
    ca: Option<PathBuf>,

    /// Certificate to show to the server, PEM; needs --key
    #[arg(long, env = "PUZZLED_CERT", value_name = "FILE", help_heading = HEADING)]
    cert: Option<PathBuf>,

    /// Key of the certificate in --cert, PEM, unencrypted; needs --cert
    #[arg(long, env = "PUZZLED_KEY", value_name = "FILE", help_heading = HEADING)]
    key: Option<PathBuf>,

    /// Name that the server's certificate must have [default: the host of the address]
    #[arg(long, env = "PUZZLED_SERVER_NAME", value_name = "NAME", help_heading = HEADING)]
    server_name: Option<String>,

    /// Certificate of the server itself, PEM: trust exactly this one, whatever its names; --ca overrides it
    #[arg(long, env = "PUZZLED_TLS_CERT", value_name = "FILE", help_heading = HEADING)]
    tls_cert: Option<PathBuf>,

    /// File with the token to send with each call
    #[arg(long, env = "PUZZLED_TOKEN_FILE", value_name = "FILE", help_heading = HEADING)]
    token_file: Option<PathBuf>,
}

/// The connection that clients of the API use. Clones share it.
pub type Connection = InterceptedService<Dated, Bearer>;

/// A connected server.
#[derive(Debug, Clone)]
pub struct Server {
    endpoint: Endpoint,
    /// The connection, for generated clients.
    pub channel: Connection,
}

impl ServerArgs {
    /// Connects to the server and runs `act` with it.
    ///
    /// # Errors
    /// [`CliError::Server`] if the server cannot be reached, [`CliError`] if a file for the connection cannot be read,
    /// or any error of `act`.
    ///
    /// # Panics
    /// If `act` panics.
    pub fn ask<T>(&self, act: impl AsyncFnOnce(Server) -> Result<T, CliError>) -> Result<T, CliError> {
        let token = Bearer::read(self.trust.token_file.as_deref())?;
        let endpoint = self.endpoint()?;
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
        let channel = runtime.block_on(dial::connect(&endpoint));
        let channel = channel.map_err(|reason| CliError::Server { address: endpoint.shown(), reason })?;
        let server = Server { endpoint, channel: InterceptedService::new(Dated(channel), token) };
        let mut answer = None;
        complete(&runtime, Box::pin(async { answer = Some(act(server).await) }));
        runtime.shutdown_background();
        answer.expect("the work is complete")
    }

    fn endpoint(&self) -> Result<Endpoint, CliError> {
        let trust = &self.trust;
        let (is_encrypted, address) = match self.address.split_once("://") {
            Some(("https", address)) => (true, address),
            Some(("http", address)) => (false, address),
            Some(_) => return Err(self.fault("the scheme is not known")),
            None => {
                let files = [&trust.ca, &trust.cert, &trust.key, &trust.tls_cert];
                (trust.server_name.is_some() || files.into_iter().any(Option::is_some), self.address.as_str())
            }
        };
        let address = reachable(address.trim_end_matches('/').to_owned());
        let has_port = address.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        if !has_port && !self.address.contains("://") {
            return Err(self.fault("the port is missing"));
        }
        let files = ClientFiles {
            ca: trust.ca.clone(),
            pinned: trust.tls_cert.clone(),
            cert: trust.cert.clone(),
            key: trust.key.clone(),
        };
        let tls = is_encrypted.then(|| files.config()).transpose()?;
        Endpoint::new(&address, tls, trust.server_name.as_deref()).map_err(|reason| self.fault(&reason))
    }

    fn fault(&self, reason: &str) -> CliError {
        let reason = format!("{reason}; use HOST:PORT, http://HOST:PORT, or https://HOST:PORT");
        CliError::Server { address: self.address.clone(), reason }
    }
}

/// Runs work to its end. The future is boxed, so that all commands share one compiled copy of the runtime's loop.
fn complete(runtime: &Runtime, work: Pin<Box<dyn Future<Output = ()> + '_>>) {
    runtime.block_on(work);
}

impl Server {
    /// The error of a failed call.
    pub fn refused(&self, status: &Status) -> CliError {
        self.failed(self.reason(status))
    }

    /// Why the server refused the call, or what broke the connection.
    pub(super) fn reason(&self, status: &Status) -> String {
        dial::broken(status, &self.endpoint).unwrap_or_else(|| words::message(status))
    }

    /// An error with a reason of the command itself.
    pub(super) fn failed(&self, reason: String) -> CliError {
        CliError::Server { address: self.endpoint.shown(), reason }
    }

    /// Reads page after page, until the last one or until there are `limit` entries. `read` gets the token of a page, and
    /// returns its entries and the token of the next page.
    ///
    /// # Errors
    /// [`CliError::Server`] if a call fails.
    pub(super) async fn pages<T>(
        &self,
        limit: usize,
        mut read: impl AsyncFnMut(String) -> Result<(Vec<T>, String), Status>,
    ) -> Result<Vec<T>, CliError> {
        let (mut entries, mut token) = (Vec::new(), String::new());
        loop {
            let (page, next) = read(token).await.map_err(|status| self.refused(&status))?;
            entries.extend(page);
            if next.is_empty() || entries.len() >= limit {
                entries.truncate(limit);
                return Ok(entries);
            }
            token = next;
        }
    }
}

/// The number of entries per page of a list.
pub(super) const PAGE_SIZE: u32 = 200;

/// Reads a field of the pages of a method, until the last page or until there are `$limit` entries. This is a macro, because
/// the messages of different methods share no trait.
macro_rules! list {
    ($server:ident, $client:ident.$method:ident($request:expr).$field:ident, $limit:expr) => {{
        let (limit, mut request) = ($limit, $request);
        request.page_size = limit.min($crate::client::PAGE_SIZE).cast_signed();
        let mut client = $client::new($server.channel.clone());
        let read = async |page_token| {
            request.page_token = page_token;
            let page = client.$method(request.clone()).await?.into_inner();
            Ok((page.$field, page.next_page_token))
        };
        $server.pages(limit as usize, read).await
    }};
}
pub(super) use list;

/// Returns an address that a client can connect to. A server can listen on 0.0.0.0 or [::], but no client can connect to these.
pub(super) fn reachable(address: String) -> String {
    match address.parse::<SocketAddr>() {
        Ok(SocketAddr::V4(v4)) if v4.ip().is_unspecified() => format!("127.0.0.1:{}", v4.port()),
        Ok(SocketAddr::V6(v6)) if v6.ip().is_unspecified() => format!("[::1]:{}", v6.port()),
        _ => address,
    }
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
        for (given, expected) in cases {
            assert_eq!(reachable(given.to_owned()), expected);
        }
    }
}
