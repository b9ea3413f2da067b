//! Runs the handshakes of a limited number of sockets at a time, until each has shown that it speaks HTTP. Each runs in
//! a separate task, so that a slow handshake does not delay others. If there are too many, the oldest is closed.

use std::{collections::VecDeque, future::pending};

use tokio::task::{AbortHandle, Id, JoinSet};

use super::admission::eased;
use puzzled_base::lasting::Lasting;

/// The handshakes in progress. Dropping them closes their sockets.
#[derive(Debug)]
pub(super) struct Handshakes<T> {
    tasks: JoinSet<Option<T>>,
    /// The handshakes that hold a place, oldest first.
    places: VecDeque<AbortHandle>,
    /// The handshakes that were closed for others.
    closed: Lasting,
}

impl<T: Send + 'static> Handshakes<T> {
    pub(super) fn new() -> Self {
        Self { tasks: JoinSet::new(), places: VecDeque::new(), closed: Lasting::default() }
    }

    /// Begins a handshake, and closes the oldest ones until there are at most `max`.
    pub(super) fn begin(&mut self, max: u32, handshake: impl Future<Output = Option<T>> + Send + 'static) {
        self.places.push_back(self.tasks.spawn(handshake));
        while self.places.len() > max as usize {
            let Some(oldest) = self.places.pop_front() else { break };
            oldest.abort();
            if self.closed.met() {
                tracing::warn!(
                    max_handshakes = max,
                    "handshake limit reached; the oldest handshake is closed each time"
                );
            }
        }
    }

    /// Whether no handshake is in progress.
    pub(super) fn are_over(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Waits for the next successful handshake, and returns its result. If the future is dropped, no result is lost. `max` returns
    /// the current limit.
    pub(super) async fn next(&mut self, max: impl Fn() -> u32) -> T {
        loop {
            let (id, made) = match self.tasks.join_next_with_id().await {
                Some(Ok((id, made))) => (id, made),
                Some(Err(error)) => (error.id(), None),
                None => pending().await,
            };
            self.give_back(id, &max);
            if let Some(made) = made {
                return made;
            }
        }
    }

    fn give_back(&mut self, id: Id, max: impl Fn() -> u32) {
        // Searches from the newest, because a client that speaks finishes its handshake within about one round trip. The
        // older handshakes are mostly those of silent clients.
        if let Some(at) = self.places.iter().rposition(|place| place.id() == id) {
            self.places.remove(at);
        }
        if self.closed.lasts() && eased(u32::try_from(self.places.len()).expect("below 2^32 sockets"), max()) {
            let closed = self.closed.end();
            tracing::info!(closed, "handshake limit no longer reached");
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    /// A handshake that ends when the test sends a value.
    fn handshake() -> (oneshot::Sender<u32>, impl Future<Output = Option<u32>>) {
        let (sender, receiver) = oneshot::channel();
        (sender, async { receiver.await.ok() })
    }

    #[tokio::test]
    async fn oldest_handshake_is_closed_for_one_too_many() {
        let mut handshakes = Handshakes::new();
        let mut senders = Vec::new();
        for _ in 0..6 {
            let (sender, handshake) = handshake();
            handshakes.begin(4, handshake);
            senders.push(sender);
        }
        senders[0].closed().await;
        senders[1].closed().await;
        assert!(senders[2..].iter().all(|sender| !sender.is_closed()));
        senders.pop().unwrap().send(6).unwrap();
        assert_eq!(handshakes.next(|| 4).await, 6);
        // Its place is free again, so the next handshake closes no other.
        let (_sender, handshake) = handshake();
        handshakes.begin(4, handshake);
        assert!(senders[2..].iter().all(|sender| !sender.is_closed()));
    }

    #[tokio::test]
    async fn lowered_bound_closes_the_oldest_with_the_next_handshake() {
        let mut handshakes = Handshakes::new();
        let (senders, waiting): (Vec<_>, Vec<_>) = (0..4).map(|_| handshake()).unzip();
        for handshake in waiting {
            handshakes.begin(4, handshake);
        }
        let (last, handshake) = handshake();
        handshakes.begin(2, handshake);
        for mut sender in senders.into_iter().take(3) {
            sender.closed().await;
        }
        last.send(1).unwrap();
        assert_eq!(handshakes.next(|| 2).await, 1);
    }

    #[test]
    fn limit_is_one_line_when_it_is_reached_and_one_when_it_no_longer_is() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let log = crate::telemetry::logged(|| {
            runtime.block_on(async {
                let mut handshakes = Handshakes::new();
                let (mut senders, waiting): (Vec<_>, Vec<_>) = (1..=12).map(|_| handshake()).unzip();
                for handshake in waiting {
                    handshakes.begin(10, handshake);
                }
                for number in [11, 12] {
                    senders.pop().unwrap().send(number).unwrap();
                    handshakes.next(|| 10).await;
                }
            });
        });
        assert_eq!(
            log,
            "WARN handshake limit reached; the oldest handshake is closed each time max_handshakes=10\n\
             INFO handshake limit no longer reached closed=2\n"
        );
    }
}
