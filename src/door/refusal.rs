//! Answers a client of HTTP/1 whose request hyper never sees: one sentence, after which the connection closes.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use puzzled_base::counters::Counter;

/// The maximum size of a head in bytes: hyper's limit for HTTP/2.
pub(super) const HEAD_LEN_MAX: usize = 16 << 10;

/// The maximum number of bytes that are read and discarded after the answer. A socket that closes with unread bytes resets its connection,
/// and its client may lose the answer.
const DISCARDED_MAX: usize = 1 << 20;

/// The maximum number of log lines of a process about refusals.
const LOGGED_MAX: u64 = 100;

static REFUSED: Counter = Counter::new();

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The head of the request is longer than [`HEAD_LEN_MAX`].
    Head,
    /// The request has a version other than HTTP/1.0 and 1.1. HTTP/1.0 is refused behind hyper, in `connect/pages.rs`.
    Version,
}

impl Refusal {
    /// The status and the sentence.
    fn words(self) -> (&'static str, String) {
        match self {
            Self::Head => {
                let sentence =
                    format!("The head of the request is longer than {HEAD_LEN_MAX} bytes; send less in headers.");
                ("431 Request Header Fields Too Large", sentence)
            }
            Self::Version => ("505 HTTP Version Not Supported", "Use HTTP/1.1 or HTTP/2.".to_owned()),
        }
    }

    fn answer(self) -> Vec<u8> {
        let (status, sentence) = self.words();
        let len = sentence.len() + 1;
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\nx-content-type-options: nosniff\r\n\
             content-length: {len}\r\nconnection: close\r\n\r\n{sentence}\n"
        )
        .into_bytes()
    }
}

/// A refusal in progress.
#[derive(Debug)]
pub(super) struct Refusing {
    answer: Vec<u8>,
    written: usize,
    discarded: usize,
}

impl Refusing {
    pub(super) fn begin(refusal: Refusal, peer: &impl std::fmt::Display) -> Self {
        REFUSED.one();
        if REFUSED.get() <= LOGGED_MAX {
            let (status, _) = refusal.words();
            tracing::info!(%peer, status, "request refused before it was read");
        }
        Self { answer: refusal.answer(), written: 0, discarded: 0 }
    }

    /// Writes the answer, and then reads until the client closes the connection. Always ends with an error.
    pub(super) fn poll<T: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut T,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while self.written < self.answer.len() {
            let written = ready!(Pin::new(&mut *stream).poll_write(cx, &self.answer[self.written..]))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += written;
        }
        ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
        let mut bytes = [0; 1_024];
        loop {
            let mut into = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut *stream).poll_read(cx, &mut into))?;
            self.discarded += into.filled().len();
            if into.filled().is_empty() || self.discarded > DISCARDED_MAX {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
        }
    }
}
