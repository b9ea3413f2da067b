//! What a commit decides, the same on every database: whether the work covers its indices, which of two puzzles that are
//! alike is kept, and which indices are to be tried again.

use std::ops::Range;

use super::{
    delivery::grid_of,
    job::{Job, JobId, SliceWork},
    puzzle::ShelfKey,
};
use puzzled_engine::{kind::Made, spec::Spec};

/// An index that is to be tried again, from this try on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Again {
    pub(crate) index: u32,
    pub(crate) attempt: u32,
}

/// By what the stock knows a puzzle. Two that have either in common are alike, and only one of them is kept.
#[derive(Debug, Clone)]
pub(crate) struct Likeness {
    /// The canonical form with its kind before it. Of whatever variant: a puzzle under two names of its layout is one puzzle.
    pub(crate) form: String,
    /// The number of the solution up to symmetry. Isomorphs of one variant have the same one.
    pub(crate) grid: [u8; 16],
}

impl Likeness {
    pub(crate) fn of(job: &Job, made: &Made) -> Self {
        let Spec { kind, variant, .. } = &job.spec;
        Self { form: format!("{kind}/{}", made.canonical), grid: grid_of(kind, variant, &made.solved) }
    }
}

/// Whether a puzzle that a job wanted repeats one of those in stock that are alike to it. If not, they all give way to it:
/// a job's puzzles must depend neither on which of its slices was quicker, so of two that are alike the lower index keeps
/// its own, nor on what it leaves over on the way. Two can be alike to it: an isomorph that was made as another variant, and one
/// with its solution.
pub(crate) fn is_repeat<'a>(alike: impl IntoIterator<Item = &'a Origin>, job_id: JobId, index: u32) -> bool {
    alike.into_iter().any(|known| {
        let is_own = known.in_circulation && known.job_id == job_id;
        !is_own || !known.is_surplus && known.index <= index
    })
}

/// Where a puzzle comes from.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) puzzle_id: i64,
    pub(crate) job_id: JobId,
    pub(crate) index: u32,
    pub(crate) attempt: u32,
    pub(crate) is_surplus: bool,
    pub(crate) in_circulation: bool,
}

/// Why the puzzle of a higher index, or an extra one, is withdrawn.
pub(crate) fn superseded_by(index: u32) -> String {
    format!("index {index} of the same job made it too, or one with its solution")
}

/// Whether every index from the slice's first up to the next one has exactly one puzzle, in order.
pub(crate) fn covers(slice: &Range<u32>, work: &SliceWork) -> bool {
    let as_made = work.made.iter().map(|made| made.index);
    // The range is empty too if it ends before it begins, and then nothing else would be amiss.
    let ends_within = (slice.start..=slice.end).contains(&work.next_index);
    ends_within && (slice.start..work.next_index).eq(as_made)
}

/// The index that has had all its tries, if there is one: among those to be tried again, or where the work stopped.
pub(crate) fn out_of_tries(again: &[Again], slice: &Range<u32>, work: &SliceWork, tries_max: u32) -> Option<u32> {
    let rest = Again { index: work.next_index, attempt: work.next_try };
    let has_rest = work.next_index < slice.end;
    let mut all = again.iter().copied().chain(has_rest.then_some(rest));
    all.find(|again| again.attempt >= tries_max).map(|again| again.index)
}

/// Why a job fails whose puzzle needs a shelf when there are as many as may be.
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

/// A count as the databases have it.
pub(crate) fn signed(count: u64) -> i64 {
    i64::try_from(count).expect("a slice has fewer than 2^63 tries and puzzles")
}
