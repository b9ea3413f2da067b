//! A client's socket, plain or encrypted by TLS: makes the TLS handshake, and reads the client's certificate.

use std::{io, sync::Arc};

use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use crate::tls::{self, ListenerTls};

/// A client's socket, after the handshake of TLS if there is one.
pub(super) type Socket = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Makes the handshake of `tls`, if the listener is encrypted.
///
/// # Errors
/// Errors of the socket and of TLS.
pub(super) async fn accept(stream: TcpStream, tls: Option<&ListenerTls>) -> io::Result<Socket> {
    // An answer is written at once and in full. Waiting for more data would only delay it.
    stream.set_nodelay(true)?;
    match tls {
        None => Ok(Either::Left(stream)),
        Some(tls) => Ok(Either::Right(Box::new(tls.accept(stream).await?))),
    }
}

/// The name in the client's certificate.
pub(super) fn certificate(socket: &Socket) -> Option<Arc<str>> {
    match socket {
        Either::Left(_) => None,
        Either::Right(stream) => tls::name(stream.get_ref().1.peer_certificates()?.first()?),
    }
}
