//! Tracks the traffic of a connection: its calls in flight, what its client sends, and whether answers wait unread.
//! Finds when a shutdown can close the connection without loss.

use std::{
    future::pending,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    task::{Context, Poll},
    time::Duration,
};

use http::Response;
use http_body::{Frame, SizeHint};
use tonic::body::Body;

/// The time that an idle client has at a shutdown to acknowledge GOAWAY. A longer time delays each shutdown with a
/// client that does not answer; a shorter one loses calls that a distant client has just sent.
const PATIENCE: Duration = Duration::from_millis(250);

/// The traffic of one connection.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    calls: AtomicU32,
    had_calls: AtomicBool,
    /// The calls on all connections of the server.
    all_calls: Arc<AtomicU32>,
    /// Number of reads that returned bytes; it may wrap around.
    reads: AtomicU32,
    /// Whether the last write waits for the client to read.
    is_stuck: AtomicBool,
}

impl Traffic {
    /// The traffic of a new connection, whose calls also count in `all_calls`.
    pub(crate) fn new(all_calls: Arc<AtomicU32>) -> Arc<Self> {
        Arc::new(Self { all_calls, ..Self::default() })
    }

    pub(crate) fn read(&self) {
        self.reads.fetch_add(1, Relaxed);
    }

    pub(crate) fn wrote(&self, is_stuck: bool) {
        self.is_stuck.store(is_stuck, Relaxed);
    }

    /// Whether the connection is still open, and nothing was read from it. An open connection holds another reference.
    pub(crate) fn is_unread(self: &Arc<Self>) -> bool {
        self.reads.load(Relaxed) == 0 && Arc::strong_count(self) > 1
    }

    /// Waits, after GOAWAY, until this connection can be closed without loss: no call is in flight, and the client is
    /// silent. If a call is in flight, or if a client that had calls still sends, the future never completes: HTTP/2 ends
    /// the connection after it has sent the answers.
    pub(crate) async fn quiet(&self) {
        loop {
            if self.is_busy() {
                return pending().await;
            }
            let reads = self.reads.load(Relaxed);
            tokio::time::sleep(PATIENCE).await;
            if reads != self.reads.load(Relaxed) {
                // What the client sends may acknowledge parts of an answer.
                if self.had_calls.load(Relaxed) {
                    return pending().await;
                }
            } else if !self.is_busy() {
                return;
            }
        }
    }

    /// Whether a call is in flight.
    pub(crate) fn has_calls(&self) -> bool {
        self.calls.load(Relaxed) > 0
    }

    fn is_busy(&self) -> bool {
        self.has_calls() || self.is_stuck.load(Relaxed)
    }
}

/// A call in flight, from the arrival of its request until HTTP/2 has its whole answer or the call is dropped.
#[derive(Debug)]
pub(crate) struct Call(Arc<Traffic>);

impl Call {
    /// Counts a call on a connection.
    pub(crate) fn begin(traffic: &Arc<Traffic>) -> Self {
        traffic.calls.fetch_add(1, Relaxed);
        traffic.had_calls.store(true, Relaxed);
        traffic.all_calls.fetch_add(1, Relaxed);
        Self(Arc::clone(traffic))
    }

    /// Counts the call until the body of its answer ends.
    pub(crate) fn until_sent(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| Body::new(Keeping { body, _kept: self }))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Relaxed);
        self.0.all_calls.fetch_sub(1, Relaxed);
    }
}

/// A body that keeps a value until all is sent. Unlike `map_frame`, it states the length of the body. Without the length, HTTP/1.1 sends
/// the answer in chunks.
#[derive(Debug)]
pub(crate) struct Keeping<B, T> {
    pub(crate) body: B,
    pub(crate) _kept: T,
}

impl<B: http_body::Body + Unpin, T: Unpin> http_body::Body for Keeping<B, T> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Waker};

    use http_body::Body as _;
    use prost::bytes::Bytes;
    use tokio::time::timeout;
    use tonic::Status;

    use super::*;

    #[test]
    fn call_lasts_until_its_answer_is_dropped() {
        let all = Arc::new(AtomicU32::new(0));
        let traffic = Traffic::new(Arc::clone(&all));
        let first = Call::begin(&traffic);
        let second = Call::begin(&traffic);
        assert_eq!((all.load(Relaxed), traffic.is_busy()), (2, true));
        let body = Body::new(Frames(2));
        let mut response = first.until_sent(Response::new(body));
        drop(second);
        for left in [1, 0] {
            let mut cx = Context::from_waker(Waker::noop());
            let frame = Pin::new(response.body_mut());
            assert!(frame.poll_frame(&mut cx).is_ready());
            assert_eq!((all.load(Relaxed), traffic.is_busy()), (1, true), "{left} frames left");
        }
        drop(response);
        assert_eq!((all.load(Relaxed), traffic.is_busy()), (0, false));
    }

    #[test]
    fn answer_without_a_body_ends_its_call_at_once() {
        let traffic = Traffic::new(Arc::default());
        let response = Call::begin(&traffic).until_sent(Response::new(Body::empty()));
        assert!(!traffic.is_busy());
        assert!(response.body().is_end_stream(), "its headers end the stream");
    }

    #[tokio::test(start_paused = true)]
    async fn connection_is_quiet_once_its_client_has_said_nothing_for_a_while() {
        let traffic = Traffic::new(Arc::default());
        let mut quiet = pin!(traffic.quiet());
        assert!(timeout(PATIENCE / 2, &mut quiet).await.is_err());
        traffic.read();
        assert!(timeout(PATIENCE, &mut quiet).await.is_err(), "its client has said something");
        timeout(PATIENCE, quiet).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_had_calls_and_answers_gets_the_rest_of_them() {
        let traffic = Traffic::new(Arc::default());
        drop(Call::begin(&traffic));
        let mut quiet = pin!(traffic.quiet());
        assert!(timeout(PATIENCE / 2, &mut quiet).await.is_err());
        traffic.read();
        assert!(timeout(PATIENCE * 100, quiet).await.is_err());
        timeout(PATIENCE * 2, traffic.quiet()).await.expect("it has said nothing since");
    }

    #[tokio::test(start_paused = true)]
    async fn connection_with_a_call_or_an_unread_answer_is_not_quiet() {
        let traffic = Traffic::new(Arc::default());
        let patience = PATIENCE * 100;
        let call = Call::begin(&traffic);
        assert!(timeout(patience, traffic.quiet()).await.is_err());
        drop(call);
        traffic.wrote(true);
        assert!(timeout(patience, traffic.quiet()).await.is_err());
        traffic.wrote(false);
        timeout(patience, traffic.quiet()).await.unwrap();
    }

    /// A body with this many frames of data.
    struct Frames(u8);

    impl http_body::Body for Frames {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            if self.0 == 0 {
                return Poll::Ready(None);
            }
            self.0 -= 1;
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"frame")))))
        }
    }
}
