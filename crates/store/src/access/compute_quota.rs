//! Rule: the quota of time on compute threads, as a bucket. Time flows into the bucket evenly, and work is charged after it
//! has ended. Pure functions: the caller passes the time.

use std::{num::NonZeroU32, time::Duration};

/// The time in which an empty bucket fills up.
const FILL: Duration = Duration::from_mins(1);

/// The time on compute threads that a principal may still use.
#[derive(Debug, Clone)]
pub struct ComputeBucket {
    seconds_per_minute: NonZeroU32,
    /// The time in the bucket, in units of 1/60 ns. So each nanosecond that passes adds `seconds_per_minute` units. If work
    /// took longer than the bucket had time, this is negative.
    left: i128,
    at: Duration,
}

impl ComputeBucket {
    /// A full bucket at `now` of a monotonic clock.
    #[must_use]
    pub fn full(seconds_per_minute: NonZeroU32, now: Duration) -> Self {
        let mut bucket = Self { seconds_per_minute, left: 0, at: now };
        bucket.left = bucket.capacity();
        bucket
    }

    /// The time until work may begin; `None` if work may begin now, however long it takes.
    pub fn wait(&mut self, now: Duration) -> Option<Duration> {
        self.fill(now);
        if self.left > 0 {
            return None;
        }
        // Work may begin from one unit on.
        let lacking = (1 - self.left).unsigned_abs();
        let nanos = lacking.div_ceil(u128::from(self.seconds_per_minute.get()));
        Some(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    }

    /// Charges the time that work took.
    pub fn charge(&mut self, now: Duration, used: Duration) {
        self.fill(now);
        self.left -= nanos(used) * i128::from(FILL.as_secs());
    }

    fn fill(&mut self, now: Duration) {
        let since = nanos(now.saturating_sub(self.at));
        self.left = (self.left + since * self.rate()).min(self.capacity());
        self.at = self.at.max(now);
    }

    fn capacity(&self) -> i128 {
        nanos(FILL) * self.rate()
    }

    fn rate(&self) -> i128 {
        i128::from(self.seconds_per_minute.get())
    }
}

/// At most 2^94, so that products with a rate stay below 2^127.
fn nanos(time: Duration) -> i128 {
    i128::try_from(time.as_nanos()).unwrap_or(i128::MAX >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_charged_afterwards_and_the_wait_is_exact() {
        let at = Duration::from_secs;
        // A tenth of a thread.
        let mut bucket = ComputeBucket::full(NonZeroU32::new(6).unwrap(), at(100));
        assert_eq!(bucket.wait(at(100)), None);
        bucket.charge(at(100), Duration::from_millis(5_900));
        assert_eq!(bucket.wait(at(100)), None, "some is left");
        bucket.charge(at(100), Duration::from_millis(1_100));
        // 1 s below zero.
        let wait = bucket.wait(at(100)).unwrap();
        assert_eq!(wait, Duration::new(10, 1));
        let nano = Duration::from_nanos(1);
        assert_eq!(bucket.wait(at(110)), Some(nano));
        assert_eq!(bucket.wait(at(110) + nano), None);
        // The bucket fills no further than full, and a clock that does not advance adds nothing.
        bucket.charge(at(10_000), at(6));
        assert_eq!(bucket.wait(at(10_000)), Some(nano));
    }
}
