//! Limits a connection of HTTP/1.1 in size and time of each head, and in the time that a client may leave an answer
//! unread. HTTP/2 has such limits itself.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Sleep, sleep};

use super::{head, traffic::Traffic};

/// The bounds of one connection. Its first head was bounded by the handshake.
pub(super) struct Http1 {
    traffic: Arc<Traffic>,
    /// Time from the first byte of a head to its last one.
    head_time: Duration,
    /// Time in which a client must read some of an answer: that in which a client of HTTP/2 must answer a ping.
    unread_time: Duration,
    /// Bytes since the last answer, while no call is under way.
    head_len: usize,
    head: Option<Pin<Box<Sleep>>>,
    unread: Option<Pin<Box<Sleep>>>,
}

impl Http1 {
    pub(super) fn new(traffic: Arc<Traffic>, head_time: Duration, unread_time: Duration) -> Self {
        Self { traffic, head_time, unread_time, head_len: 0, head: None, unread: None }
    }

    /// Checks the bounds before a read or a write.
    ///
    /// # Errors
    /// If the client has exceeded one.
    pub(super) fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if self.traffic.has_calls() {
            self.end_head();
        }
        if self.head_len > head::LEN_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the head of the request is too long"));
        }
        let is_over = |timer: &mut Option<Pin<Box<Sleep>>>, cx: &mut Context<'_>| {
            timer.as_mut().is_some_and(|timer| timer.as_mut().poll(cx).is_ready())
        };
        if is_over(&mut self.head, cx) || is_over(&mut self.unread, cx) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    /// Notes bytes that were read.
    pub(super) fn read(&mut self, len: usize) {
        if !self.traffic.has_calls() {
            self.head_len = self.head_len.saturating_add(len);
            self.head.get_or_insert_with(|| Box::pin(sleep(self.head_time)));
        }
    }

    /// Notes a write, and whether it waits for the client to read. The next poll checks a timer that is set here.
    pub(super) fn wrote<R>(&mut self, written: &Poll<R>, cx: &mut Context<'_>) {
        if written.is_ready() {
            self.unread = None;
            self.end_head();
        } else {
            let timer = self.unread.get_or_insert_with(|| Box::pin(sleep(self.unread_time)));
            // For its waker alone.
            let _ = timer.as_mut().poll(cx);
        }
    }

    fn end_head(&mut self) {
        self.head = None;
        self.head_len = 0;
    }
}
