//! The work on one slice: index after index, try after try, until it is done, cut short, or out of tries.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::{
    clock::Clock,
    engine::{
        attempts::{IndexOutcome, JobIndex, first_hit},
        registry,
    },
    queue::policy::SLICE_MS,
    store::job::{MadeAt, Slice, SliceWork},
};

/// Works on a slice until it is done, about [`SLICE_MS`] have passed, an index has had all its tries, or `cut` is raised.
/// Where it is cut does not change what is made, only when it is committed. It makes one try at least, unless it is cut.
///
/// # Errors
/// A sentence if this process does not know the slice's kind.
pub(super) fn work(slice: &Slice, clock: &dyn Clock, cut: &AtomicBool) -> Result<SliceWork, String> {
    let kind = registry::kind(&slice.spec.kind)
        .ok_or_else(|| format!("this version of puzzled makes no puzzles of kind {:?}", slice.spec.kind))?;
    let started_at = clock.elapsed();
    let mut work = SliceWork { next_index: slice.first_index, next_try: slice.first_try, ..SliceWork::default() };
    while work.next_index < slice.end_index && work.next_try < slice.tries_max {
        let at = JobIndex { kind, spec: &slice.spec, seed: slice.seed, index: work.next_index };
        let tally = &mut work.tally;
        let this_try = work.next_try..work.next_try + 1;
        match first_hit(&at, this_try, cut, &mut |miss| tally.miss(miss)) {
            IndexOutcome::Hit { attempt, made } => {
                work.tally.tries += 1;
                work.made.push(MadeAt { index: work.next_index, attempt, made: *made });
                work.next_index += 1;
                work.next_try = 0;
            }
            IndexOutcome::Exhausted => work.next_try += 1,
            IndexOutcome::Cancelled => break,
        }
        if cut.load(Ordering::Relaxed) || clock.elapsed().saturating_sub(started_at) >= SLICE {
            break;
        }
    }
    let spent = clock.elapsed().saturating_sub(started_at);
    work.work_ms = i64::try_from(spent.as_millis()).unwrap_or(i64::MAX);
    Ok(work)
}

const SLICE: Duration = Duration::from_millis(SLICE_MS.unsigned_abs());
