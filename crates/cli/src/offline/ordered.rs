//! Runs work on several threads, and returns the results in the order of the items. The source is read only a bounded distance
//! ahead of the results that were taken.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, channel, sync_channel},
    },
    thread,
};

/// The maximum number of items per thread that are read before the next result is taken. It is large enough that a few slow
/// items do not block the other threads.
const AHEAD_PER_THREAD: usize = 64;

/// Gets the result of one item.
type Pending<O> = Receiver<thread::Result<O>>;

/// The results, in the order of the items. A panic on a thread resumes in the thread that takes its result.
#[derive(Debug)]
pub struct Ordered<O> {
    pending: Receiver<Pending<O>>,
    /// The first pending result, if [`Self::is_ready`] found it not ready.
    first: Option<Pending<O>>,
    /// The next result, if [`Self::is_ready`] has found it.
    ready: Option<thread::Result<O>>,
}

/// Starts threads that work on the items, and one that reads the items. They end after the last item, or soon after the results
/// are dropped. Nothing joins the threads, because the reader may wait forever for a line of input.
pub fn ordered<I, O>(
    threads: u32,
    items: impl Iterator<Item = I> + Send + 'static,
    work: impl Fn(I) -> O + Send + Sync + 'static,
) -> Ordered<O>
where
    I: Send + 'static,
    O: Send + 'static,
{
    let threads = threads as usize;
    // One more item waits outside the queue.
    let (queue, pending) = sync_channel(threads * AHEAD_PER_THREAD - 1);
    // As long as the queue, so that the reader does not wait for a thread at each item.
    let (jobs, taken) = sync_channel(threads * AHEAD_PER_THREAD);
    thread::spawn(move || {
        for item in items {
            let (done, result) = channel();
            if queue.send(result).is_err() || jobs.send((item, done)).is_err() {
                return;
            }
        }
    });
    let (taken, work) = (Arc::new(Mutex::new(taken)), Arc::new(work));
    for _ in 0..threads {
        let (taken, work) = (Arc::clone(&taken), Arc::clone(&work));
        thread::spawn(move || {
            loop {
                // The thread keeps the lock while it waits for an item. No other thread could take one meanwhile.
                let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((item, done)) = next else { return };
                // Nothing takes the result if the results were dropped.
                let _ = done.send(catch_unwind(AssertUnwindSafe(|| work(item))));
            }
        });
    }
    Ordered { pending, first: None, ready: None }
}

impl<O> Ordered<O> {
    /// Whether the next result is ready, so that taking it does not wait.
    pub(crate) fn is_ready(&mut self) -> bool {
        if self.ready.is_none() {
            let first = self.first.take().or_else(|| self.pending.try_recv().ok());
            self.ready = first.as_ref().and_then(|first| first.try_recv().ok());
            self.first = first.filter(|_| self.ready.is_none());
        }
        self.ready.is_some()
    }
}

impl<O> Iterator for Ordered<O> {
    type Item = O;

    fn next(&mut self) -> Option<O> {
        let result = match self.ready.take() {
            Some(result) => result,
            None => self.first.take().map_or_else(|| self.pending.recv(), Ok).and_then(|first| first.recv()).ok()?,
        };
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_the_order_of_the_items_whoever_ends_first() {
        for threads in [1, 2, 5] {
            // The lower numbers of each ten take longest.
            let slow = |item: u64| (0..(10 - item % 10) * 1_000).fold(item, |same, _| black_box(same));
            let results: Vec<_> = ordered(threads, 0..2_000, slow).collect();
            assert_eq!(results, (0..2_000).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn no_more_items_are_taken_than_fit_between_source_and_results() {
        let taken = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&taken);
        let endless = (0_u64..).inspect(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let mut results = ordered(2, endless, |item| item);
        for number in 0..1_000 {
            assert_eq!(results.next(), Some(number));
            assert!(taken.load(Ordering::SeqCst) <= number + 1 + 2 * AHEAD_PER_THREAD as u64);
        }
    }

    #[test]
    #[should_panic(expected = "item 3 is bad")]
    fn a_panic_on_a_thread_goes_on_in_whoever_takes_its_result() {
        let mut results = ordered(2, 0..10, |item| if item == 3 { panic!("item {item} is bad") } else { item });
        assert_eq!(results.by_ref().take(3).collect::<Vec<_>>(), [0, 1, 2]);
        results.next();
    }

    #[test]
    fn no_items_have_no_results() {
        assert_eq!(ordered(3, 0..0, |item: u32| item).next(), None);
    }
}
