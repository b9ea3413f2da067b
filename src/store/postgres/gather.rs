//! Calls that come while others are under way are gathered, and whoever goes next makes them all in one transaction: a
//! busy process then needs few connections, and a job that many claim from is locked a tenth as often.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Semaphore, oneshot};

use super::StoreError;

/// Most calls of one transaction: bounds how long it holds its locks.
const CALLS_MAX: usize = 32;

/// The calls of one kind.
pub(super) struct Gather<C, T> {
    waiting: Mutex<VecDeque<Waiting<C, T>>>,
    turns: Semaphore,
}

struct Waiting<C, T> {
    call: C,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<C: Clone, T> Gather<C, T> {
    /// With so many transactions at a time; calls gather once there are as many.
    pub(super) fn new(turns: u32) -> Self {
        Self { waiting: Mutex::default(), turns: Semaphore::new(turns as usize) }
    }

    /// Makes a call, with those that wait before it, or waits while another caller makes it.
    pub(super) async fn make<F>(&self, call: C, all: impl Fn(Vec<C>) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<Vec<Result<T, StoreError>>, StoreError>>,
    {
        let mut reply = self.wait(call.clone());
        loop {
            tokio::select! {
                biased;
                replied = &mut reply => match replied {
                    Ok(result) => return result,
                    // Whoever made it went away meanwhile. It may have been done; asking again is safe.
                    Err(_) => reply = self.wait(call.clone()),
                },
                _turn = self.turns.acquire() => make_all(self.take(), &all).await,
            }
        }
    }

    fn wait(&self, call: C) -> oneshot::Receiver<Result<T, StoreError>> {
        let (reply, replied) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(Waiting { call, reply });
        replied
    }

    fn take(&self) -> Vec<Waiting<C, T>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever hung up needs no answer.
        waiting.retain(|waiting| !waiting.reply.is_closed());
        let taken = waiting.len().min(CALLS_MAX);
        waiting.drain(..taken).collect()
    }
}

async fn make_all<C: Clone, T, F>(waiting: Vec<Waiting<C, T>>, all: &impl Fn(Vec<C>) -> F)
where
    F: Future<Output = Result<Vec<Result<T, StoreError>>, StoreError>>,
{
    if waiting.is_empty() {
        return;
    }
    let is_alone = waiting.len() == 1;
    match all(waiting.iter().map(|waiting| waiting.call.clone()).collect()).await {
        Ok(results) => {
            for (Waiting { reply, .. }, result) in waiting.into_iter().zip(results) {
                // Whoever hung up meanwhile needs no answer.
                let _ = reply.send(result);
            }
        }
        // The fault may be one call's, and the others are not to suffer for it: each by itself.
        Err(error) if !is_alone && !error.is_passing() => {
            for Waiting { call, reply } in waiting {
                let alone = all(vec![call]).await;
                let _ = match alone.map(|mut results| results.pop()) {
                    Ok(Some(result)) => reply.send(result),
                    Ok(None) => continue,
                    Err(error) => reply.send(Err(error)),
                };
            }
        }
        Err(error) if is_alone => {
            if let Some(Waiting { reply, .. }) = waiting.into_iter().next() {
                let _ = reply.send(Err(error));
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for Waiting { reply, .. } in waiting {
                let _ = reply.send(Err(StoreError::Shared(Arc::clone(&error))));
            }
        }
    }
}

impl<C, T> fmt::Debug for Gather<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gather").field("turns", &self.turns).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::{sync::Notify, task::JoinSet};

    use super::*;

    /// Doubles numbers, a transaction at a time; none may begin before the test lets it.
    #[derive(Default)]
    struct Doubles {
        begin: Notify,
        batches: Mutex<Vec<usize>>,
        begun: AtomicUsize,
    }

    impl Doubles {
        async fn all(&self, calls: Vec<u32>) -> Result<Vec<Result<u32, StoreError>>, StoreError> {
            self.begun.fetch_add(1, Ordering::SeqCst);
            self.begin.notified().await;
            self.batches.lock().unwrap().push(calls.len());
            if calls.contains(&13) {
                return Err(StoreError::Corrupt { table: "t", column: "c", id: 13 });
            }
            Ok(calls.into_iter().map(|call| Ok(call * 2)).collect())
        }
    }

    fn spawn(
        calls: &mut JoinSet<(u32, Result<u32, StoreError>)>,
        gather: &Arc<Gather<u32, u32>>,
        doubles: &Arc<Doubles>,
        call: u32,
    ) {
        let (gather, doubles) = (Arc::clone(gather), Arc::clone(doubles));
        calls.spawn(async move { (call, gather.make(call, |calls| doubles.all(calls)).await) });
    }

    /// Lets all tasks run until each of them waits.
    async fn settle() {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }

    async fn all_come_out_right(doubles: &Doubles, calls: &mut JoinSet<(u32, Result<u32, StoreError>)>) {
        while !calls.is_empty() {
            doubles.begin.notify_one();
            settle().await;
            while let Some(ended) = calls.try_join_next() {
                match ended.unwrap() {
                    (13, result) => assert!(matches!(result, Err(StoreError::Corrupt { id: 13, .. })), "{result:?}"),
                    (call, result) => assert_eq!(result.unwrap(), call * 2),
                }
            }
        }
    }

    #[tokio::test]
    async fn calls_gather_while_one_is_under_way_and_are_made_together() {
        let (gather, doubles, mut calls) = (Arc::new(Gather::new(1)), Arc::new(Doubles::default()), JoinSet::new());
        spawn(&mut calls, &gather, &doubles, 1);
        settle().await;
        for call in (100..).take(CALLS_MAX + 5) {
            spawn(&mut calls, &gather, &doubles, call);
        }
        settle().await;
        all_come_out_right(&doubles, &mut calls).await;
        assert_eq!(*doubles.batches.lock().unwrap(), [1, CALLS_MAX, 5]);
    }

    #[tokio::test]
    async fn a_call_that_cannot_be_made_does_not_harm_those_beside_it() {
        let (gather, doubles, mut calls) = (Arc::new(Gather::new(1)), Arc::new(Doubles::default()), JoinSet::new());
        for call in [1, 12, 13, 14] {
            spawn(&mut calls, &gather, &doubles, call);
            settle().await;
        }
        all_come_out_right(&doubles, &mut calls).await;
        assert_eq!(*doubles.batches.lock().unwrap(), [1, 3, 1, 1, 1]);
    }

    #[tokio::test]
    async fn calls_whose_maker_goes_away_are_made_by_others() {
        let (gather, doubles, mut calls) = (Arc::new(Gather::new(1)), Arc::new(Doubles::default()), JoinSet::new());
        spawn(&mut calls, &gather, &doubles, 1);
        settle().await;
        let (gathered, made) = (Arc::clone(&gather), Arc::clone(&doubles));
        let maker = tokio::spawn(async move { gathered.make(2, |calls| made.all(calls)).await });
        settle().await;
        spawn(&mut calls, &gather, &doubles, 3);
        settle().await;
        // The first is done; the second makes its own call and the third's, and goes away.
        doubles.begin.notify_one();
        settle().await;
        assert_eq!(doubles.begun.load(Ordering::SeqCst), 2);
        maker.abort();
        settle().await;
        all_come_out_right(&doubles, &mut calls).await;
        assert_eq!(*doubles.batches.lock().unwrap(), [1, 1]);
    }
}
