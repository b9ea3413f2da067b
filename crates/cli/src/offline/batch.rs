//! [`Batch`], puzzles of one spec and seed that are made on several threads, in the order of their indices. A server of the same version,
//! whose database has no puzzles, makes the same puzzles for a job with the same spec and seed.

use std::{
    collections::HashSet,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::ordered::{Ordered, ordered};
use crate::{CliError, input::spec::Kind, output::Output};
use puzzled_base::chance::Chance;
use puzzled_engine::shared::{
    budget::Budget,
    job_index::{IndexOutcome, JobIndex, first_hit},
    spec::Spec,
    step::Step,
    tries::{Made, Tally},
};

/// Random seeds are below this number, so that a 64-bit float represents them exactly.
const DRAWN_SEED_BOUND: u64 = 1 << 53;

/// Draws a seed, and tells it.
pub(crate) fn drawn(output: &Output) -> Result<u64, CliError> {
    let chance = Chance::from_system().map_err(CliError::Chance)?;
    let seed = chance.below(DRAWN_SEED_BOUND);
    output.remark(&format!("seed {seed}"));
    Ok(seed)
}

/// The puzzles to make.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// The kind that the spec names.
    pub kind: Kind,
    /// The spec, which the kind has checked.
    pub spec: Spec,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of puzzles to make.
    pub count: u32,
    /// The maximum number of tries per index.
    pub tries_max: u32,
    /// Whether the steps of the puzzles are wanted.
    pub with_steps: bool,
}

/// A puzzle with its index in the batch.
#[derive(Debug)]
pub(crate) struct Numbered {
    /// The index in the batch, from 0.
    pub index: u32,
    /// The try at that index, from 0.
    pub try_number: u32,
    /// The puzzle.
    pub made: Box<Made>,
    /// The steps of its solution by techniques; empty if they are not wanted.
    pub steps: Vec<Step>,
}

/// An index without a puzzle after all its tries.
#[derive(Debug)]
pub(crate) struct OutOfTries {
    /// The index in the batch, from 0.
    pub index: u32,
    /// The tries, by outcome.
    tally: Tally,
}

/// The puzzles of a batch, by ascending index. A drop of this value stops the threads.
#[derive(Debug)]
pub(crate) struct Puzzles {
    batch: Arc<Batch>,
    indices: Ordered<Worked>,
    /// The canonical solutions of lower indices. Isomorphs of one variant have the same canonical solution, so they are
    /// refused too.
    seen: HashSet<String>,
    cancel: Arc<AtomicBool>,
}

/// The result of a thread for one index, before it is compared with lower indices.
#[derive(Debug)]
struct Worked {
    index: u32,
    tally: Tally,
    outcome: IndexOutcome,
    steps: Vec<Step>,
}

impl Batch {
    /// Starts `threads` threads that make the puzzles.
    pub(crate) fn puzzles(self, threads: u32) -> Puzzles {
        let (batch, cancel) = (Arc::new(self), Arc::new(AtomicBool::new(false)));
        let indices = {
            let (batch, cancel) = (Arc::clone(&batch), Arc::clone(&cancel));
            ordered(threads, 0..batch.count, move |index| {
                let mut tally = Tally::default();
                let outcome = batch.first_hit(index, 0..batch.tries_max, &cancel, &mut tally);
                let steps = batch.steps(&outcome, &cancel);
                Worked { index, tally, outcome, steps }
            })
        };
        Puzzles { batch, indices, seen: HashSet::new(), cancel }
    }

    fn first_hit(&self, index: u32, tries: Range<u32>, cancel: &AtomicBool, tally: &mut Tally) -> IndexOutcome {
        let at = JobIndex { kind: self.kind, spec: &self.spec, seed: self.seed, index };
        let outcome = first_hit(&at, tries, cancel, &mut |miss| tally.miss(miss));
        tally.tries += u64::from(matches!(outcome, IndexOutcome::Hit { .. }));
        outcome
    }

    /// The steps of a made puzzle, if they are wanted.
    fn steps(&self, outcome: &IndexOutcome, cancel: &AtomicBool) -> Vec<Step> {
        let IndexOutcome::Hit { made, .. } = outcome else { return Vec::new() };
        if !self.with_steps {
            return Vec::new();
        }
        let reasoned = self.kind.reason(&self.spec.variant, &made.text, &mut Budget::new(u64::MAX, cancel));
        reasoned.expect("a made puzzle was rated, so it can be read").steps
    }
}

impl Puzzles {
    /// Whether the next puzzle can be taken without waiting.
    pub(crate) fn is_ready(&mut self) -> bool {
        self.indices.is_ready()
    }
}

impl Iterator for Puzzles {
    type Item = Result<Numbered, OutOfTries>;

    fn next(&mut self) -> Option<Self::Item> {
        let Worked { index, mut tally, mut outcome, mut steps } = self.indices.next()?;
        loop {
            match outcome {
                IndexOutcome::Hit { try_number, made } => {
                    if self.seen.insert(made.solved.clone()) {
                        return Some(Ok(Numbered { index, try_number, made, steps }));
                    }
                    tally.repeats += 1;
                    let left = try_number + 1..self.batch.tries_max;
                    outcome = self.batch.first_hit(index, left, &self.cancel, &mut tally);
                    steps = self.batch.steps(&outcome, &self.cancel);
                }
                IndexOutcome::Exhausted => return Some(Err(OutOfTries { index, tally })),
                IndexOutcome::Cancelled => return None,
            }
        }
    }
}

impl Drop for Puzzles {
    fn drop(&mut self) {
        // Nothing takes the puzzles any more, so the threads stop.
        self.cancel.store(true, Ordering::Relaxed);
    }
}

impl OutOfTries {
    /// The number of tries, their outcomes, and the nearest miss, as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let Tally { tries, repeats, unrated, off_target, givens, unproven, solvers_disagreed, nearest } = &self.tally;
        let reasons = [
            (off_target, "off target"),
            (givens, "with other numbers of givens"),
            (unrated, "beyond the rater"),
            (unproven, "without proof of uniqueness"),
            (solvers_disagreed, "on which the solvers disagree"),
            (repeats, "repeats"),
        ];
        let counted: Vec<_> =
            reasons.iter().filter(|(n, _)| **n > 0).map(|(n, reason)| format!("{n} {reason}")).collect();
        let nearest = nearest.as_ref().map(|(_, words)| format!("; nearest: {words}")).unwrap_or_default();
        format!("no puzzle for index {} in {tries} tries: {}{nearest}", self.index, counted.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::toy::{Toy, toy_spec};

    /// A batch of toys. They are leaked, because kinds live as long as the program.
    fn batch(toy: Toy, count: u32, tries_max: u32) -> Batch {
        Batch { kind: Box::leak(Box::new(toy)), spec: toy_spec(), seed: 7, count, tries_max, with_steps: false }
    }

    fn made(batch: &Batch, threads: u32) -> Vec<(u32, u32, String)> {
        let puzzles = batch.clone().puzzles(threads);
        puzzles.map(Result::unwrap).map(|at| (at.index, at.try_number, at.made.text)).collect()
    }

    #[test]
    fn number_of_threads_changes_neither_puzzles_nor_order() {
        // 300 of 400 different puzzles: most indices meet repeats.
        let batch = batch(Toy { hit_one_in: 3, puzzles: 400, ..Toy::default() }, 300, 10_000);
        let alone = made(&batch, 1);
        assert_eq!(alone.len(), 300);
        for threads in [2, 4] {
            assert_eq!(made(&batch, threads), alone, "{threads} threads");
        }
    }

    #[test]
    fn an_index_takes_its_first_try_that_repeats_no_lower_index() {
        let batch = batch(Toy { hit_one_in: 3, puzzles: 60, ..Toy::default() }, 50, 10_000);
        let mut seen = HashSet::new();
        for (index, try_number, text) in made(&batch, 2) {
            for earlier in 0..=try_number {
                let outcome =
                    batch.first_hit(index, earlier..earlier + 1, &AtomicBool::new(false), &mut Tally::default());
                let hit = match outcome {
                    IndexOutcome::Hit { made, .. } => Some(made.text),
                    _ => None,
                };
                let fits = hit.as_ref().is_some_and(|hit| !seen.contains(hit));
                assert_eq!(fits, earlier == try_number, "index {index}, try {earlier}: {hit:?}");
            }
            assert!(seen.insert(text));
        }
    }

    #[test]
    fn no_two_puzzles_of_a_batch_have_one_solution() {
        // 30 of 60 solutions, of three puzzles each.
        let batch = batch(Toy { puzzles: 180, alike: 3, ..Toy::default() }, 30, 10_000);
        let made = made(&batch, 2);
        let solutions: HashSet<_> = made.iter().map(|(_, _, text)| text.parse::<u64>().unwrap() / 3).collect();
        assert_eq!((made.len(), solutions.len()), (30, 30));
        assert!(made.iter().any(|&(_, try_number, _)| try_number > 0), "no index met a repeat");
    }

    #[test]
    fn index_out_of_tries_counts_their_outcomes() {
        let cases = [
            (
                Toy { hit_one_in: u64::MAX, puzzles: 1, ..Toy::default() },
                "no puzzle for index 0 in 5 tries: 5 off target; nearest: the number 0",
            ),
            (Toy { hit_one_in: 1, puzzles: 1, ..Toy::default() }, "no puzzle for index 1 in 5 tries: 5 repeats"),
        ];
        for (toy, expected) in cases {
            let fault = batch(toy, 2, 5).puzzles(2).find_map(Result::err).unwrap();
            assert_eq!(fault.sentence(), expected);
        }
    }
}
