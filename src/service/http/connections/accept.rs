//! Accepts sockets. After TLS and the first bytes of HTTP, a socket with a slot becomes a connection for the HTTP
//! server; without a slot, it is closed.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use futures_util::stream::unfold;
use tokio::{
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_rustls::server::TlsStream;
use tokio_stream::Stream;
use tokio_util::either::Either;

use super::{
    admission::Admission,
    connection::Connection,
    ending::Ending,
    handshakes::Handshakes,
    http1::Http1,
    preface::{self, Greeted},
};
use crate::{
    base::lasting::Lasting,
    service::{http::peer::Peer, settings::CurrentSettings},
    tls::{self, ListenerTls},
};

/// The pause after a connection could not be accepted, for example because no file descriptor is free. Without the
/// pause, the loop would spin.
const REST_AFTER_FAILURE: Duration = Duration::from_millis(50);

/// A client's socket, after the handshake of TLS if there is one.
pub(super) type Socket = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// The connections of clients, with TLS if `tls` is given, each as soon as it speaks HTTP and has a slot. Dropping the
/// stream closes the listener and all handshakes.
pub(in crate::service) fn accept(
    listener: TcpListener,
    tls: Option<Arc<ListenerTls>>,
    current: Arc<CurrentSettings>,
    ending: Ending,
) -> impl Stream<Item = io::Result<Connection<Socket>>> {
    let acceptor = Acceptor {
        listener,
        tls,
        failed: Lasting::default(),
        handshakes: Handshakes::new(),
        admission: Admission::new(Arc::clone(&current)),
        number: 0,
        current,
        ending,
    };
    unfold(acceptor, |mut acceptor| async move {
        let connection = acceptor.next().await;
        Some((Ok(connection), acceptor))
    })
}

struct Acceptor {
    listener: TcpListener,
    tls: Option<Arc<ListenerTls>>,
    /// Sockets that could not be accepted.
    failed: Lasting,
    handshakes: Handshakes<Accepted>,
    admission: Arc<Admission>,
    /// The number of the last connection.
    number: u64,
    current: Arc<CurrentSettings>,
    ending: Ending,
}

impl Acceptor {
    async fn next(&mut self) -> Connection<Socket> {
        loop {
            let handshakes_max = || self.current.server().handshakes_max;
            tokio::select! {
                (socket, address) = accepted(&self.listener, &mut self.failed) => {
                    let settings = self.current.server();
                    let handshake = handshake(socket, address, self.tls.clone(), settings.handshake_timeout);
                    self.handshakes.begin(settings.handshakes_max, handshake);
                }
                client = self.handshakes.next(handshakes_max) => {
                    if let Some(connection) = self.admit(client) {
                        return connection;
                    }
                }
            }
        }
    }

    /// The connection of a client that has finished the handshake. If there is no slot, closes its socket.
    fn admit(&mut self, client: Accepted) -> Option<Connection<Socket>> {
        let Accepted { stream, address, certificate } = client;
        self.number += 1;
        let traffic = self.ending.traffic();
        let peer = Peer { certificate, traffic: Arc::clone(&traffic), ..Peer::new(address, self.number) };
        let slot = self.admission.admit(peer.address.ip())?;
        let certificate = peer.certificate.as_deref();
        tracing::debug!(address = %peer.address, connection = peer.connection, certificate, "connection accepted");
        let settings = self.current.server();
        let age_max = settings.connection_age + settings.connection_age_grace;
        let unread_time = settings.keepalive + settings.keepalive_timeout;
        let http1 = Http1::new(Arc::clone(&traffic), settings.handshake_timeout, unread_time);
        let http1 = (!stream.is_http2).then_some(http1);
        Some(Connection::new(stream, peer, http1, slot, self.ending.clone().of(traffic, age_max)))
    }
}

/// A client that has finished the handshake.
struct Accepted {
    stream: Greeted<Socket>,
    address: SocketAddr,
    /// The name in its certificate.
    certificate: Option<Arc<str>>,
}

/// The next socket. A failure, for example for want of file descriptors, is tried again after a pause.
async fn accepted(listener: &TcpListener, failed: &mut Lasting) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => {
                if let Some(failures) = failed.end() {
                    tracing::warn!(failures, "connections are accepted again");
                }
                return accepted;
            }
            Err(error) => {
                if failed.met() {
                    tracing::warn!(%error, "connections could not be accepted");
                }
                tokio::time::sleep(REST_AFTER_FAILURE).await;
            }
        }
    }
}

/// The steps that each socket takes before it counts as a connection, within `time`; `None` if a step fails.
async fn handshake(
    socket: TcpStream,
    address: SocketAddr,
    tls: Option<Arc<ListenerTls>>,
    time: Duration,
) -> Option<Accepted> {
    let steps = async {
        let socket = tls_handshake(socket, tls.as_deref()).await?;
        let certificate = certificate(&socket);
        let stream = preface::read(socket).await?;
        Ok::<_, io::Error>(Accepted { stream, address, certificate })
    };
    match timeout(time, steps).await {
        Ok(Ok(client)) => Some(client),
        Ok(Err(error)) => {
            tracing::debug!(%address, %error, "handshake failed");
            None
        }
        Err(_) => {
            tracing::debug!(%address, ?time, "handshake timed out");
            None
        }
    }
}

/// Makes the handshake of `tls`, if the listener is encrypted.
///
/// # Errors
/// Errors of the socket and of TLS.
async fn tls_handshake(stream: TcpStream, tls: Option<&ListenerTls>) -> io::Result<Socket> {
    // An answer is written at once and in full. Waiting for more data would only delay it.
    stream.set_nodelay(true)?;
    match tls {
        None => Ok(Either::Left(stream)),
        Some(tls) => Ok(Either::Right(Box::new(tls.accept(stream).await?))),
    }
}

/// The name in the client's certificate.
fn certificate(socket: &Socket) -> Option<Arc<str>> {
    match socket {
        Either::Left(_) => None,
        Either::Right(stream) => tls::name(stream.get_ref().1.peer_certificates()?.first()?),
    }
}
