//! The engine's work for callers, on a bounded number of threads of its own, so that it never holds up other calls.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Semaphore;

use super::errors::ServiceError;

/// The threads, and the places of those who wait for one.
#[derive(Debug)]
pub(super) struct Compute {
    threads: Arc<Semaphore>,
    places: Arc<Semaphore>,
    places_max: u32,
}

impl Compute {
    pub(super) fn new(threads: u32, waiting_max: u32) -> Self {
        let threads = threads.max(1);
        let places_max = threads.saturating_add(waiting_max);
        let semaphore = |permits: u32| Arc::new(Semaphore::new(permits as usize));
        Self { threads: semaphore(threads), places: semaphore(places_max), places_max }
    }

    /// Runs `work` on one of the threads. The flag that it is given goes up when the caller goes away.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] if all places are taken; [`ServiceError::Internal`] if `work` panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let busy = || ServiceError::Busy { subject: "texts being solved, rated or validated", max: self.places_max };
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| busy())?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| busy())?;
        let cancel = Arc::new(AtomicBool::new(false));
        let _raised_when_dropped = RaiseOnDrop(Arc::clone(&cancel));
        let done = tokio::task::spawn_blocking(move || {
            // Both are held until the thread is free in fact, however early the caller goes away.
            let _held = (place, thread);
            work(&cancel)
        });
        done.await.map_err(|error| ServiceError::Internal(format!("the engine's thread failed: {error}")))
    }
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

    #[tokio::test]
    async fn the_flag_goes_up_when_the_caller_goes_away() {
        let compute = Compute::new(1, 0);
        let (started, starts) = tokio::sync::oneshot::channel();
        let (stopped, stops) = mpsc::channel();
        let work = compute.run(move |cancel| {
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
        let compute = Compute::new(1, 1);
        let (release, released) = mpsc::channel::<()>();
        let first = compute.run(move |_| released.recv().unwrap());
        let second = compute.run(|_| panic!("boom"));
        let third = async {
            let refused = compute.run(|_| ()).await;
            release.send(()).unwrap();
            refused
        };
        let (first, second, third) = tokio::join!(first, second, third);
        assert!(first.is_ok());
        assert!(matches!(second, Err(ServiceError::Internal(_))), "{second:?}");
        assert!(matches!(third, Err(ServiceError::Busy { max: 2, .. })), "{third:?}");
        assert_eq!(compute.run(|_| 7).await.unwrap(), 7);
    }
}
