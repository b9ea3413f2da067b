//! Accepts sockets. After TLS and the first bytes of HTTP, a socket that gets a place becomes a connection of the HTTP server. If
//! no place is free, the socket is closed.

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
    calls::{Peer, Traffic},
    settings::CurrentSettings,
    tls::ListenerTls,
};
use puzzled_base::{lasting::Lasting, tls::certificate};

/// The pause after a connection could not be accepted, for example because no file descriptor is free. Without the
/// pause, the loop would spin.
const REST_AFTER_FAILURE: Duration = Duration::from_millis(50);

/// A client's socket, after the handshake of TLS if there is one.
pub(super) type Socket = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// The time that clients have for their handshakes when the listener has closed.
const LAST_HANDSHAKES: Duration = Duration::from_millis(250);

/// Yields each connection that gets a place, after its handshake. The handshake includes TLS if `tls` is given. When the drain starts,
/// closes the listener, yields the connections made before, and ends. If the stream is dropped, sockets in a handshake are closed.
pub(crate) fn accept(
    listener: TcpListener,
    tls: Option<Arc<ListenerTls>>,
    current: Arc<CurrentSettings>,
    ending: Ending,
) -> impl Stream<Item = io::Result<Connection<Socket>>> {
    let acceptor = Acceptor {
        listener: Some(listener),
        tls,
        failed: Lasting::default(),
        handshakes: Handshakes::new(),
        admission: Admission::new(Arc::clone(&current)),
        number: 0,
        unread: Vec::new(),
        current,
        ending,
    };
    unfold(acceptor, |mut acceptor| async move {
        let connection = acceptor.next().await?;
        Some((Ok(connection), acceptor))
    })
}

struct Acceptor {
    /// `None` once it has closed.
    listener: Option<TcpListener>,
    tls: Option<Arc<ListenerTls>>,
    /// Sockets that could not be accepted.
    failed: Lasting,
    handshakes: Handshakes<Accepted>,
    admission: Arc<Admission>,
    /// The number of the last connection.
    number: u64,
    /// The traffic of the last connections, until the HTTP server has read from each.
    unread: Vec<Arc<Traffic>>,
    current: Arc<CurrentSettings>,
    ending: Ending,
}

impl Acceptor {
    /// The next connection; `None` if the listener has closed and no client is left.
    async fn next(&mut self) -> Option<Connection<Socket>> {
        while let Some(listener) = &self.listener {
            let handshakes_max = || self.current.get().connections.max_handshakes;
            tokio::select! {
                (socket, address) = accepted(listener, &mut self.failed) => self.begin(socket, address),
                client = self.handshakes.next(handshakes_max) => {
                    if let Some(connection) = self.admit(client) {
                        return Some(connection);
                    }
                }
                () = self.ending.drain_started() => self.close(),
            }
        }
        let left = timeout(LAST_HANDSHAKES, self.next_after_close()).await;
        left.unwrap_or_default()
    }

    fn begin(&mut self, socket: TcpStream, address: SocketAddr) {
        let settings = self.current.get();
        let handshake = handshake(socket, address, self.tls.clone(), settings.connections.handshake_seconds);
        self.handshakes.begin(settings.connections.max_handshakes, handshake);
    }

    /// Takes all sockets that the kernel has accepted, then closes the listener. Closing it first would reset them.
    fn close(&mut self) {
        let listener = self.listener.take().map(TcpListener::into_std);
        let Some(Ok(listener)) = listener else { return };
        let mut sockets = Vec::new();
        // Nothing comes between the last `accept` and the close, because a socket that arrives in between is reset.
        while let Ok(accepted) = listener.accept() {
            sockets.push(accepted);
        }
        drop(listener);
        for (socket, address) in sockets {
            let socket = socket.set_nonblocking(true).and_then(|()| TcpStream::from_std(socket));
            match socket {
                Ok(socket) => self.begin(socket, address),
                Err(error) => tracing::debug!(%address, %error, "handshake failed"),
            }
        }
    }

    /// The next connection of a client that had connected before the listener closed. After the last one, waits until the HTTP server has
    /// read from each connection, because at a shutdown the server closes a connection from which it has read nothing.
    async fn next_after_close(&mut self) -> Option<Connection<Socket>> {
        while !self.handshakes.are_over() {
            let client = self.handshakes.next(|| u32::MAX).await;
            if let Some(connection) = self.admit(client) {
                return Some(connection);
            }
        }
        while self.unread.iter().any(Traffic::is_unread) {
            tokio::task::yield_now().await;
        }
        None
    }

    /// The connection of a client that has finished the handshake. If no place is free, closes its socket.
    fn admit(&mut self, client: Accepted) -> Option<Connection<Socket>> {
        let Accepted { stream, address, certificate } = client;
        self.number += 1;
        let traffic = self.ending.traffic();
        let peer = Peer { certificate, traffic: Arc::clone(&traffic), ..Peer::new(address, self.number) };
        let admitted = self.admission.admit(peer.address.ip())?;
        self.unread.retain(Traffic::is_unread);
        self.unread.push(Arc::clone(&traffic));
        let certificate = peer.certificate.as_deref();
        tracing::debug!(address = %peer.address, connection = peer.connection, certificate, "connection accepted");
        let settings = self.current.get();
        let age_max = settings.connections.connection_age_seconds + settings.connections.connection_age_grace_seconds;
        let unread_time = settings.connections.keepalive_seconds + settings.connections.keepalive_timeout_seconds;
        let http1 = Http1::new(Arc::clone(&traffic), settings.connections.handshake_seconds, unread_time)
            .refused(stream.refusal);
        let http1 = (!stream.is_http2).then_some(http1);
        Some(Connection::new(stream, peer, http1, admitted, self.ending.clone().of(traffic, age_max)))
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
                    tracing::info!(failures, "connections are accepted again");
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
        Either::Right(stream) => certificate::name(stream.get_ref().1.peer_certificates()?.first()?),
    }
}
