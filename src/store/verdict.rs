//! What a commit decides, the same on every database: whether the work covers its indices, who keeps a canonical form,
//! and which indices are to be tried again.

use super::{
    StoreError,
    job::{Job, JobId, MadeAt, SliceWork},
    rows::{Origin, SliceRow},
};

/// An index that is to be tried again, from this try on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Again {
    pub(super) index: u32,
    pub(super) attempt: u32,
}

/// What becomes of a puzzle that a job wanted, by what the stock knows of its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It goes on its shelf.
    New,
    /// The stock has it.
    Repeat,
    /// It goes on its shelf, and the isomorph that its job had left over as an extra is withdrawn.
    InsteadOfExtra,
    /// It goes on its shelf, and the isomorph that a higher index of the same job had made is withdrawn.
    Supersedes,
}

/// A job's puzzles must depend neither on which of its slices was quicker, so of two isomorphs the lower index keeps it,
/// nor on what it leaves over on the way.
pub(super) fn verdict(known: Option<&Origin>, job_id: JobId, index: u32) -> Verdict {
    let Some(known) = known else { return Verdict::New };
    let is_own = known.in_circulation && known.job_id == job_id;
    match known {
        Origin { is_extra: true, .. } if is_own => Verdict::InsteadOfExtra,
        Origin { index: other, .. } if is_own && *other > index => Verdict::Supersedes,
        _ => Verdict::Repeat,
    }
}

/// The form of a puzzle as the stock has it, with its kind before it. Of whatever variant: a puzzle under two names of its
/// layout is one puzzle.
pub(super) fn canonical_of(job: &Job, made: &MadeAt) -> String {
    format!("{}/{}", job.spec.kind, made.made.canonical)
}

/// Why the puzzle of a higher index, or an extra one, is withdrawn.
pub(super) fn superseded_by(index: u32) -> String {
    format!("index {index} of the same job made an isomorph")
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
