//! Runs the engine's work for callers on a bounded number of separate threads, so that it never delays other calls. A
//! call that waits for a thread holds a seat, and the calls of one [`ShareKey`] can hold only half of the seats.

mod schedule;
mod waiting_line;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::oneshot;

use crate::{
    calls::{
        errors::ServiceError,
        limits::places::{Full, ShareKey},
    },
    settings::Limits,
};
pub(crate) use schedule::Class;
use schedule::Schedule;
use waiting_line::CallId;

/// Set when the caller cancels the call.
pub(crate) type Cancel = AtomicBool;

/// The compute threads. Their number is fixed; each call passes the limits on seats.
#[derive(Debug)]
pub(crate) struct Compute {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug)]
struct Shared {
    schedule: Schedule,
    /// The senders that wake calls that no longer wait.
    wakes: HashMap<CallId, oneshot::Sender<()>>,
}

/// A seat for short work that follows later and will not be refused.
#[derive(Debug)]
pub(crate) struct Seat(Scheduled);

/// A call in the schedule. It leaves the schedule when this value is dropped, whether it waits, runs, or has ended.
#[derive(Debug)]
struct Scheduled {
    call: CallId,
    shared: Arc<Mutex<Shared>>,
}

impl Compute {
    pub(crate) fn new(threads: u32) -> Self {
        let shared = Shared { schedule: Schedule::new(threads), wakes: HashMap::new() };
        Self { shared: Arc::new(Mutex::new(shared)) }
    }

    /// Runs `work` on one of the threads. The flag that `work` gets is set when the caller disconnects.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] and [`ServiceError::CallerBusy`] if the call would have to wait and there is no seat;
    /// [`ServiceError::Internal`] if `work` panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        class: Class,
        key: &ShareKey,
        limits: &Limits,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let seats_max = seats_max(class, limits);
        let call = lock(&self.shared).schedule.enter(class, key, seats_max);
        self.scheduled(call.map_err(|full| busy(full, class, seats_max))?).run(work).await
    }

    /// Takes a seat for short work that follows later.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] and [`ServiceError::CallerBusy`] if there is no seat.
    pub(crate) fn seat(&self, key: &ShareKey, limits: &Limits) -> Result<Seat, ServiceError> {
        let seats_max = seats_max(Class::Short, limits);
        let call = lock(&self.shared).schedule.reserve(Class::Short, key, seats_max);
        Ok(Seat(self.scheduled(call.map_err(|full| busy(full, Class::Short, seats_max))?)))
    }

    /// Like [`Self::seat`], but waits for a seat. Waiting callers take turns.
    pub(crate) async fn seat_in_turn(&self, key: &ShareKey, limits: &Limits) -> Seat {
        let seats_max = seats_max(Class::Short, limits);
        let scheduled = self.scheduled(lock(&self.shared).schedule.reserve_in_turn(Class::Short, key, seats_max));
        scheduled.awaited().await;
        Seat(scheduled)
    }

    /// Returns a function that counts the calls of each class that wait for a thread.
    pub(crate) fn waiting(&self) -> impl Fn() -> [(&'static str, u32); 2] + Send + Sync + use<> {
        let shared = Arc::clone(&self.shared);
        move || {
            let schedule = &lock(&shared).schedule;
            [("short", schedule.waiting(Class::Short)), ("long", schedule.waiting(Class::Long))]
        }
    }

    fn scheduled(&self, call: CallId) -> Scheduled {
        Scheduled { call, shared: Arc::clone(&self.shared) }
    }
}

impl Seat {
    /// Runs `work` like [`Compute::run`], without refusing it.
    ///
    /// # Errors
    /// [`ServiceError::Internal`] if `work` panics.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        lock(&self.0.shared).change(|schedule| schedule.begin(self.0.call));
        self.0.run(work).await
    }
}

impl Scheduled {
    /// Returns when the call no longer waits.
    async fn awaited(&self) {
        let woken = {
            let mut shared = lock(&self.shared);
            shared.schedule.waits(self.call).then(|| {
                let (wake, woken) = oneshot::channel();
                shared.wakes.insert(self.call, wake);
                woken
            })
        };
        if let Some(woken) = woken {
            // This fails only if the call has left the schedule.
            let _ = woken.await;
        }
    }

    async fn run<T: Send + 'static>(self, work: impl FnOnce(&Cancel) -> T + Send + 'static) -> Result<T, ServiceError> {
        self.awaited().await;
        let cancel = Arc::new(AtomicBool::new(false));
        let _raised_when_dropped = RaiseOnDrop(Arc::clone(&cancel));
        let done = tokio::task::spawn_blocking(move || {
            // The seat is held until the thread is free, even if the caller disconnects earlier or the work panics.
            let _held = self;
            work(&cancel)
        });
        done.await.map_err(|error| ServiceError::Internal(format!("the engine's thread failed: {error}")))
    }
}

impl Drop for Scheduled {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.wakes.remove(&self.call);
        shared.change(|schedule| schedule.leave(self.call));
    }
}

impl Shared {
    /// Changes the schedule, and wakes the calls that no longer wait.
    fn change(&mut self, change: impl FnOnce(&mut Schedule) -> Vec<CallId>) {
        for call in change(&mut self.schedule) {
            if let Some(wake) = self.wakes.remove(&call) {
                // If the receiver is gone, the seat is about to be dropped.
                let _ = wake.send(());
            }
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn seats_max(class: Class, limits: &Limits) -> u32 {
    match class {
        Class::Short => limits.max_waiting_short,
        Class::Long => limits.max_waiting_long,
    }
}

fn busy(full: Full, class: Class, seats_max: u32) -> ServiceError {
    let subject = match class {
        Class::Short => "hints, verdicts, solutions, pictures, and scrambled views that wait for a thread",
        Class::Long => "ratings, imports, solutions with steps, and recorded texts that wait for a thread",
    };
    full.busy(subject, seats_max)
}

struct RaiseOnDrop(Arc<AtomicBool>);

impl Drop for RaiseOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const A: ShareKey = ShareKey::Connection(1);
    const B: ShareKey = ShareKey::Connection(2);

    fn limits(waiting_max: u32) -> Limits {
        Limits { max_waiting_short: waiting_max, max_waiting_long: waiting_max, ..Limits::default() }
    }

    #[tokio::test]
    async fn flag_is_raised_when_the_caller_disconnects() {
        let (compute, limits) = (Compute::new(1), limits(1));
        let (started, starts) = oneshot::channel();
        let (stopped, stops) = mpsc::channel();
        let work = compute.run(Class::Long, &A, &limits, move |cancel| {
            started.send(()).unwrap();
            while !cancel.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            stopped.send(()).unwrap();
        });
        tokio::select! {
            done = work => panic!("ended before it was cancelled: {done:?}"),
            started = starts => started.unwrap(),
        }
        stops.recv().unwrap();
    }

    #[tokio::test]
    async fn work_beyond_threads_and_places_is_refused_and_a_panic_is_only_its_own() {
        let (compute, limits) = (Compute::new(1), limits(2));
        let (release, released) = mpsc::channel::<()>();
        let first = compute.run(Class::Short, &A, &limits, move |_| released.recv().unwrap());
        let second = compute.run(Class::Short, &A, &limits, |_| panic!("boom"));
        let third = compute.run(Class::Short, &B, &limits, |_| 3);
        let refused = async {
            let own = compute.run(Class::Short, &A, &limits, |_| ()).await;
            let all = compute.run(Class::Short, &ShareKey::Internal, &limits, |_| ()).await;
            release.send(()).unwrap();
            (own, all)
        };
        let (first, second, third, (own, all)) = tokio::join!(first, second, third, refused);
        assert!(first.is_ok());
        assert!(matches!(second, Err(ServiceError::Internal(_))), "{second:?}");
        assert_eq!(third.unwrap(), 3);
        assert!(matches!(own, Err(ServiceError::Busy { max: 2, .. })), "{own:?}");
        assert!(matches!(all, Err(ServiceError::Busy { max: 2, .. })), "{all:?}");
        assert_eq!(compute.run(Class::Long, &A, &limits, |_| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn waiting_caller_that_disconnects_frees_its_place_and_turn() {
        let (compute, limits) = (Compute::new(1), limits(2));
        let (release, released) = mpsc::channel::<()>();
        let holds = compute.run(Class::Short, &A, &limits, move |_| released.recv().unwrap());
        let others = async {
            let gone = compute.run(Class::Short, &A, &limits, |_| panic!("it had gone"));
            tokio::select! {
                biased;
                done = gone => panic!("{done:?}"),
                () = std::future::ready(()) => {}
            }
            let seat = compute.seat(&A, &limits).unwrap();
            let refused = compute.seat(&A, &limits);
            assert!(matches!(refused, Err(ServiceError::CallerBusy { max: 1, .. })), "{refused:?}");
            release.send(()).unwrap();
            seat.run(|_| 5).await.unwrap()
        };
        let (held, done) = tokio::join!(holds, others);
        held.unwrap();
        assert_eq!(done, 5);
    }

    #[tokio::test]
    async fn seat_in_turn_follows_when_a_place_is_freed() {
        let (compute, limits) = (Compute::new(1), limits(1));
        let first = compute.seat_in_turn(&A, &limits).await;
        let second = async { compute.seat_in_turn(&A, &limits).await.run(|_| 2).await.unwrap() };
        let (first, second) = tokio::join!(async { first.run(|_| 1).await.unwrap() }, second);
        assert_eq!((first, second), (1, 2));
    }
}
