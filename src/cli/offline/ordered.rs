//! Runs work on several threads, and returns the results in the order of the items. An item starts only after enough
//! earlier results were taken, so the source is read only a bounded distance ahead.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// The number of results per thread that may be ready or in progress before the next result is taken. It is large
/// enough that a few slow items do not block the other threads.
const AHEAD_PER_THREAD: u64 = 64;

/// The results, in the order of the items. A panic on a thread resumes in the thread that takes its result.
#[derive(Debug)]
pub(in crate::cli) struct Ordered<O> {
    results: Receiver<(u64, thread::Result<O>)>,
    /// Results that came before those of lower numbers.
    early: BTreeMap<u64, thread::Result<O>>,
    gate: Arc<Gate>,
    /// The number of results taken.
    taken: u64,
}

/// Lets an item start when enough results before it have been taken.
#[derive(Debug)]
struct Gate {
    state: Mutex<GateState>,
    moved: Condvar,
}

#[derive(Debug)]
struct GateState {
    /// Items with a lower number may start.
    open_to: u64,
    closed: bool,
}

/// Starts threads that work on the items. They end after the last item, or soon after the results are dropped. Nothing
/// joins the threads, because a thread may wait forever for a line of input.
pub(in crate::cli) fn ordered<I, O>(
    threads: u32,
    items: impl Iterator<Item = I> + Send + 'static,
    work: impl Fn(I) -> O + Send + Sync + 'static,
) -> Ordered<O>
where
    O: Send + 'static,
{
    let (sender, results) = channel();
    let state = GateState { open_to: u64::from(threads) * AHEAD_PER_THREAD, closed: false };
    let gate = Arc::new(Gate { state: Mutex::new(state), moved: Condvar::new() });
    let source = Arc::new(Mutex::new((0, items)));
    let work = Arc::new(work);
    for _ in 0..threads {
        let (source, work, gate, sender) = (Arc::clone(&source), Arc::clone(&work), Arc::clone(&gate), sender.clone());
        thread::spawn(move || work_on(&source, &*work, &gate, &sender));
    }
    Ordered { results, early: BTreeMap::new(), gate, taken: 0 }
}

fn work_on<I, O>(
    source: &Mutex<(u64, impl Iterator<Item = I>)>,
    work: &impl Fn(I) -> O,
    gate: &Gate,
    results: &Sender<(u64, thread::Result<O>)>,
) {
    loop {
        let (number, item) = {
            // The thread may wait while it locks the source, because no later item could start either.
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            let number = source.0;
            if !gate.pass(number) {
                return;
            }
            let Some(item) = source.1.next() else { return };
            source.0 += 1;
            (number, item)
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(item)));
        if results.send((number, result)).is_err() {
            return;
        }
    }
}

impl Gate {
    /// Waits until the item may start. Returns false if no item may start any more.
    fn pass(&self, number: u64) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |state: &mut GateState| !state.closed && number >= state.open_to;
        !self.moved.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner).closed
    }

    fn change(&self, change: impl FnOnce(&mut GateState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.moved.notify_all();
    }
}

impl<O> Ordered<O> {
    /// Whether the next result is ready, so that taking it does not wait.
    pub(in crate::cli) fn is_ready(&mut self) -> bool {
        self.early.extend(self.results.try_iter());
        self.early.contains_key(&self.taken)
    }
}

impl<O> Iterator for Ordered<O> {
    type Item = O;

    fn next(&mut self) -> Option<O> {
        let result = loop {
            if let Some(result) = self.early.remove(&self.taken) {
                break result;
            }
            let (number, result) = self.results.recv().ok()?;
            self.early.insert(number, result);
        };
        self.taken += 1;
        self.gate.change(|state| state.open_to += 1);
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl<O> Drop for Ordered<O> {
    fn drop(&mut self) {
        self.gate.change(|state| state.closed = true);
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
            assert!(taken.load(Ordering::SeqCst) <= number + 1 + 2 * AHEAD_PER_THREAD);
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
