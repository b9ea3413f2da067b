//! What a commit decides, the same on every database: whether the work covers its indices, which of two puzzles that are
//! alike is kept, and which indices are to be tried again.

use super::{
    StoreError,
    delivery::grid_of,
    job::{Job, JobId, SliceWork},
    rows::{Origin, SliceRow},
};
use puzzled_engine::{kind::Made, spec::Spec};

/// An index that is to be tried again, from this try on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Again {
    pub(super) index: u32,
    pub(super) attempt: u32,
}

/// By what the stock knows a puzzle. Two that have either in common are alike, and only one of them is kept.
#[derive(Debug, Clone)]
pub(super) struct Likeness {
    /// The canonical form with its kind before it. Of whatever variant: a puzzle under two names of its layout is one puzzle.
    pub(super) form: String,
    /// The number of the solution up to symmetry. Isomorphs of one variant have the same one.
    pub(super) grid: [u8; 16],
}

impl Likeness {
    pub(super) fn of(job: &Job, made: &Made) -> Self {
        let Spec { kind, variant, .. } = &job.spec;
        Self { form: format!("{kind}/{}", made.canonical), grid: grid_of(kind, variant, &made.solved) }
    }
}

/// Whether a puzzle that a job wanted repeats one of those in stock that are alike to it. If not, they all give way to it:
/// a job's puzzles must depend neither on which of its slices was quicker, so of two that are alike the lower index keeps
/// its own, nor on what it leaves over on the way. It is more than one only where a database is older than engine 12, which
/// was the first to ask for the solution.
pub(super) fn is_repeat<'a>(alike: impl IntoIterator<Item = &'a Origin>, job_id: JobId, index: u32) -> bool {
    alike.into_iter().any(|known| {
        let is_own = known.in_circulation && known.job_id == job_id;
        !is_own || !known.is_extra && known.index <= index
    })
}

/// Why the puzzle of a higher index, or an extra one, is withdrawn.
pub(super) fn superseded_by(index: u32) -> String {
    format!("index {index} of the same job made it too, or one with its solution")
}

/// Every index from the slice's first up to the next one has exactly one puzzle, in order.
pub(super) fn check_covers(slice: &SliceRow, work: &SliceWork) -> Result<(), StoreError> {
    let covered = slice.first_index..work.next_index;
    let as_made = work.made.iter().map(|made| made.index);
    // The range is empty too if it ends before it begins, and then nothing else would be amiss.
    let ends_within = (slice.first_index..=slice.end_index).contains(&work.next_index);
    if ends_within && covered.clone().eq(as_made) {
        return Ok(());
    }
    Err(StoreError::RowCount {
        statement: "the puzzles of a slice",
        wanted: covered.len() as u64,
        found: work.made.len() as u64,
    })
}

/// The index that has had all its tries, if there is one: among those to be tried again, or where the work stopped.
pub(super) fn out_of_tries(again: &[Again], slice: &SliceRow, work: &SliceWork, tries_max: u32) -> Option<u32> {
    let rest = Again { index: work.next_index, attempt: work.next_try };
    let has_rest = work.next_index < slice.end_index;
    let mut all = again.iter().copied().chain(has_rest.then_some(rest));
    all.find(|again| again.attempt >= tries_max).map(|again| again.index)
}

/// A count as the databases have it.
pub(super) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
