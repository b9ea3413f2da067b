//! Connections: a bounded number, each cut when it has outlived its age and grace, or when the shutdown has lasted too
//! long. tonic's own age limit asks a client to leave or cuts it, never the one and then the other.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_stream::{Stream, StreamExt as _, wrappers::TcpListenerStream};
use tokio_util::sync::CancellationToken;
use tonic::transport::server::Connected;

use super::{peer::Peer, settings::CurrentSettings};

/// Rest after a connection could not be accepted, for want of file descriptors say, so as not to spin meanwhile.
const REST_AFTER_FAILURE: Duration = Duration::from_millis(50);

/// The connections that clients make; all of them are cut when `cut` is cancelled.
pub(super) fn accept(
    listener: TcpListener,
    current: &Arc<CurrentSettings>,
    cut: CancellationToken,
) -> impl Stream<Item = io::Result<Connection>> {
    let settings = current.server();
    let places = Arc::new(Semaphore::new(settings.connections_max as usize));
    let numbers = Arc::new(AtomicU64::new(1));
    let age_max = settings.connection_age + settings.connection_age_grace;
    TcpListenerStream::new(listener).then(move |accepted| {
        let (places, numbers, cut) = (Arc::clone(&places), Arc::clone(&numbers), cut.clone());
        async move {
            let stream = match accepted {
                Ok(stream) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(REST_AFTER_FAILURE).await;
                    return Err(error);
                }
            };
            stream.set_nodelay(true)?;
            let peer = Peer::new(stream.peer_addr()?, numbers.fetch_add(1, Ordering::Relaxed));
            tracing::debug!(address = %peer.address, connection = peer.connection, "connection accepted");
            let place = places.acquire_owned().await.map_err(io::Error::other)?;
            let end = Box::pin(async move {
                let _ = tokio::time::timeout(age_max, cut.cancelled()).await;
            });
            Ok(Connection { stream, peer, end, ended: false, _place: place })
        }
    })
}

/// A client's connection.
pub(super) struct Connection {
    stream: TcpStream,
    peer: Peer,
    end: Pin<Box<dyn Future<Output = ()> + Send>>,
    ended: bool,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        self.ended = self.ended || self.end.as_mut().poll(cx).is_ready();
        if self.ended { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        // Here too: a client that does not read may leave nothing but writes to be polled.
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
