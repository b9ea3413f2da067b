//! Limits an HTTP/1.1 connection: the size and time of each head, and the time in which a client must read its answer. For HTTP/2, hyper
//! has such limits.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Sleep, sleep};

use super::refusal::{HEAD_LEN_MAX, Refusal};
use crate::calls::Traffic;

/// The limits of one connection. The handshake has already limited its first head.
pub(super) struct Http1 {
    traffic: Arc<Traffic>,
    /// The maximum time from the first byte of a head to its last one.
    head_time: Duration,
    /// The time in which a client must read a part of its answer. It is the keepalive interval plus the keepalive timeout, after which
    /// the server closes an HTTP/2 connection whose client is silent.
    unread_time: Duration,
    /// The number of bytes read since the last answer, while no call is in flight.
    head_len: usize,
    /// Why the first request is refused.
    refusal: Option<Refusal>,
    head: Option<Pin<Box<Sleep>>>,
    unread: Option<Pin<Box<Sleep>>>,
}

impl Http1 {
    pub(super) fn new(traffic: Arc<Traffic>, head_time: Duration, unread_time: Duration) -> Self {
        Self { traffic, head_time, unread_time, head_len: 0, refusal: None, head: None, unread: None }
    }

    /// Refuses the first request for this reason, if there is one.
    pub(super) fn refused(self, refusal: Option<Refusal>) -> Self {
        Self { refusal, ..self }
    }

    /// Why the current request is refused.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.refusal.or((self.head_len > HEAD_LEN_MAX).then_some(Refusal::Head))
    }

    /// Checks the limits before a read or a write.
    ///
    /// # Errors
    /// If the client has exceeded a limit.
    pub(super) fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if self.traffic.has_calls() {
            self.end_head();
        }
        let is_over = |timer: &mut Option<Pin<Box<Sleep>>>, cx: &mut Context<'_>| {
            timer.as_mut().is_some_and(|timer| timer.as_mut().poll(cx).is_ready())
        };
        if is_over(&mut self.head, cx) || is_over(&mut self.unread, cx) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    /// Records bytes that were read.
    pub(super) fn read(&mut self, len: usize) {
        if !self.traffic.has_calls() {
            self.head_len = self.head_len.saturating_add(len);
            self.head.get_or_insert_with(|| Box::pin(sleep(self.head_time)));
        }
    }

    /// Records a write, and whether it waits for the client to read. The next poll checks a timer that is set here.
    pub(super) fn wrote<R>(&mut self, written: &Poll<R>, cx: &mut Context<'_>) {
        if written.is_ready() {
            self.unread = None;
            self.end_head();
        } else {
            let timer = self.unread.get_or_insert_with(|| Box::pin(sleep(self.unread_time)));
            // This poll only registers the waker.
            let _ = timer.as_mut().poll(cx);
        }
    }

    fn end_head(&mut self) {
        self.head = None;
        self.head_len = 0;
    }
}
