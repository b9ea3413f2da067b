//! Reads the first bytes of a client: the preface of HTTP/2, or the first head of HTTP/1.1. The HTTP library hyper then
//! gets these bytes again. hyper itself would wait for them without our limits.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

use super::refusal::{HEAD_LEN_MAX, Refusal};

/// The first bytes that every HTTP/2 client sends.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The maximum number of bytes of an HTTP/1.1 head that one read takes.
const READ_LEN: usize = 4_096;

/// The versions in which a request line may end, and the beginning of every version. Behind hyper, the layers refuse
/// HTTP/1.0 with [`Refusal::Version`].
const VERSIONS: [&[u8]; 2] = [b" HTTP/1.1", b" HTTP/1.0"];
const VERSION: &[u8] = b" HTTP/";

/// Reads, in any number of pieces, the preface and no byte after it, or the first head of HTTP/1.1. If a head is too long or of another
/// version, the result has a refusal.
///
/// # Errors
/// `InvalidData` at the first byte that belongs to neither; `UnexpectedEof` if the client leaves earlier; errors of the
/// stream.
pub(super) async fn read<T: AsyncRead + Unpin>(mut stream: T) -> io::Result<Greeted<T>> {
    let mut bytes = Vec::with_capacity(PREFACE.len());
    while PREFACE.starts_with(&bytes) {
        if bytes.len() == PREFACE.len() {
            return Ok(Greeted { stream, bytes, replayed: 0, is_http2: true, refusal: None });
        }
        let len = PREFACE.len() - bytes.len();
        read_more(&mut stream, &mut bytes, len).await?;
    }
    let mut head = Head::default();
    let refusal = loop {
        if head.is_whole(&bytes)? {
            break head.refusal;
        }
        if head.refusal.is_some() || bytes.len() > HEAD_LEN_MAX {
            break head.refusal.or(Some(Refusal::Head));
        }
        read_more(&mut stream, &mut bytes, READ_LEN).await?;
    };
    Ok(Greeted { stream, bytes, replayed: 0, is_http2: false, refusal })
}

async fn read_more<T: AsyncRead + Unpin>(stream: &mut T, bytes: &mut Vec<u8>, len_max: usize) -> io::Result<()> {
    let read = stream.take(len_max as u64).read_buf(bytes).await?;
    if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// A head that is being read.
#[derive(Debug, Default)]
struct Head {
    is_line_read: bool,
    refusal: Option<Refusal>,
    /// Bytes that are known not to end the head.
    scanned: usize,
}

impl Head {
    /// Whether the bytes so far contain a whole head. Each call passes the earlier bytes again.
    ///
    /// # Errors
    /// `InvalidData` if they do not begin with a request line of HTTP/1.
    fn is_whole(&mut self, bytes: &[u8]) -> io::Result<bool> {
        if !self.is_line_read {
            let line = line(bytes)?;
            self.is_line_read = line.is_some();
            let is_refused = line.is_some_and(|line| !VERSIONS.iter().any(|version| line.ends_with(version)));
            self.refusal = is_refused.then_some(Refusal::Version);
        }
        let new = &bytes[self.scanned..];
        // An empty line ends the head. A bare line feed ends a line too, as hyper reads it.
        let is_whole = new.windows(4).any(|end| end == b"\r\n\r\n") || new.windows(2).any(|end| end == b"\n\n");
        self.scanned = bytes.len().saturating_sub(3);
        Ok(self.is_line_read && is_whole)
    }
}

/// The request line; `None` if it is not whole yet.
fn line(bytes: &[u8]) -> io::Result<Option<&[u8]>> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let line = &bytes[..end.unwrap_or(bytes.len())];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_text = line.iter().all(|byte| (b' '..=b'~').contains(byte));
    let is_method =
        line.iter().take_while(|byte| **byte != b' ').all(|byte| byte.is_ascii_uppercase() || *byte == b'-');
    let is_version = end.is_none() || line.windows(VERSION.len()).any(|part| part == VERSION);
    let is_line = is_text && is_method && is_version;
    if is_line { Ok(end.is_some().then_some(line)) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// A stream whose first bytes have been read. Its reader gets them again.
#[derive(Debug)]
pub(super) struct Greeted<T> {
    stream: T,
    bytes: Vec<u8>,
    /// The number of `bytes` that were read again.
    replayed: usize,
    /// Whether the client speaks HTTP/2; otherwise it speaks HTTP/1.
    pub(super) is_http2: bool,
    /// Why the first request is refused.
    pub(super) refusal: Option<Refusal>,
}

impl<T: AsyncRead + Unpin> AsyncRead for Greeted<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Self { bytes, replayed, .. } = &mut *self;
        let left = bytes.get(*replayed..).unwrap_or_default();
        if left.is_empty() {
            *bytes = Vec::new();
            return Pin::new(&mut self.stream).poll_read(cx, into);
        }
        let len = left.len().min(into.remaining());
        into.put_slice(&left[..len]);
        *replayed += len;
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
        for text in ["GET /\r\n", "SSH-2.0-OpenSSH\r\n", "\x16\x03\x01", "get "] {
            let (mut client, server) = tokio::io::duplex(64);
            client.write_all(text.as_bytes()).await.unwrap();
            assert_eq!(read(server).await.unwrap_err().kind(), io::ErrorKind::InvalidData, "{text:?}");
        }
    }

    #[tokio::test]
    async fn head_of_http_1_in_pieces_is_read_and_replayed_with_what_follows() {
        let request = b"POST /a HTTP/1.1\r\nhost: localhost\r\n\r\nbody";
        for step in [1, 7, request.len()] {
            let (mut client, server) = tokio::io::duplex(64);
            let reading = tokio::spawn(read(server));
            for piece in request.chunks(step) {
                client.write_all(piece).await.unwrap();
                tokio::task::yield_now().await;
            }
            drop(client);
            let mut greeted = reading.await.unwrap().unwrap();
            assert!(!greeted.is_http2);
            let mut all = Vec::new();
            greeted.read_to_end(&mut all).await.unwrap();
            assert_eq!(all, request);
        }
    }

    #[tokio::test]
    async fn head_that_does_not_end_is_refused_at_its_bound() {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let endless = [&b"GET / HTTP/1.1\r\n"[..], &b"a: b\r\n".repeat(10_000)].concat();
        client.write_all(&endless).await.unwrap();
        assert_eq!(read(server).await.unwrap().refusal, Some(Refusal::Head));
    }

    #[tokio::test]
    async fn other_versions_are_refused_with_an_answer() {
        for line in ["GET / HTTP/1.2\r\n", "GET / HTTP/3\r\n", "PRI * HTTP/2.0\r\nhost: a"] {
            let (mut client, server) = tokio::io::duplex(64);
            client.write_all(line.as_bytes()).await.unwrap();
            assert_eq!(read(server).await.unwrap().refusal, Some(Refusal::Version), "{line:?}");
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
