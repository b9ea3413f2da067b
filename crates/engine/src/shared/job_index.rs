//! Makes the tries of one index of a job. A job requests some puzzles, numbered by index, and each index takes tries until one
//! makes a puzzle. Workers and commands without a server make their tries with [`one_try`], so the same seed gives the same puzzles
//! in both.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    budget::Budget,
    kind::PuzzleKind,
    rng::{Rng, TrySeed},
    spec::Spec,
    tries::{Made, Miss, Try},
};

/// The maximum number of nodes of all searches of one try together: seconds of work, and thousands of times what a usual try takes.
/// A kind with a lower limit never reaches it.
pub const NODES_PER_TRY: u64 = 400_000_000;

/// One index of a job. Together with the number of a try and the kind's [`PuzzleKind::seed_version`], it determines what that try
/// yields.
#[derive(Debug, Clone, Copy)]
pub struct JobIndex<'a> {
    /// The kind of the spec.
    pub kind: &'a dyn PuzzleKind,
    /// What the puzzle must be. The spec has passed [`PuzzleKind::check_spec`].
    pub spec: &'a Spec,
    /// The job's seed, the same for all its indices.
    pub seed: u64,
    /// The place of the puzzle in its job, from 0.
    pub index: u32,
}

/// The result of the tries of one index.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexOutcome {
    /// A puzzle that meets the spec.
    Hit {
        /// The number of the try that made it, from 0.
        try_number: u32,
        /// The puzzle, proved to have exactly one solution, and rated.
        made: Box<Made>,
    },
    /// None of the tries made a puzzle.
    Exhausted,
    /// The cancel flag was raised. A try that had begun must be made again from its start.
    Cancelled,
}

/// Makes the tries of a range in order, and stops at the first puzzle. Calls `on_miss` for each try that fails.
///
/// If the puzzle turns out to be a repeat, the caller resumes the index with a range that starts after this try. The flag `cancel`
/// is read before every try, and during a try whenever the engine takes nodes.
pub fn first_hit(
    at: &JobIndex<'_>,
    tries: Range<u32>,
    cancel: &AtomicBool,
    on_miss: &mut dyn FnMut(Miss),
) -> IndexOutcome {
    for try_number in tries {
        match one_try(at, try_number, cancel) {
            Try::Made(made) => return IndexOutcome::Hit { try_number, made },
            Try::Missed(miss) => on_miss(miss),
            Try::Cancelled => return IndexOutcome::Cancelled,
        }
    }
    IndexOutcome::Exhausted
}

/// Makes one try of an index. The flag `cancel` is read before the try, and during it whenever the engine takes nodes.
pub fn one_try(at: &JobIndex<'_>, try_number: u32, cancel: &AtomicBool) -> Try {
    if cancel.load(Ordering::Relaxed) {
        return Try::Cancelled;
    }
    let (spec, index) = (at.spec.fingerprint(), u64::from(at.index));
    let engine_version = at.kind.seed_version(&at.spec.variant);
    let seed = TrySeed { seed: at.seed, spec, index, try_number, engine_version };
    at.kind.make(at.spec, &mut Rng::for_try(seed), &mut Budget::new(NODES_PER_TRY, cancel))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Toy, toy_spec};

    fn outcome(toy: &Toy, index: u32, tries: Range<u32>) -> (IndexOutcome, Vec<String>) {
        let spec = toy_spec();
        let mut misses = Vec::new();
        let at = JobIndex { kind: toy, spec: &spec, seed: 7, index };
        let outcome = first_hit(&at, tries, &AtomicBool::new(false), &mut |miss| misses.push(miss.nearest));
        (outcome, misses)
    }

    fn number_of(outcome: &IndexOutcome) -> Option<u32> {
        match outcome {
            IndexOutcome::Hit { try_number, .. } => Some(*try_number),
            _ => None,
        }
    }

    #[test]
    fn first_puzzle_ends_the_index_and_each_try_before_it_is_a_miss() {
        let toy = Toy { hit_one_in: 4, ..Toy::default() };
        for index in 0..50 {
            let (outcome, misses) = outcome(&toy, index, 0..1_000);
            assert_eq!(number_of(&outcome).map(|try_number| try_number as usize), Some(misses.len()), "index {index}");
        }
    }

    #[test]
    fn interrupted_index_resumes_with_the_same_result() {
        let toy = Toy { hit_one_in: 4, ..Toy::default() };
        for index in 0..50 {
            let (whole, misses) = outcome(&toy, index, 0..1_000);
            let cut = u32::try_from(misses.len() / 2).unwrap();
            let (early, early_misses) = outcome(&toy, index, 0..cut);
            let (late, late_misses) = outcome(&toy, index, cut..1_000);
            assert_eq!(early, IndexOutcome::Exhausted);
            assert_eq!(late, whole);
            assert_eq!([early_misses, late_misses].concat(), misses);
        }
    }

    #[test]
    fn different_indices_and_tries_yield_different_puzzles() {
        let toy = Toy { puzzles: u64::MAX, ..Toy::default() };
        let mut texts: Vec<_> = (0..10)
            .flat_map(|index| (0..10).map(move |try_number| (index, try_number)))
            .map(|(index, try_number)| match outcome(&toy, index, try_number..try_number + 1).0 {
                IndexOutcome::Hit { made, .. } => made.text,
                other => panic!("{other:?}"),
            })
            .collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 100);
    }

    #[test]
    fn empty_range_of_tries_exhausts_the_index() {
        let (outcome, misses) = outcome(&Toy::default(), 0, 5..5);
        assert_eq!(outcome, IndexOutcome::Exhausted);
        assert!(misses.is_empty());
    }

    #[test]
    fn raised_flag_ends_the_index_before_its_first_try() {
        let spec = toy_spec();
        let toy = Toy::default();
        let at = JobIndex { kind: &toy, spec: &spec, seed: 7, index: 0 };
        let outcome = first_hit(&at, 0..1, &AtomicBool::new(true), &mut |miss| panic!("{miss:?}"));
        assert_eq!(outcome, IndexOutcome::Cancelled);
    }

    #[test]
    fn flag_raised_after_a_miss_cancels_the_index() {
        let spec = toy_spec();
        let cancel = AtomicBool::new(false);
        // The flag is raised after the first miss, as another thread might do.
        let toy = Toy { hit_one_in: u64::MAX, ..Toy::default() };
        let at = JobIndex { kind: &toy, spec: &spec, seed: 7, index: 0 };
        let mut misses = 0;
        let outcome = first_hit(&at, 0..1_000, &cancel, &mut |_| {
            misses += 1;
            cancel.store(true, Ordering::Relaxed);
        });
        assert_eq!((outcome, misses), (IndexOutcome::Cancelled, 1));
    }
}
