//! The decisions of a commit: whether the work covers its indices, which of two puzzles that are alike is kept, and
//! which indices must be tried again or have used all their tries.

use std::ops::Range;

use super::{
    delivery::grid_of,
    job::{Job, JobId, SliceWork},
    puzzle::ShelfKey,
};
use puzzled_engine::{kind::Made, spec::Spec};

/// An index that must be tried again, from this try on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Again {
    pub(crate) index: u32,
    pub(crate) attempt: u32,
}

/// How the stock compares puzzles. Two puzzles are alike if they agree in either field. The stock keeps only one of them.
#[derive(Debug, Clone)]
pub(crate) struct Likeness {
    /// The kind and the canonical form. The variant is left out, because one layout may have two variant names.
    pub(crate) form: String,
    /// The hash of kind, variant, and the solution up to symmetry. Isomorphs of one variant have the same hash.
    pub(crate) grid: [u8; 16],
}

impl Likeness {
    pub(crate) fn of(job: &Job, made: &Made) -> Self {
        let Spec { kind, variant, .. } = &job.spec;
        Self { form: format!("{kind}/{}", made.canonical), grid: grid_of(kind, variant, &made.solved) }
    }
}

/// Whether a wanted puzzle is a repeat, given the puzzles in stock like it. If not, it replaces all of them. A job's puzzles
/// must not depend on which of its slices was faster, or on its surplus puzzles, so the lower index keeps its puzzle. Two
/// puzzles in stock can be like the wanted puzzle: an isomorph of another variant, and a puzzle with the same solution.
pub(crate) fn is_repeat<'a>(alike: impl IntoIterator<Item = &'a Origin>, job_id: JobId, index: u32) -> bool {
    alike.into_iter().any(|known| {
        let is_own = known.in_circulation && known.job_id == job_id;
        !is_own || !known.is_surplus && known.index <= index
    })
}

/// The job, index, and try that made a puzzle.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) puzzle_id: i64,
    pub(crate) job_id: JobId,
    pub(crate) index: u32,
    pub(crate) attempt: u32,
    pub(crate) is_surplus: bool,
    pub(crate) in_circulation: bool,
}

/// The reason for the withdrawal of a puzzle of a higher index, or of a surplus puzzle.
pub(crate) fn superseded_by(index: u32) -> String {
    format!("index {index} of the same job made it too, or one with its solution")
}

/// Whether every index from the first index of the slice up to `next_index` has exactly one puzzle, in order.
pub(crate) fn covers(slice: &Range<u32>, work: &SliceWork) -> bool {
    let as_made = work.made.iter().map(|made| made.index);
    // Without this check, a `next_index` below the slice would give an empty range, which passes the other check.
    let ends_within = (slice.start..=slice.end).contains(&work.next_index);
    ends_within && (slice.start..work.next_index).eq(as_made)
}

/// Returns an index that has used all its tries, if there is one: an index to try again, or the index at which the work
/// stopped.
pub(crate) fn out_of_tries(again: &[Again], slice: &Range<u32>, work: &SliceWork, tries_max: u32) -> Option<u32> {
    let rest = Again { index: work.next_index, attempt: work.next_try };
    let has_rest = work.next_index < slice.end;
    let mut all = again.iter().copied().chain(has_rest.then_some(rest));
    all.find(|again| again.attempt >= tries_max).map(|again| again.index)
}

/// The error of a job whose puzzle needs a new shelf while the number of shelves is at its limit.
pub(crate) fn no_shelf(index: u32, key: &ShelfKey, shelves_max: u32) -> String {
    let ShelfKey { kind, variant, symmetry, rating, technique, clues, .. } = key;
    let technique = technique.as_ref().map_or_else(String::new, |technique| format!(", needing {technique}"));
    let clues = clues.map_or_else(String::new, |clues| format!(", with {clues} givens"));
    format!(
        "index {index} needs a new shelf ({kind} {variant}, symmetry {}, rated {rating}{technique}{clues}), and the limit of \
         {shelves_max} shelves is reached; queue a job without technique and clues, or for a variant and symmetry of which \
         the stock holds all ratings",
        symmetry.name()
    )
}

/// Converts a count to the signed integer of the databases.
pub(crate) fn signed(count: u64) -> i64 {
    i64::try_from(count).expect("a slice has fewer than 2^63 tries and puzzles")
}
