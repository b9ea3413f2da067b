//! Tests of what every kind has: the effort of its records, and the judgment of boards by its rules alone.
#![cfg(test)]

mod effort;
mod judging;

use std::sync::atomic::AtomicBool;

use puzzled_engine::shared::{
    criteria::Criteria,
    job_index::{IndexOutcome, JobIndex, first_hit},
    kind::PuzzleKind,
    tries::Made,
};

/// A puzzle that a job with these criteria and this seed makes at an index.
fn made(kind: &'static dyn PuzzleKind, criteria: &Criteria, seed: u64, index: u32) -> Made {
    let spec = criteria.resolve(kind).unwrap();
    let at = JobIndex { kind, spec: &spec, seed, index };
    match first_hit(&at, 0..100_000, &AtomicBool::new(false), &mut |_| ()) {
        IndexOutcome::Hit { made, .. } => *made,
        outcome => panic!("{criteria:?}: {outcome:?}"),
    }
}
