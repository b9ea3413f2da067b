//! Works on one slice, index by index and try by try, until it is done, its time or its tries are used up, or it is
//! stopped. Collects puzzles, and counts misses.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use puzzled_base::{clock::Clock, ids::JobId};
use puzzled_engine::{
    registry,
    shared::{
        job_index::{JobIndex, one_try},
        kind::PuzzleKind,
        tries::{Disagreement, Miss, MissReason, Try},
    },
};
use puzzled_store::jobs::{
    policy::SLICE_MS,
    slice::{MadeAt, Slice, SliceWork},
};

/// Works on a slice until it is done, about [`SLICE_MS`] have passed, an index has used all its tries, or `cut` is set.
/// The point at which the work stops does not change which puzzles are made, only when they are committed. Makes at least
/// one try, unless `cut` is set.
///
/// # Errors
/// A message if this process does not know the slice's kind.
pub(super) fn work(slice: &Slice, clock: &dyn Clock, cut: &AtomicBool) -> Result<SliceWork, String> {
    let kind = registry::kind(&slice.spec.kind)
        .ok_or_else(|| format!("this version of puzzled makes no puzzles of kind {:?}", slice.spec.kind))?;
    Ok(work_on(kind, slice, clock, cut))
}

fn work_on(kind: &dyn PuzzleKind, slice: &Slice, clock: &dyn Clock, cut: &AtomicBool) -> SliceWork {
    let started_at = clock.elapsed();
    let mut work = SliceWork { next_index: slice.first_index, next_try: slice.first_try, ..SliceWork::default() };
    let job = slice.lease.job_id;
    while work.next_index < slice.end_index && work.next_try < slice.tries_max {
        let at = JobIndex { kind, spec: &slice.spec, seed: slice.seed, index: work.next_index };
        let try_number = work.next_try;
        match one_try(&at, try_number, cut) {
            Try::Made(made) => {
                work.tally.tries += 1;
                work.made.push(MadeAt { index: work.next_index, try_number, made: *made });
                work.next_index += 1;
                work.next_try = 0;
            }
            Try::Missed(miss) => count(&mut work, job, miss),
            Try::Cancelled => break,
        }
        if cut.load(Ordering::Relaxed) || clock.elapsed().saturating_sub(started_at) >= SLICE {
            break;
        }
    }
    let spent = clock.elapsed().saturating_sub(started_at);
    work.work_ms = i64::try_from(spent.as_millis()).expect("a slice takes seconds");
    work
}

/// Counts a miss. If the solvers disagree, one of them is wrong, so an operator must know.
fn count(work: &mut SliceWork, job: JobId, miss: Miss) {
    if let MissReason::SolversDisagree(disagreement) = &miss.reason {
        let Disagreement { kind, text, own, core } = &**disagreement;
        tracing::error!(%job, kind, text, own, core, "solvers disagreed; report this line in an issue with all its fields");
    }
    work.miss(miss);
}

const SLICE: Duration = Duration::from_millis(SLICE_MS.unsigned_abs());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry;
    use puzzled_base::clock::{ManualClock, Millis};
    use puzzled_engine::toy::{Toy, toy_spec};
    use puzzled_store::jobs::slice::Lease;

    #[test]
    fn disagreement_of_solvers_is_counted_and_logged_and_work_continues() {
        let toy = Toy { puzzles: 2, disputed: Some(1), ..Toy::default() };
        let slice = Slice {
            lease: Lease { job_id: JobId(7), slice_id: 1, token: 1 },
            spec: toy_spec(),
            seed: 1,
            first_index: 0,
            end_index: 20,
            first_try: 0,
            tries_max: 100,
            failed_attempts: 0,
            traceparent: None,
            waited_ms: None,
        };
        let mut work = SliceWork::default();
        let log = telemetry::logged(|| {
            work = work_on(&toy, &slice, &*ManualClock::at(Millis(0)), &AtomicBool::new(false));
        });
        let disagreed = work.tally.solvers_disagreed;
        assert!(disagreed > 0 && work.tally.tries == 20 + disagreed, "{:?}", work.tally);
        assert_eq!((work.next_index, work.made.len()), (20, 20));
        let line = "ERROR solvers disagreed; report this line in an issue with all its fields job=job-7 kind=\"toy\" text=\"1\" own=\"no solution\" core=\"the only solution\"";
        assert!(log.lines().all(|logged| logged == line), "{log}");
        assert_eq!(log.lines().count() as u64, disagreed);
    }
}
