//! The clocks: the system's, and one that tests move. Only this file reads the time of day and the monotonic clock; all
//! other code gets a [`Clock`]. Also reads the CPU time of a thread, and defines [`Millis`], the type of times.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustix::time::{ClockId, clock_gettime};

/// A time: milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(pub i64);

impl Millis {
    /// The time `ms` milliseconds later, saturating at the ends of the range.
    #[must_use]
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds since `earlier`; negative if `earlier` is later.
    #[must_use]
    pub fn ms_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A source of the time of day, and of a monotonic time for durations.
pub trait Clock: Debug + Send + Sync {
    /// The time of day. It may jump.
    fn now(&self) -> Millis;

    /// Time since some fixed moment. It never decreases.
    fn elapsed(&self) -> Duration;
}

/// The machine's clocks.
#[derive(Debug)]
pub struct SystemClock {
    start: std::time::Instant,
}

impl SystemClock {
    /// Creates the clocks. [`Clock::elapsed`] starts from 0.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this file is where clocks are read")]
    pub fn shared() -> Arc<dyn Clock> {
        Arc::new(Self { start: std::time::Instant::now() })
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this file is where clocks are read")]
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(i64::try_from(since.as_millis()).expect("the year is below 292,000,000"))
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// CPU time that the calling thread has used. Other work on the machine hardly affects it.
#[must_use]
pub fn thread_cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// A clock for tests, which stands still until a test moves it.
#[derive(Debug, Default)]
pub struct ManualClock {
    now_ms: AtomicI64,
    elapsed_ms: AtomicI64,
}

impl ManualClock {
    /// A clock that shows `now`.
    #[must_use]
    pub fn at(now: Millis) -> Arc<Self> {
        Arc::new(Self { now_ms: AtomicI64::new(now.0), elapsed_ms: AtomicI64::new(0) })
    }

    /// Advances both clocks by `ms` milliseconds.
    pub fn advance_ms(&self, ms: i64) {
        self.now_ms.fetch_add(ms, Ordering::SeqCst);
        self.elapsed_ms.fetch_add(ms.max(0), Ordering::SeqCst);
    }

    /// Moves the time of day by `ms` milliseconds, but not the monotonic clock, as an operator or a time server may.
    pub fn jump_ms(&self, ms: i64) {
        self.now_ms.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        Millis(self.now_ms.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed_ms.load(Ordering::SeqCst).unsigned_abs())
    }
}
