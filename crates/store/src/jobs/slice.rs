//! Rule: the data of slices and leases as the store keeps them, the results of workers, and the decisions of a commit: whether
//! the work covers its indices, which of two puzzles that are alike is kept, and which indices are tried again.

use std::ops::Range;

use crate::stock::puzzle::{Origin, ShelfKey};
use puzzled_base::{ids::JobId, repeat_hash::RepeatHash};
use puzzled_engine::shared::{
    spec::Spec,
    tries::{Made, Miss, Tally},
};

/// The right to work on a slice, and to commit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Row of the slice.
    pub slice_id: i64,
    /// Its job.
    pub job_id: JobId,
    /// A random number that only the holder knows.
    pub token: i64,
}

/// A claimed slice: the next work of a worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice {
    /// The lease on it.
    pub lease: Lease,
    /// What each puzzle must be.
    pub spec: Spec,
    /// The job's seed.
    pub seed: u64,
    /// First index to work on.
    pub first_index: u32,
    /// The index after the last one.
    pub end_index: u32,
    /// The first try at the first index. The other indices start with try 0.
    pub first_try: u32,
    /// The maximum number of tries per index.
    pub tries_max: u32,
    /// The number of attempts at this slice that have failed so far.
    pub failed_attempts: u32,
    /// The span in which the job was queued; `None` without a trace.
    pub traceparent: Option<String>,
    /// For the first slice of a job, the time from when the job could start until this claim, in milliseconds.
    pub waited_ms: Option<i64>,
}

/// The results of a worker for a slice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SliceWork {
    /// The puzzles, by rising index.
    pub made: Vec<MadeAt>,
    /// The tries, by result.
    pub tally: Tally,
    /// The index at which the work resumes, or the slice's `end_index` if the slice is done.
    pub next_index: u32,
    /// The next try at that index. If it is `tries_max` or more, the index has used all its tries.
    pub next_try: u32,
    /// Time spent, in milliseconds.
    pub work_ms: i64,
}

impl SliceWork {
    /// Counts a miss at the next index.
    pub fn miss(&mut self, miss: Miss) {
        self.tally.miss(miss);
        self.next_try += 1;
    }
}

/// A puzzle, and the index and try that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeAt {
    /// Index in the job, from 0.
    pub index: u32,
    /// Try at that index, from 0.
    pub try_number: u32,
    /// The puzzle.
    pub made: Made,
}

impl MadeAt {
    /// The shelf of the puzzle, if its job has this spec.
    #[must_use]
    pub fn shelf(&self, spec: &Spec) -> ShelfKey {
        let Made { givens, record, .. } = &self.made;
        ShelfKey::of(spec, record.rating, record.technique, *givens)
    }
}

/// The result of an action that needs a lease.
#[derive(Debug, Clone, PartialEq)]
pub enum Guarded<T> {
    /// The lease was valid, and the action is done.
    Done(T),
    /// The lease was lost, or the job has ended; nothing has changed.
    LeaseLost,
}

/// An attempt at a slice that failed because of a fault of the program or of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAttempt {
    /// The fault, in words.
    pub error: String,
    /// Time until the slice is offered again, in milliseconds.
    pub backoff_ms: i64,
    /// The number of failed attempts at one slice at which its job fails.
    pub attempts_max: u32,
}

/// An index that must be tried again, from this try on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Again {
    pub(crate) index: u32,
    pub(crate) try_number: u32,
}

/// How the stock recognizes a puzzle. Two puzzles are alike if either field is equal, and the stock keeps
/// only one of them.
#[derive(Debug, Clone)]
pub struct Likeness {
    /// The kind and the canonical form. The variant is not part of it, because one layout may have two variant names.
    pub form: String,
    /// The repeat hash. Isomorphs of one variant have the same one.
    pub repeat_hash: [u8; 16],
}

impl Likeness {
    pub(crate) fn of(kind: &str, variant: &str, made: &Made) -> Self {
        Self::of_forms(kind, variant, &made.canonical, &made.solved)
    }

    /// The likeness of a puzzle with this canonical form, whose solution has the form `solved`.
    #[must_use]
    pub fn of_forms(kind: &str, variant: &str, canonical: &str, solved: &str) -> Self {
        Self { form: format!("{kind}/{canonical}"), repeat_hash: RepeatHash::of(kind, variant, solved).0 }
    }
}

/// A puzzle in circulation or barred that is alike to a new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alike {
    /// 0 if the same write adds the puzzle.
    pub(crate) puzzle_id: i64,
    pub(crate) shelf_id: i64,
    pub(crate) origin: Origin,
    pub(crate) text: String,
    /// As [`Likeness::form`].
    pub(crate) form: String,
    pub(crate) in_circulation: bool,
}

/// A puzzle in stock that a new puzzle of a lower index of its job replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) puzzle_id: i64,
    pub(crate) shelf_id: i64,
    /// The index of the replaced puzzle is tried again.
    pub(crate) again: Again,
    /// The index of the new puzzle.
    pub(crate) by_index: u32,
}

/// Returns the puzzles that a new puzzle replaces, among those that are alike to it; `None` if it repeats one of them. A
/// job's puzzles must not depend on which of its slices was faster, so the lower index keeps its own. Two puzzles in stock
/// can be alike to one: an isomorph of another variant, and one with the same solution. An imported puzzle replaces none.
pub(crate) fn replaced<'a>(origin: &Origin, alike: impl IntoIterator<Item = &'a Alike>) -> Option<Vec<Replaced>> {
    let replaces = |known: &Alike| {
        let (own, old) = (origin.job()?, known.origin.job()?);
        let is_replaced = known.in_circulation && old.job_id == own.job_id && old.index > own.index;
        is_replaced.then_some(Replaced {
            puzzle_id: known.puzzle_id,
            shelf_id: known.shelf_id,
            again: Again { index: old.index, try_number: old.try_number + 1 },
            by_index: own.index,
        })
    };
    alike.into_iter().map(replaces).collect()
}

/// The reason with which a puzzle of a higher index is withdrawn.
pub(crate) fn superseded_by(index: u32) -> String {
    format!("index {index} of the same job made it too, or one with its solution")
}

/// Whether each index from the first of the slice to the last before `next_index` has exactly one puzzle, in order.
pub(crate) fn covers(slice: &Range<u32>, work: &SliceWork) -> bool {
    let as_made = work.made.iter().map(|made| made.index);
    // If the range ended before it began, it would be empty, and the other checks would pass.
    let ends_within = (slice.start..=slice.end).contains(&work.next_index);
    ends_within && (slice.start..work.next_index).eq(as_made)
}

/// Returns an index that has used all its tries, if there is one: an index to try again, or the one at which the
/// work stopped.
pub(crate) fn out_of_tries(again: &[Again], slice: &Range<u32>, work: &SliceWork, tries_max: u32) -> Option<u32> {
    let remainder = Again { index: work.next_index, try_number: work.next_try };
    let has_remainder = work.next_index < slice.end;
    let mut all = again.iter().copied().chain(has_remainder.then_some(remainder));
    all.find(|again| again.try_number >= tries_max).map(|again| again.index)
}

/// The error of a job whose puzzle needs a new shelf while the number of shelves is at its limit.
pub(crate) fn no_shelf(index: u32, key: &ShelfKey, shelves_max: u32) -> String {
    let ShelfKey { kind, variant, symmetry, rating, technique, givens, .. } = key;
    let technique = if technique.is_empty() { String::new() } else { format!(", {technique}") };
    let givens = if *givens == 0 { String::new() } else { format!(", {givens} givens") };
    format!(
        "index {index} needs a new shelf ({kind} {variant}, symmetry {}, rated {rating}{technique}{givens}), but the stock has \
         {shelves_max} shelves, the maximum; narrow the ratings or the givens to those of shelves that the stock has",
        symmetry.name()
    )
}

/// Converts a count to the signed integer of the databases.
pub(crate) fn signed(count: u64) -> i64 {
    i64::try_from(count).expect("a slice has fewer than 2^63 tries and puzzles")
}
