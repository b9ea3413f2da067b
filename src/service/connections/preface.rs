//! The client preface of HTTP/2: its first 24 bytes. hyper waits for them without a time limit, so they are read here first.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

/// What every HTTP/2 client sends first.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Reads the preface in any number of pieces, and no byte after it.
///
/// # Errors
/// `InvalidData` at the first byte that differs, `UnexpectedEof` if the client leaves before the last one, and those of
/// the stream.
pub(super) async fn read<T: AsyncRead + Unpin>(mut stream: T) -> io::Result<Greeted<T>> {
    let mut bytes = [0; PREFACE.len()];
    let mut len = 0;
    while len < PREFACE.len() {
        match stream.read(&mut bytes[len..]).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => len += read,
        }
        if bytes[..len] != PREFACE[..len] {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    Ok(Greeted { stream, replayed: 0 })
}

/// A stream whose preface has been read. Its reader gets the preface again.
#[derive(Debug)]
pub(super) struct Greeted<T> {
    stream: T,
    /// Bytes of the preface that were read again.
    replayed: usize,
}

impl<T: AsyncRead + Unpin> AsyncRead for Greeted<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let left = &PREFACE[self.replayed..];
        if left.is_empty() {
            return Pin::new(&mut self.stream).poll_read(cx, into);
        }
        let len = left.len().min(into.remaining());
        into.put_slice(&left[..len]);
        self.replayed += len;
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Greeted<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
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

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    #[tokio::test]
    async fn preface_in_pieces_is_read_and_replayed_before_what_follows() {
        let (mut client, server) = tokio::io::duplex(64);
        let reading = tokio::spawn(read(server));
        for byte in PREFACE {
            client.write_all(&[*byte]).await.unwrap();
            tokio::task::yield_now().await;
        }
        let mut greeted = reading.await.unwrap().unwrap();
        client.write_all(b"settings").await.unwrap();
        drop(client);
        let mut all = Vec::new();
        // A reader that takes a few bytes at a time.
        while let Ok(byte) = greeted.read_u8().await {
            all.push(byte);
        }
        assert_eq!(all, [&PREFACE[..], b"settings"].concat());
    }

    #[tokio::test]
    async fn first_wrong_byte_ends_the_reading() {
        for text in ["GET / HTTP/1.1\r\n", "PRI * HTTP/1", "\x16\x03\x01"] {
            let (mut client, server) = tokio::io::duplex(64);
            client.write_all(text.as_bytes()).await.unwrap();
            assert_eq!(read(server).await.unwrap_err().kind(), io::ErrorKind::InvalidData, "{text:?}");
        }
    }

    #[tokio::test]
    async fn client_that_leaves_early_is_no_client() {
        let (mut client, server) = tokio::io::duplex(64);
        client.write_all(&PREFACE[..23]).await.unwrap();
        drop(client);
        assert_eq!(read(server).await.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
