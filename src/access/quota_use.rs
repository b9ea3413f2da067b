//! Counts a principal's use of two quotas in this process: calls per second, and time on compute threads.

use std::{
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::Clock as GovernorClock,
    middleware::NoOpMiddleware,
    state::{InMemoryState, NotKeyed},
};

use puzzled_base::clock::Clock;
use puzzled_store::access::{compute_quota::ComputeBucket, principal::Quotas};

/// A quota that would be exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverRate {
    /// The name of the quota.
    pub quota: &'static str,
    /// The limit that the quota sets.
    pub max: NonZeroU32,
    /// Time until the quota allows the call, if the principal makes no other calls until then.
    pub wait: Duration,
}

/// The counters of a principal, one for each quota that it has.
#[derive(Debug)]
pub struct Usage {
    quotas: Quotas,
    clock: Arc<dyn Clock>,
    calls: Option<RateLimiter<NotKeyed, InMemoryState, Monotonic, NoOpMiddleware<Duration>>>,
    compute: Option<Mutex<ComputeBucket>>,
}

impl Usage {
    /// Nothing is used yet.
    #[must_use]
    pub fn new(quotas: Quotas, clock: &Arc<dyn Clock>) -> Self {
        let limiter = |max| RateLimiter::direct_with_clock(Quota::per_second(max), Monotonic(Arc::clone(clock)));
        let bucket = |max| Mutex::new(ComputeBucket::full(max, clock.elapsed()));
        Self {
            quotas,
            clock: Arc::clone(clock),
            calls: quotas.calls_per_second.map(limiter),
            compute: quotas.compute_seconds_per_minute.map(bucket),
        }
    }

    pub(super) fn counts(&self, quotas: Quotas) -> bool {
        self.quotas == quotas
    }

    /// Counts a call.
    ///
    /// # Errors
    /// [`OverRate`] if it would exceed `calls_per_second`. The call is then not counted.
    pub fn call(&self) -> Result<(), OverRate> {
        let (Some(calls), Some(max)) = (&self.calls, self.quotas.calls_per_second) else { return Ok(()) };
        calls.check().map_err(|refused| {
            let wait = refused.wait_time_from(self.clock.elapsed());
            OverRate { quota: "calls_per_second", max, wait }
        })
    }

    /// Allows work on a compute thread. Its time is charged afterwards, by [`Self::charge`].
    ///
    /// # Errors
    /// [`OverRate`] if `compute_seconds_per_minute` is used up.
    pub fn may_compute(&self) -> Result<(), OverRate> {
        let (Some(bucket), Some(max)) = (&self.compute, self.quotas.compute_seconds_per_minute) else { return Ok(()) };
        let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
        match bucket.wait(self.clock.elapsed()) {
            None => Ok(()),
            Some(wait) => Err(OverRate { quota: "compute_seconds_per_minute", max, wait }),
        }
    }

    /// Charges time on a compute thread.
    pub fn charge(&self, used: Duration) {
        if let Some(bucket) = &self.compute {
            bucket.lock().unwrap_or_else(PoisonError::into_inner).charge(self.clock.elapsed(), used);
        }
    }
}

/// The monotonic clock of the process, for governor.
#[derive(Debug, Clone)]
struct Monotonic(Arc<dyn Clock>);

impl GovernorClock for Monotonic {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
