//! Helpers of the Kakuro benches: make the puzzle of one index, as a job of the service does, and read the processor
//! time of the thread.

use std::{sync::atomic::AtomicBool, time::Duration};

use puzzled_engine::{
    kakuro::Kakuro,
    shared::{
        job_index::{IndexOutcome, JobIndex, first_hit},
        kind::PuzzleKind as _,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::Made,
    },
};
use rustix::time::{ClockId, clock_gettime};

/// The maximum number of tries at one index, the same as in the service.
const TRIES_MAX: u32 = 2_000;

/// A Kakuro spec.
///
/// # Panics
/// If the kind refuses the spec.
pub fn spec(variant: &str, symmetry: Symmetry, difficulty: Difficulty) -> Spec {
    let spec = Spec {
        kind: "kakuro".to_owned(),
        variant: variant.to_owned(),
        symmetry,
        difficulty,
        givens: None,
        technique: None,
    };
    assert_eq!(Kakuro.check_spec(&spec), Ok(()), "{spec:?}");
    spec
}

/// The puzzle of an index and the number of its tries; `None` if all of them missed.
pub fn make(spec: &Spec, seed: u64, index: u32) -> Option<(u32, Box<Made>)> {
    let at = JobIndex { kind: &Kakuro, spec, seed, index };
    match first_hit(&at, 0..TRIES_MAX, &AtomicBool::new(false), &mut |_| ()) {
        IndexOutcome::Hit { try_number, made } => Some((try_number + 1, made)),
        IndexOutcome::Exhausted | IndexOutcome::Cancelled => None,
    }
}

/// Processor time of this thread so far. Other work on the machine hardly affects it.
pub fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let [seconds, nanos] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or(0));
    Duration::from_secs(seconds) + Duration::from_nanos(nanos)
}
