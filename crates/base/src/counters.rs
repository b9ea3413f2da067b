//! Counters, and histograms of durations, for all layers. The telemetry of the service writes them as metrics.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// A number that never decreases while the process runs.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// The counter of a `static`.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Adds 1.
    pub fn one(&self) {
        self.add(1);
    }

    /// Adds a number.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Relaxed);
    }

    /// The number.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Upper bounds of the buckets of short times, in microseconds: 250 µs to 10 s.
pub const SHORT_US: &[u64] =
    &[250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 2_500_000, 10_000_000];

/// Upper bounds of the buckets of long times, in microseconds: 10 ms to a day.
pub const LONG_US: &[u64] = &[
    10_000,
    100_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    15_000_000,
    60_000_000,
    300_000_000,
    1_800_000_000,
    7_200_000_000,
    28_800_000_000,
    86_400_000_000,
];

/// A histogram of durations.
#[derive(Debug)]
pub struct Durations {
    /// The upper bounds of all buckets except the last, in microseconds, in ascending order.
    bounds_us: &'static [u64],
    /// One more than there are bounds, because the last bucket has no bound.
    buckets: Box<[AtomicU64]>,
    sum_us: AtomicU64,
}

/// A histogram at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct DurationsNow {
    /// The upper bound of each bucket, in seconds, and the number of durations in it (not cumulative). The last bound
    /// is infinite.
    pub buckets: Vec<(f64, u64)>,
    /// The sum of all durations, in seconds.
    pub sum: f64,
    /// The number of durations.
    pub count: u64,
}

impl Durations {
    /// An empty histogram with these upper bounds, in microseconds, such as [`SHORT_US`].
    #[must_use]
    pub fn new(bounds_us: &'static [u64]) -> Self {
        let buckets = (0..=bounds_us.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds_us, buckets, sum_us: AtomicU64::new(0) }
    }

    /// Adds a duration.
    pub fn add(&self, duration: Duration) {
        let us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = self.bounds_us.partition_point(|&bound| bound < us);
        self.buckets[bucket].fetch_add(1, Relaxed);
        self.sum_us.fetch_add(us, Relaxed);
    }

    /// The histogram at this moment. If a duration is added meanwhile, either its count or its share of the sum may be
    /// missing.
    #[must_use]
    pub fn now(&self) -> DurationsNow {
        let counts: Vec<_> = self.buckets.iter().map(|bucket| bucket.load(Relaxed)).collect();
        let bounds = self.bounds_us.iter().map(|&us| in_seconds(us)).chain([f64::INFINITY]);
        DurationsNow {
            sum: in_seconds(self.sum_us.load(Relaxed)),
            count: counts.iter().sum(),
            buckets: bounds.zip(counts).collect(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "sums stay below 2^52 µs, which are 142 years")]
fn in_seconds(us: u64) -> f64 {
    us as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_falls_into_the_first_bucket_whose_bound_it_does_not_exceed() {
        let durations = Durations::new(&[1_000, 2_000]);
        for us in [0, 1_000, 1_001, 2_000, 2_001, 5_000_000] {
            durations.add(Duration::from_micros(us));
        }
        let now = durations.now();
        assert_eq!(now.buckets, [(0.001, 2), (0.002, 2), (f64::INFINITY, 2)]);
        assert_eq!(now.count, 6);
        assert!((now.sum - 5.006_002).abs() < 1e-9, "{}", now.sum);
    }
}
