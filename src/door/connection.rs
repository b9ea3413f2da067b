//! A client's connection as the HTTP server reads and writes it. It holds a place, counts its traffic, enforces the
//! limits of HTTP/1.1, and fails once it must end.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tonic::transport::server::Connected;

use super::{admission::Admitted, http1::Http1, preface::Greeted, refusal::Refusing};
use crate::calls::{Peer, Traffic};

/// A connection over a stream such as a TCP socket. Once `end` has completed, reads and writes fail, which closes the connection.
/// tonic alone cannot do this: at the maximum age, it can ask the client to disconnect or close the connection, but it cannot
/// first ask and later close.
pub(crate) struct Connection<T> {
    stream: Greeted<T>,
    peer: Peer,
    traffic: Arc<Traffic>,
    /// `None` for a client of HTTP/2.
    http1: Option<Http1>,
    refusing: Option<Refusing>,
    end: Pin<Box<dyn Future<Output = ()> + Send>>,
    is_over: bool,
    _admitted: Admitted,
}

impl<T> Connection<T> {
    pub(super) fn new(
        stream: Greeted<T>,
        peer: Peer,
        http1: Option<Http1>,
        admitted: Admitted,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let traffic = Arc::clone(&peer.traffic);
        Self { stream, peer, traffic, http1, refusing: None, end: Box::pin(end), is_over: false, _admitted: admitted }
    }

    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        self.is_over = self.is_over || self.end.as_mut().poll(cx).is_ready();
        if self.is_over {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        self.http1.as_mut().map_or(Ok(()), |http1| http1.check(cx))
    }

    fn note<R>(&mut self, written: Poll<R>, cx: &mut Context<'_>) -> Poll<R> {
        self.traffic.wrote(written.is_pending());
        if let Some(http1) = &mut self.http1 {
            http1.wrote(&written, cx);
        }
        written
    }
}

impl<T> Connected for Connection<T> {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncRead for Connection<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.check(cx)?;
        let Self { stream, peer, traffic, http1, refusing, .. } = &mut *self;
        if let Some(http1) = http1
            && let Some(refusal) = http1.refusal()
        {
            // Starts the timer of a head, which limits the time of the refusal, too.
            http1.read(0);
            http1.check(cx)?;
            return refusing.get_or_insert_with(|| Refusing::begin(refusal, &peer.address)).poll(stream, cx);
        }
        let before = into.filled().len();
        let read = Pin::new(stream).poll_read(cx, into);
        let len = into.filled().len() - before;
        if len > 0 {
            traffic.read();
            if let Some(http1) = http1 {
                http1.read(len);
            }
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Connection<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        // `poll_read` makes the same check. But if a client does not read its answer, hyper polls only the writes.
        self.check(cx)?;
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(cx)?;
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.note(written, cx)
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
