//! The work on one slice: index after index, try after try, until it is done, cut short, or out of tries.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use crate::{
    clock::Clock,
    queue::policy::SLICE_MS,
    store::job::{MadeAt, Slice, SliceWork},
};
use puzzled_engine::{
    attempts::{JobIndex, NODES_PER_TRY, one_try},
    budget::Budget,
    kind::Try,
    registry,
};

/// Works on a slice until it is done, about [`SLICE_MS`] have passed, an index has had all its tries, or `cut` is raised.
/// Good puzzles that the spec does not want are finished and kept as extras, unless the job has none. Where it is cut does not
/// change what is made, only when it is committed. It makes one try at least, unless it is cut.
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
        let attempt = work.next_try;
        match one_try(&at, attempt, cut) {
            Try::Made(made) => {
                work.tally.tries += 1;
                work.made.push(MadeAt { index: work.next_index, attempt, made: *made });
                work.next_index += 1;
                work.next_try = 0;
            }
            Try::Beside(miss, _) if slice.no_extras => work.miss(miss),
            Try::Beside(miss, left) => match kind.finish(&left, &mut Budget::new(NODES_PER_TRY, cut)) {
                Try::Made(extra) => {
                    work.miss(miss);
                    work.extra.push(MadeAt { index: work.next_index, attempt, made: *extra });
                }
                // Cut in its middle: the try is made again from its start.
                Try::Cancelled => break,
                Try::Missed(_) | Try::Beside(..) => work.miss(miss),
            },
            Try::Missed(miss) => work.miss(miss),
            Try::Cancelled => break,
        }
        if cut.load(Ordering::Relaxed)
            || clock.elapsed().saturating_sub(started_at) >= SLICE
            || work.extra.len() >= EXTRAS_MAX
        {
            break;
        }
    }
    let spent = clock.elapsed().saturating_sub(started_at);
    work.work_ms = i64::try_from(spent.as_millis()).unwrap_or(i64::MAX);
    Ok(work)
}

/// Extra puzzles with which a slice is committed early: bounds the size of a commit.
const EXTRAS_MAX: usize = 512;

const SLICE: Duration = Duration::from_millis(SLICE_MS.unsigned_abs());
