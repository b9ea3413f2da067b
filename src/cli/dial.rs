//! Opens the connection of a command to its server, plain or with TLS. Explains why a connection cannot be opened, or
//! why it broke.

use std::{error::Error, io, sync::Arc, time::Duration};

use http::{Uri, uri::Authority};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{self, AlertDescription, CertificateError, ClientConfig, pki_types::ServerName},
};
use tonic::{Status, transport::Channel};
use tower::service_fn;

/// The longest time that a server may take to accept a connection, with the handshake of TLS.
const PATIENCE: Duration = Duration::from_secs(3);

/// The text before an alert of TLS in the text of an error.
const ALERT: &str = "received fatal alert: ";

/// A server, and how to connect to it.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    authority: Authority,
    tls: Option<Tls>,
}

#[derive(Debug, Clone)]
struct Tls {
    config: Arc<ClientConfig>,
    /// The name that the server's certificate must have.
    name: ServerName<'static>,
}

impl Endpoint {
    /// A server at `HOST:PORT`. Its certificate must have the name `server_name`, or else the host of the address.
    ///
    /// # Errors
    /// What is wrong with the address or the name.
    pub(super) fn new(address: &str, tls: Option<ClientConfig>, server_name: Option<&str>) -> Result<Self, String> {
        let authority: Authority = address.parse().map_err(|_| "not an address".to_owned())?;
        let tls = match tls {
            None => None,
            Some(config) => {
                let name = server_name.unwrap_or_else(|| authority.host().trim_matches(['[', ']'])).to_owned();
                let name =
                    ServerName::try_from(name.clone()).map_err(|_| format!("{name:?} is no name of a server"))?;
                Some(Tls { config: Arc::new(config), name })
            }
        };
        Ok(Self { authority, tls })
    }

    /// The address of the server, for messages.
    pub(super) fn shown(&self) -> String {
        self.authority.to_string()
    }

    const fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    async fn open(&self) -> Result<Box<dyn Stream>, String> {
        let port = self.authority.port_u16().unwrap_or(if self.tls.is_some() { 443 } else { 80 });
        let host = self.authority.host().trim_matches(['[', ']']);
        let socket = match timeout(PATIENCE, TcpStream::connect((host, port))).await {
            Ok(connected) => connected.and_then(|socket| socket.set_nodelay(true).map(|()| socket)),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        };
        let socket = socket.map_err(|error| format!("no server answers ({error}); start one, or set --address"))?;
        let Some(Tls { config, name }) = &self.tls else { return Ok(Box::new(socket)) };
        let handshake = TlsConnector::from(Arc::clone(config)).connect(name.clone(), socket);
        match timeout(PATIENCE, handshake).await {
            Ok(Ok(stream)) => Ok(Box::new(stream)),
            Ok(Err(error)) => Err(refused(&error, &self.authority)),
            Err(_) => Err(format!("no handshake of TLS within {PATIENCE:?}; {}", self.is_plain())),
        }
    }

    fn is_plain(&self) -> String {
        format!("if the server does not use TLS, set --address http://{}", self.authority)
    }
}

/// A stream for HTTP/2, plain or with TLS.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Connects to a server. If the connection breaks, the next call opens a new one.
///
/// # Errors
/// Why the connection cannot be opened, and what to do.
pub(super) async fn connect(endpoint: &Endpoint) -> Result<Channel, String> {
    let uri = |scheme: &str| {
        let parts = Uri::builder().scheme(scheme).authority(endpoint.authority.clone()).path_and_query("/").build();
        parts.map_err(|error| error.to_string())
    };
    let opener = endpoint.clone();
    let open = service_fn(move |_: Uri| {
        let endpoint = opener.clone();
        async move { endpoint.open().await.map(TokioIo::new).map_err(io::Error::other) }
    });
    // tonic refuses an encrypted address unless it makes the handshake itself. `origin` sets the scheme that it sends.
    let channel = Channel::builder(uri("http")?).origin(uri(endpoint.scheme())?);
    channel.connect_with_connector(open).await.map_err(|error| innermost(&error))
}

/// Why the handshake of TLS failed.
fn refused(error: &io::Error, authority: &Authority) -> String {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(rustls::Error::InvalidCertificate(reason)) => untrusted(reason),
        Some(rustls::Error::AlertReceived(alert)) => refused_by_alert(&format!("{alert:?}")),
        Some(rustls::Error::InvalidMessage(_)) | None => {
            format!("no handshake of TLS ({error}); if the server does not use TLS, set --address http://{authority}")
        }
        Some(error) => format!("the handshake of TLS failed: {error}"),
    }
}

/// Why a server's certificate is not trusted.
fn untrusted(reason: &CertificateError) -> String {
    match reason {
        // A bad signature can mean an authority with the same name and a new key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "the server's certificate is of no trusted authority; name the file of its authority with --ca".to_owned()
        }
        CertificateError::NotValidForNameContext { expected, presented } => format!(
            "the server's certificate is for {}, not for {}; set --server-name",
            presented.join(", "),
            expected.to_str()
        ),
        CertificateError::ExpiredContext { .. } | CertificateError::Expired => {
            "the server's certificate has expired; renew it, or check the clock of this machine".to_owned()
        }
        CertificateError::NotValidYetContext { .. } | CertificateError::NotValidYet => {
            "the server's certificate is not valid yet; check the clock of this machine".to_owned()
        }
        CertificateError::ApplicationVerificationFailure => {
            "the server has another certificate than the file of --tls-cert or PUZZLED_TLS_CERT; name that of the server".to_owned()
        }
        other => format!("the server's certificate is not trusted: {other}"),
    }
}

/// Explains an alert of TLS that a server sent.
fn refused_by_alert(alert: &str) -> String {
    let is = |description: AlertDescription| alert == format!("{description:?}");
    let reason = if is(AlertDescription::UnknownCA) || is(AlertDescription::DecryptError) {
        "it is of no authority that the server trusts"
    } else if is(AlertDescription::CertificateExpired) {
        "it has expired"
    } else if is(AlertDescription::CertificateRevoked) {
        "it is revoked"
    } else if alert.contains("Cert") {
        "the server cannot use it"
    } else {
        return format!("the server refuses the handshake of TLS ({alert}); its log says why, at level debug");
    };
    format!("the server refuses the certificate of this command: {reason}; name another with --cert and --key")
}

/// Returns why the connection of a failed call broke; `None` if the server answered.
pub(super) fn broken(status: &Status, endpoint: &Endpoint) -> Option<String> {
    let reason = innermost(status.source()?);
    if let Some((_, alert)) = reason.split_once(ALERT) {
        return Some(refused_by_alert(alert));
    }
    Some(match endpoint.tls {
        // A message of `Endpoint::open` already says what to do.
        _ if reason.contains("; ") => reason,
        Some(_) => format!("the connection broke ({reason}); try again"),
        None => format!(
            "the connection broke ({reason}); try again; if the server uses TLS, set --address https://{}",
            endpoint.authority
        ),
    })
}

/// Returns the innermost cause of an error, because the text of tonic's error is only "transport error".
fn innermost(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
