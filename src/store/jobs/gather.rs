//! Groups concurrent claims or commits on PostgreSQL, which has many writers. Calls that arrive while others are in progress
//! wait. Then one of their callers makes all of them in one transaction. So a busy process needs few connections and locks a
//! job less often.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Semaphore, oneshot};

use crate::store::StoreError;

/// The maximum number of calls per transaction. This limits how long a transaction holds its locks.
const CALLS_MAX: usize = 32;

/// The result of each of several calls that one write makes.
pub(super) type Gathered<T> = Result<Vec<Result<T, StoreError>>, StoreError>;

/// Makes a call: through `gather` together with the calls that wait, or alone if there is no `gather`.
pub(super) async fn make<C: Clone, T, F>(
    gather: Option<&Gather<C, T>>,
    call: C,
    all: impl Fn(Vec<C>) -> F,
) -> Result<T, StoreError>
where
    F: Future<Output = Gathered<T>>,
{
    match gather {
        Some(gather) => gather.make(call, all).await,
        None => all(vec![call]).await?.pop().expect("each call has a result"),
    }
}

/// The calls of one kind.
pub(in crate::store) struct Gather<C, T> {
    waiting: Mutex<VecDeque<Waiting<C, T>>>,
    turns: Semaphore,
}

struct Waiting<C, T> {
    call: C,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<C: Clone, T> Gather<C, T> {
    /// Allows `turns` transactions at a time. While that many are in progress, calls gather.
    pub(in crate::store) fn new(turns: u32) -> Self {
        Self { waiting: Mutex::default(), turns: Semaphore::new(turns as usize) }
    }

    /// Makes a call together with the calls that wait, or waits while another caller makes it.
    async fn make<F>(&self, call: C, all: impl Fn(Vec<C>) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Gathered<T>>,
    {
        let mut reply = self.wait(call.clone());
        loop {
            tokio::select! {
                biased;
                replied = &mut reply => match replied {
                    Ok(result) => return result,
                    // The caller that made this call went away. The call may have taken effect; a repeat is safe.
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
        // Callers that went away need no answer.
        waiting.retain(|waiting| !waiting.reply.is_closed());
        let taken = waiting.len().min(CALLS_MAX);
        waiting.drain(..taken).collect()
    }
}

async fn make_all<C: Clone, T, F>(waiting: Vec<Waiting<C, T>>, all: &impl Fn(Vec<C>) -> F)
where
    F: Future<Output = Gathered<T>>,
{
    if waiting.is_empty() {
        return;
    }
    let is_alone = waiting.len() == 1;
    match all(waiting.iter().map(|waiting| waiting.call.clone()).collect()).await {
        Ok(results) => {
            for (Waiting { reply, .. }, result) in waiting.into_iter().zip(results) {
                // A caller that went away meanwhile needs no answer.
                let _ = reply.send(result);
            }
        }
        // One call may have caused the error. Make each call alone, so that the others do not fail with it.
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

    /// Doubles numbers, one transaction at a time. Each transaction begins only when the test allows it.
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

    /// Runs all tasks until each of them waits.
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
    async fn calls_gather_during_a_transaction_and_run_together() {
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
    async fn failing_call_does_not_fail_the_others() {
        let (gather, doubles, mut calls) = (Arc::new(Gather::new(1)), Arc::new(Doubles::default()), JoinSet::new());
        for call in [1, 12, 13, 14] {
            spawn(&mut calls, &gather, &doubles, call);
            settle().await;
        }
        all_come_out_right(&doubles, &mut calls).await;
        assert_eq!(*doubles.batches.lock().unwrap(), [1, 3, 1, 1, 1]);
    }

    #[tokio::test]
    async fn calls_of_a_vanished_caller_are_made_by_others() {
        let (gather, doubles, mut calls) = (Arc::new(Gather::new(1)), Arc::new(Doubles::default()), JoinSet::new());
        spawn(&mut calls, &gather, &doubles, 1);
        settle().await;
        let (gathered, made) = (Arc::clone(&gather), Arc::clone(&doubles));
        let maker = tokio::spawn(async move { gathered.make(2, |calls| made.all(calls)).await });
        settle().await;
        spawn(&mut calls, &gather, &doubles, 3);
        settle().await;
        // The first call is done. The second caller makes its own call and the third one, and goes away.
        doubles.begin.notify_one();
        settle().await;
        assert_eq!(doubles.begun.load(Ordering::SeqCst), 2);
        maker.abort();
        settle().await;
        all_come_out_right(&doubles, &mut calls).await;
        assert_eq!(*doubles.batches.lock().unwrap(), [1, 1]);
    }
}
