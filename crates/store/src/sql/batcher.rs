//! Collects the concurrent calls of many callers into batches. Calls that arrive while all turns are taken wait for the next batch, so that they
//! share one commit and one connection.

use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::StoreError;

/// The maximum number of calls that wait for a batch. Further callers wait until the task takes one.
const WAITING_MAX: usize = 1_024;

/// The callers' side of the task. The task ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Batcher<C, T> {
    calls: mpsc::Sender<Waiting<C, T>>,
}

/// How large batches are, how many may run at once, and when they end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Batches {
    /// The maximum number of calls in a batch.
    pub(crate) calls_max: usize,
    /// The maximum number of batches at a time.
    pub(crate) turns: usize,
    /// Whether a batch continues if all its callers go away. Otherwise, it is dropped halfway, which changes nothing.
    pub(crate) outlive_callers: bool,
}

#[derive(Debug)]
struct Waiting<C, T> {
    call: C,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<C: Send + 'static, T: Send + 'static> Batcher<C, T> {
    /// Starts the task. `run` makes a batch of calls on a clone of `on`, and returns one answer per call, in the same
    /// order.
    pub(crate) fn start<S, F>(on: S, batches: Batches, run: impl Fn(S, Vec<C>) -> F + Send + 'static) -> Self
    where
        S: Clone + Send + 'static,
        F: Future<Output = Result<Vec<T>, StoreError>> + Send + 'static,
    {
        let (calls, inbox) = mpsc::channel(WAITING_MAX);
        tokio::spawn(serve(batches, move |calls| run(on.clone(), calls), inbox));
        Self { calls }
    }

    /// Makes a call in the next batch that has room. If the caller goes away before its batch begins, the call is not
    /// made. If it goes away later, the call is made and its answer dropped; without
    /// [`Batches::outlive_callers`], a batch that has lost all its callers is dropped instead.
    ///
    /// # Errors
    /// The error of the batch, which all its callers share; [`StoreError::Stopped`] if the batch panicked.
    pub(crate) async fn call(&self, call: C) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.calls.send(Waiting { call, reply }).await.map_err(|_| StoreError::Stopped)?;
        answer.await.map_err(|_| StoreError::Stopped)?
    }
}

async fn serve<C, T, F>(batches: Batches, run: impl Fn(Vec<C>) -> F, mut inbox: mpsc::Receiver<Waiting<C, T>>)
where
    T: Send + 'static,
    F: Future<Output = Result<Vec<T>, StoreError>> + Send + 'static,
{
    let turns = Arc::new(Semaphore::new(batches.turns));
    while let Ok(turn) = Arc::clone(&turns).acquire_owned().await {
        let mut batch = Vec::new();
        if inbox.recv_many(&mut batch, batches.calls_max).await == 0 {
            return;
        }
        gather(batches.calls_max, &mut inbox, &mut batch).await;
        batch.retain(|waiting| !waiting.reply.is_closed());
        let (calls, replies): (Vec<_>, Vec<_>) = batch.into_iter().map(|waiting| (waiting.call, waiting.reply)).unzip();
        if !calls.is_empty() {
            let made = run(calls);
            // Each batch has its own task, so that a panic in one does not end the others.
            tokio::spawn(async move {
                answer(replies, made, batches.outlive_callers).await;
                drop(turn);
            });
        }
    }
}

async fn answer<T>(
    mut replies: Vec<oneshot::Sender<Result<T, StoreError>>>,
    made: impl Future<Output = Result<Vec<T>, StoreError>>,
    outlive_callers: bool,
) {
    let all_gone = async {
        for reply in &mut replies {
            reply.closed().await;
        }
    };
    let made = tokio::select! {
        made = made => made,
        () = all_gone, if !outlive_callers => return,
    };
    let answers: Vec<_> = match made {
        Ok(answers) => answers.into_iter().map(Ok).collect(),
        Err(error) if replies.len() == 1 => vec![Err(error)],
        Err(error) => {
            let error = Arc::new(error);
            replies.iter().map(|_| Err(StoreError::Shared(Arc::clone(&error)))).collect()
        }
    };
    for (reply, answer) in replies.into_iter().zip(answers) {
        // Sending a reply fails only if its caller has gone away.
        let _ = reply.send(answer);
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

/// Makes the calls of a batch together. If they fail with an error that a repeat would not avoid, makes each call alone, so
/// that one call does not fail the others. Only for calls that may be repeated.
pub(crate) async fn apart<C: Clone, T, F>(calls: Vec<C>, all: impl Fn(Vec<C>) -> F) -> Answers<T>
where
    F: Future<Output = Answers<T>>,
{
    match all(calls.clone()).await {
        Err(error) if calls.len() > 1 && !error.is_passing() => {
            let mut answers = Vec::with_capacity(calls.len());
            for call in calls {
                answers.push(alone(call, &all).await);
            }
            Ok(answers)
        }
        made => made,
    }
}

/// Makes a batch of one call, and returns its answer.
pub(crate) async fn alone<C, T, F>(call: C, all: impl Fn(Vec<C>) -> F) -> Result<T, StoreError>
where
    F: Future<Output = Answers<T>>,
{
    all(vec![call]).await?.pop().expect("each call has an answer")
}

/// The answer to each call of a batch.
pub(crate) type Answers<T> = Result<Vec<Result<T, StoreError>>, StoreError>;

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::task::JoinHandle;

    use super::*;

    const ONE_AT_A_TIME: Batches = Batches { calls_max: 4, turns: 1, outlive_callers: true };

    /// A batcher that doubles numbers. Each batch waits for a permit from the test.
    struct Doubles {
        batcher: Arc<Batcher<u32, Result<u32, StoreError>>>,
        made: Arc<Made>,
    }

    struct Made {
        permits: Semaphore,
        batches: Mutex<Vec<Vec<u32>>>,
    }

    impl Made {
        async fn all(&self, calls: Vec<u32>) -> Answers<u32> {
            self.batches.lock().unwrap().push(calls.clone());
            self.permits.acquire().await.unwrap().forget();
            if calls.contains(&13) {
                return Err(StoreError::Injected("thirteen"));
            }
            if calls.contains(&17) {
                return Err(StoreError::Corrupt { table: "t", column: "c", id: 17 });
            }
            Ok(calls.into_iter().map(|call| Ok(call * 2)).collect())
        }
    }

    impl Doubles {
        fn start(sizes: Batches) -> Self {
            let made = Arc::new(Made { permits: Semaphore::new(0), batches: Mutex::default() });
            let batcher = Batcher::start(Arc::clone(&made), sizes, |made, calls| async move {
                apart(calls, |calls| made.all(calls)).await
            });
            Self { batcher: Arc::new(batcher), made }
        }

        /// Starts these calls in order, each from its own task, and returns once all of them wait.
        async fn call(&self, calls: impl IntoIterator<Item = u32>) -> Vec<JoinHandle<Result<u32, StoreError>>> {
            let mut callers = Vec::new();
            for call in calls {
                let batcher = Arc::clone(&self.batcher);
                callers.push(tokio::spawn(async move { batcher.call(call).await.flatten() }));
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
        let doubles = Doubles::start(ONE_AT_A_TIME);
        let mut callers = doubles.call([0]).await;
        callers.extend(doubles.call(1..=6).await);
        doubles.made.permits.add_permits(3);
        for (call, caller) in (0..).zip(callers) {
            assert_eq!(caller.await.unwrap().unwrap(), 2 * call);
        }
        assert_eq!(doubles.batches(), [vec![0], vec![1, 2, 3, 4], vec![5, 6]]);
    }

    #[tokio::test]
    async fn calls_gather_once_all_turns_are_taken() {
        let doubles = Doubles::start(Batches { turns: 2, ..ONE_AT_A_TIME });
        let mut callers = doubles.call([0]).await;
        callers.extend(doubles.call([1]).await);
        callers.extend(doubles.call([2]).await);
        callers.extend(doubles.call([3]).await);
        assert_eq!(doubles.batches(), [[0], [1]]);
        doubles.made.permits.add_permits(3);
        for (call, caller) in (0..).zip(callers) {
            assert_eq!(caller.await.unwrap().unwrap(), 2 * call);
        }
        assert_eq!(doubles.batches(), [vec![0], vec![1], vec![2, 3]]);
    }

    #[tokio::test]
    async fn failed_batch_fails_its_callers_but_not_the_next_batch() {
        let doubles = Doubles::start(ONE_AT_A_TIME);
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
    async fn failing_call_does_not_fail_the_others() {
        let doubles = Doubles::start(ONE_AT_A_TIME);
        let callers = doubles.call([16, 17, 18]).await;
        doubles.made.permits.add_permits(4);
        for (caller, answer) in callers.into_iter().zip([Some(32), None, Some(36)]) {
            let result = caller.await.unwrap();
            match answer {
                Some(answer) => assert_eq!(result.unwrap(), answer),
                None => assert!(matches!(result, Err(StoreError::Corrupt { id: 17, .. })), "{result:?}"),
            }
        }
        assert_eq!(doubles.batches(), [vec![16, 17, 18], vec![16], vec![17], vec![18]]);
    }

    #[tokio::test]
    async fn calls_of_vanished_callers_are_not_made() {
        let doubles = Doubles::start(ONE_AT_A_TIME);
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
    async fn batch_that_needs_callers_goes_on_until_the_last_one_vanishes() {
        let doubles = Doubles::start(Batches { outlive_callers: false, ..ONE_AT_A_TIME });
        let first = doubles.call([1, 2]).await;
        let next = doubles.call([3]).await;
        first[0].abort();
        settle().await;
        assert_eq!(doubles.batches(), [[1, 2]]);
        first[1].abort();
        settle().await;
        assert_eq!(doubles.batches(), [vec![1, 2], vec![3]]);
        // The dropped batch takes no permit.
        doubles.made.permits.add_permits(1);
        for caller in next {
            assert_eq!(caller.await.unwrap().unwrap(), 6);
        }
    }

    #[tokio::test]
    async fn callers_beyond_the_limit_wait_and_are_answered() {
        let doubles = Doubles::start(ONE_AT_A_TIME);
        let calls = WAITING_MAX + 3 * ONE_AT_A_TIME.calls_max;
        let callers = doubles.call((100..).take(calls)).await;
        assert_eq!(doubles.batcher.calls.capacity(), 0);
        doubles.made.permits.add_permits(WAITING_MAX);
        for (call, caller) in (100..).zip(callers) {
            assert_eq!(caller.await.unwrap().unwrap(), 2 * call);
        }
    }

    #[tokio::test]
    async fn calls_of_a_batch_that_panics_fail() {
        let doubles = Doubles::start(ONE_AT_A_TIME);
        let callers = doubles.call([1]).await;
        doubles.made.permits.close();
        settle().await;
        for caller in callers {
            assert!(matches!(caller.await.unwrap(), Err(StoreError::Stopped)));
        }
        assert!(matches!(doubles.batcher.call(2).await, Err(StoreError::Stopped)));
    }
}
