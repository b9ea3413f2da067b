//! Runs the calls of many callers in batches, in one task. Calls that arrive during a batch form the next one, so that
//! their callers share one commit and one wait for the disk.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::store::StoreError;

/// The maximum number of calls that wait for a batch. Further callers wait until the task takes one.
const WAITING_MAX: usize = 1_024;

/// The callers' side of the task. The task ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Batcher<C, T> {
    calls: mpsc::Sender<Waiting<C, T>>,
}

#[derive(Debug)]
struct Waiting<C, T> {
    call: C,
    reply: oneshot::Sender<Result<T, Arc<StoreError>>>,
}

impl<C: Send + 'static, T: Send + 'static> Batcher<C, T> {
    /// Starts the task. `run` makes a batch of at most `batch_max` calls on a clone of `on`, and returns one answer per
    /// call, in the same order.
    pub(crate) fn start<S, F>(on: S, batch_max: usize, run: impl Fn(S, Vec<C>) -> F + Send + 'static) -> Self
    where
        S: Clone + Send + 'static,
        F: Future<Output = Result<Vec<T>, StoreError>> + Send + 'static,
    {
        let (calls, inbox) = mpsc::channel(WAITING_MAX);
        tokio::spawn(serve(batch_max, move |calls| run(on.clone(), calls), inbox));
        Self { calls }
    }

    /// Makes a call in the next batch that has room. If the caller goes away before its batch begins, the call is not
    /// made. If it goes away later, the call is made and its answer dropped.
    ///
    /// # Errors
    /// The error of the batch, which all its callers share; [`StoreError::Stopped`] if the task has ended.
    pub(crate) async fn call(&self, call: C) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.calls.send(Waiting { call, reply }).await.map_err(|_| StoreError::Stopped)?;
        answer.await.map_err(|_| StoreError::Stopped)?.map_err(StoreError::Shared)
    }
}

async fn serve<C, T, F>(batch_max: usize, run: impl Fn(Vec<C>) -> F, mut inbox: mpsc::Receiver<Waiting<C, T>>)
where
    F: Future<Output = Result<Vec<T>, StoreError>>,
{
    let mut batch = Vec::with_capacity(batch_max);
    while inbox.recv_many(&mut batch, batch_max).await > 0 {
        gather(batch_max, &mut inbox, &mut batch).await;
        batch.retain(|waiting| !waiting.reply.is_closed());
        if batch.is_empty() {
            continue;
        }
        let (calls, replies): (Vec<_>, Vec<_>) = batch.drain(..).map(|waiting| (waiting.call, waiting.reply)).unzip();
        // Sending a reply fails only if its caller has gone away.
        match run(calls).await {
            Ok(answers) => {
                for (reply, answer) in replies.into_iter().zip(answers) {
                    let _ = reply.send(Ok(answer));
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                for reply in replies {
                    let _ = reply.send(Err(Arc::clone(&error)));
                }
            }
        }
    }
}

/// Adds the calls that are about to arrive, such as those of callers that were just answered and call again. Without
/// this, the callers would split into two halves that alternate. Ends once no further call arrives.
async fn gather<W>(batch_max: usize, inbox: &mut mpsc::Receiver<W>, batch: &mut Vec<W>) {
    let mut before = 0;
    while before < batch.len() && batch.len() < batch_max {
        before = batch.len();
        tokio::task::yield_now().await;
        while batch.len() < batch_max
            && let Ok(waiting) = inbox.try_recv()
        {
            batch.push(waiting);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::{sync::Semaphore, task::JoinHandle};

    use super::*;

    const BATCH_MAX: usize = 4;

    /// A batcher that doubles numbers. Each batch waits for a permit from the test.
    struct Doubles {
        batcher: Arc<Batcher<u32, u32>>,
        made: Arc<Made>,
    }

    struct Made {
        permits: Semaphore,
        batches: Mutex<Vec<Vec<u32>>>,
    }

    impl Doubles {
        fn start() -> Self {
            let made = Arc::new(Made { permits: Semaphore::new(0), batches: Mutex::default() });
            let batcher = Batcher::start(Arc::clone(&made), BATCH_MAX, |made, calls: Vec<u32>| async move {
                made.batches.lock().unwrap().push(calls.clone());
                made.permits.acquire().await.unwrap().forget();
                if calls.contains(&13) {
                    return Err(StoreError::Injected("thirteen"));
                }
                Ok(calls.into_iter().map(|call| call * 2).collect())
            });
            Self { batcher: Arc::new(batcher), made }
        }

        /// Starts these calls in order, each from its own task, and returns once all of them wait.
        async fn call(&self, calls: impl IntoIterator<Item = u32>) -> Vec<JoinHandle<Result<u32, StoreError>>> {
            let mut callers = Vec::new();
            for call in calls {
                let batcher = Arc::clone(&self.batcher);
                callers.push(tokio::spawn(async move { batcher.call(call).await }));
            }
            settle().await;
            callers
        }

        fn batches(&self) -> Vec<Vec<u32>> {
            self.made.batches.lock().unwrap().clone()
        }
    }

    /// Runs all tasks until each of them waits.
    async fn settle() {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn calls_gather_during_a_batch() {
        let doubles = Doubles::start();
        let mut callers = doubles.call([0]).await;
        callers.extend(doubles.call(1..=6).await);
        doubles.made.permits.add_permits(3);
        for (call, caller) in (0..).zip(callers) {
            assert_eq!(caller.await.unwrap().unwrap(), 2 * call);
        }
        assert_eq!(doubles.batches(), [vec![0], vec![1, 2, 3, 4], vec![5, 6]]);
    }

    #[tokio::test]
    async fn failed_batch_fails_its_callers_but_not_the_next_batch() {
        let doubles = Doubles::start();
        let first = doubles.call([12, 13]).await;
        let next = doubles.call([14]).await;
        doubles.made.permits.add_permits(2);
        for caller in first {
            let error = caller.await.unwrap().unwrap_err();
            assert!(
                matches!(&error, StoreError::Shared(shared) if matches!(**shared, StoreError::Injected("thirteen")))
            );
        }
        for caller in next {
            assert_eq!(caller.await.unwrap().unwrap(), 28);
        }
    }

    #[tokio::test]
    async fn calls_of_vanished_callers_are_not_made() {
        let doubles = Doubles::start();
        let first = doubles.call([0]).await;
        let next = doubles.call([1, 2, 3]).await;
        next[1].abort();
        first[0].abort();
        settle().await;
        doubles.made.permits.add_permits(2);
        for (caller, answer) in next.into_iter().zip([Some(2), None, Some(6)]) {
            assert_eq!(caller.await.ok().map(Result::unwrap), answer);
        }
        assert_eq!(doubles.batches(), [vec![0], vec![1, 3]]);
    }

    #[tokio::test]
    async fn callers_beyond_the_limit_wait_and_are_answered() {
        let doubles = Doubles::start();
        let calls = WAITING_MAX + 3 * BATCH_MAX;
        let callers = doubles.call((100..).take(calls)).await;
        assert_eq!(doubles.batcher.calls.capacity(), 0);
        doubles.made.permits.add_permits(WAITING_MAX);
        for (call, caller) in (100..).zip(callers) {
            assert_eq!(caller.await.unwrap().unwrap(), 2 * call);
        }
    }

    #[tokio::test]
    async fn calls_after_the_end_of_the_task_fail() {
        let doubles = Doubles::start();
        let callers = doubles.call([1]).await;
        doubles.made.permits.close();
        settle().await;
        for caller in callers {
            assert!(matches!(caller.await.unwrap(), Err(StoreError::Stopped)));
        }
        assert!(matches!(doubles.batcher.call(2).await, Err(StoreError::Stopped)));
    }
}
