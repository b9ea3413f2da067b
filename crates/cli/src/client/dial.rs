//! Opens the connection of a command to its server, plain or with TLS. Explains why a connection cannot be opened, or
//! why it broke, and decides whether a failed call may be repeated because the server is restarting.

use std::{
    error::Error,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{Uri, uri::Authority};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{self, AlertDescription, CertificateError, ClientConfig, pki_types::ServerName},
};
use tonic::{Code, Status, transport::Channel};
use tower::service_fn;

/// The maximum time for the connection, and again for the handshake of TLS.
const PATIENCE: Duration = Duration::from_secs(3);

/// The first byte of an alert of TLS.
const ALERT_BYTE: u8 = 21;

/// What stands before an alert of TLS in the text of an error.
const ALERT: &str = "received fatal alert: ";

/// A server, and how to connect to it.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
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
    pub(crate) fn new(address: &str, tls: Option<ClientConfig>, server_name: Option<&str>) -> Result<Self, String> {
        let authority: Authority = address.parse().map_err(|_| "not an address; use HOST:PORT".to_owned())?;
        let tls = match tls {
            None => None,
            Some(config) => {
                let name = server_name.unwrap_or_else(|| authority.host().trim_matches(['[', ']'])).to_owned();
                let name = ServerName::try_from(name.clone())
                    .map_err(|_| format!("{name:?} is not the name of a server; use a host name or an IP address"))?;
                Some(Tls { config: Arc::new(config), name })
            }
        };
        Ok(Self { authority, tls })
    }

    /// The address of the server, for messages.
    pub(crate) fn shown(&self) -> String {
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
        let Some(Tls { config, name }) = &self.tls else {
            return Ok(Box::new(Plain { socket, authority: self.authority.clone(), has_answered: false }));
        };
        let handshake = TlsConnector::from(Arc::clone(config)).connect(name.clone(), socket);
        match timeout(PATIENCE, handshake).await {
            Ok(Ok(stream)) => Ok(Box::new(stream)),
            Ok(Err(error)) => Err(self.refused(&error)),
            Err(_) => Err(format!("no handshake of TLS within {PATIENCE:?}; {}", self.is_plain())),
        }
    }

    /// Why the handshake of TLS failed.
    fn refused(&self, error: &io::Error) -> String {
        match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(rustls::Error::InvalidCertificate(reason)) => untrusted(reason),
            Some(rustls::Error::AlertReceived(alert)) => refused_by_alert(&format!("{alert:?}")),
            Some(rustls::Error::PeerIncompatible(_)) => {
                "the server and this command have no version or cipher of TLS in common; use TLS 1.2 or 1.3".to_owned()
            }
            // The text of other errors of the library is for its developers.
            Some(_) => format!("no handshake of TLS; {}", self.is_plain()),
            None => format!("no handshake of TLS ({error}); {}", self.is_plain()),
        }
    }

    fn is_plain(&self) -> String {
        format!("if the server does not use TLS, set --address http://{}", self.authority)
    }
}

/// A stream for HTTP/2, plain or with TLS.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection without TLS, which recognizes a server that answers in TLS.
struct Plain {
    socket: TcpStream,
    authority: Authority,
    /// Whether the server has sent a byte.
    has_answered: bool,
}

impl AsyncRead for Plain {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(cx, into))?;
        let first = into.filled().get(before).filter(|_| !self.has_answered);
        // HTTP/2 begins with the length of a frame, which is below 65,536, in three bytes. So its first byte is 0.
        if first == Some(&ALERT_BYTE) {
            let remedy = format!("the server uses TLS; set --address https://{}", self.authority);
            return Poll::Ready(Err(io::Error::other(remedy)));
        }
        self.has_answered |= first.is_some();
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Plain {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

/// Connects to a server. The connection is opened anew after it broke.
///
/// # Errors
/// Why the connection cannot be opened, and what to do.
pub(crate) async fn connect(endpoint: &Endpoint) -> Result<Channel, String> {
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

/// Why a server's certificate is not trusted.
fn untrusted(reason: &CertificateError) -> String {
    match reason {
        // A bad signature can mean an authority with the same name and a new key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "no trusted authority issued the server's certificate; name the file of its authority with --ca".to_owned()
        }
        CertificateError::NotValidForNameContext { expected, presented } => format!(
            "the server's certificate is for {}, not for {}; set --server-name",
            presented.iter().map(|name| bare(name)).collect::<Vec<_>>().join(", "),
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
        CertificateError::Revoked => "the server's certificate is revoked; renew it".to_owned(),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            "the server's certificate is not for servers; issue one that is".to_owned()
        }
        // webpki refuses the certificate of an authority as that of a server.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "the server's certificate is self-signed, or that of an authority; if you trust it, name its file with --ca".to_owned()
        }
        _ => "the server's certificate cannot be used; check it with `openssl x509 -text`, and renew it".to_owned(),
    }
}

/// A name of a certificate as it is written there: `localhost` for `DnsName("localhost")`.
fn bare(name: &str) -> &str {
    name.split_once('(').map_or(name, |(_, name)| name).trim_end_matches(')').trim_matches('"')
}

/// What a server says by an alert of TLS.
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
        return "the server refuses the handshake of TLS; its log says why, at level debug".to_owned();
    };
    format!("the server refuses the certificate of this command: {reason}; name another with --cert and --key")
}

/// Returns why the connection of a failed call broke; `None` if the server answered.
pub(crate) fn broken(status: &Status, endpoint: &Endpoint) -> Option<String> {
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

/// The pause before a call is repeated.
pub(crate) const REST: Duration = Duration::from_secs(1);

/// The maximum number of repeats in a row.
const REPEATS_MAX: u32 = 60;

/// Counts the failed calls in a row.
#[derive(Debug, Default)]
pub struct Away {
    repeats: u32,
}

impl Away {
    /// If the server is away and the maximum number of repeats is not reached, pauses, so that the caller can repeat the call.
    ///
    /// # Errors
    /// The status, if the call may not be repeated.
    pub async fn wait(&mut self, status: Status) -> Result<(), Status> {
        if !is_away(&status) || self.repeats >= REPEATS_MAX {
            return Err(status);
        }
        self.repeats += 1;
        tokio::time::sleep(REST).await;
        Ok(())
    }

    /// Whether the last call failed.
    pub(crate) const fn has_failed(&self) -> bool {
        self.repeats > 0
    }

    /// Resets the number of repeats, because the server has answered.
    pub const fn is_back(&mut self) {
        self.repeats = 0;
    }
}

/// Whether the server is away: it says so, or the connection broke. Errors from the server itself always have details.
pub(crate) fn is_away(status: &Status) -> bool {
    let is_broken = matches!(status.code(), Code::Unknown | Code::Internal) && status.details().is_empty();
    is_broken || status.code() == Code::Unavailable
}
