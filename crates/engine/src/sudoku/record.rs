//! The record of a puzzle: its ratings, the techniques and their counts, and all other numbers of the ladder's way through it.

use std::ops::RangeInclusive;

use super::{
    board::Grid,
    explanation::explain,
    goal::Reach,
    hodoku::{HodokuRating, rate_unique},
    need::needs,
    plain::plain_backtracks,
    rating::{RATER, Ratings, Tally},
    seconds::seconds,
    techniques::{Bounds, Candidates, Climb, Find, Looks, Technique, climb, openings, play, write},
};
use crate::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    metrics::{Metrics, SudokuMetrics},
    record::{RatingRecord, TechniqueCount},
    text::{Reasoned, Unrated},
};

/// The full record of a puzzle that the ladder finishes with this solution.
///
/// # Errors
/// [`Unrated`] if it does not, with a lower bound of ER if that is for want of budget.
pub fn rate(puzzle: &Grid, solution: &Grid, budget: &mut Budget<'_>) -> Result<RatingRecord, Unrated> {
    rate_within(puzzle, solution, &Wanted::ANY, budget).map_err(NoRecord::any)
}

/// What a puzzle must be to be worth a record: most of it takes longer than the ratings.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) ratings: RangeInclusive<Tenths>,
    /// The technique that must be needed, and whether it is known to be if it is used.
    pub(super) technique: Option<(Technique, Reach)>,
}

impl Wanted {
    const ANY: Self = Self { ratings: Tenths(0)..=Tenths::MAX, technique: None };

    fn is_by_technique(&self, find: &Find) -> bool {
        self.technique.is_some_and(|(technique, _)| technique.name == find.technique.name)
    }
}

/// Why a puzzle has no record of what is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRecord {
    Unrated(Unrated),
    /// It has another rating; above the wanted ones this is a lower bound.
    OffTarget(Tenths),
    /// It has this rating and does not need the technique.
    NotNeeded(Technique, Tenths),
}

impl NoRecord {
    /// Where any rating will do, there is only one reason.
    fn any(self) -> Unrated {
        match self {
            Self::Unrated(why) => why,
            Self::OffTarget(_) | Self::NotNeeded(..) => Unrated::Stuck,
        }
    }
}

impl From<Unrated> for NoRecord {
    fn from(why: Unrated) -> Self {
        Self::Unrated(why)
    }
}

/// As [`rate`], but no further than tells that the puzzle is not what is wanted.
pub(super) fn rate_within(
    puzzle: &Grid,
    solution: &Grid,
    wanted: &Wanted,
    budget: &mut Budget<'_>,
) -> Result<RatingRecord, NoRecord> {
    let (end, record) = assess(puzzle, wanted, budget, |_, _| ())?;
    if end == *solution { Ok(record) } else { Err(Unrated::Stuck.into()) }
}

/// The steps as far as the ladder reaches within the budget, and the record if it reaches the end.
#[must_use]
pub fn reasoned(puzzle: &Grid, budget: &mut Budget<'_>) -> Reasoned {
    let mut steps = Vec::new();
    // To draw a chain takes a part of what the search for it took.
    let mut proofs = budget.renewed(u64::MAX);
    let seen = |before: &Candidates, find: &Find| steps.push(write(before, find, &mut proofs));
    let end = assess(puzzle, &Wanted::ANY, budget, seen);
    Reasoned { steps, record: end.map(|(_, record)| record).map_err(NoRecord::any) }
}

/// Solves and takes the measure of every step; `seen` is shown each. The end position is the solution.
fn assess(
    puzzle: &Grid,
    wanted: &Wanted,
    budget: &mut Budget<'_>,
    mut seen: impl FnMut(&Candidates, &Find),
) -> Result<(Grid, RatingRecord), NoRecord> {
    let mut candidates = Candidates::of(puzzle).ok_or(Unrated::Stuck)?;
    let start = Start::of(puzzle, &candidates);
    let (mut tally, mut techniques, mut places_open) = (Tally::default(), Vec::new(), 0);
    let mut before_wanted = None;
    let end = climb(&mut candidates, Bounds::up_to(*wanted.ratings.end()), budget, |before, find| {
        tally.add(find);
        if before_wanted.is_none() && wanted.is_by_technique(find) {
            before_wanted = Some(before.clone());
        }
        count(&mut techniques, find);
        places_open += openings(before).iter().map(|places| places.count_ones()).sum::<u32>();
        seen(before, find);
    });
    match end {
        Climb::Solved if tally.ratings.er < *wanted.ratings.start() => {
            return Err(NoRecord::OffTarget(tally.ratings.er));
        }
        Climb::Solved => {}
        Climb::Stuck => return Err(Unrated::Stuck.into()),
        Climb::Harder { at_least } => return Err(NoRecord::OffTarget(at_least)),
        Climb::OutOfBudget { why, at_least } => {
            return Err(Unrated::OutOfBudget { why, at_least: tally.ratings.er.max(at_least) }.into());
        }
    }
    let at_least = tally.ratings.er;
    let out_of_budget = |why| Unrated::OutOfBudget { why, at_least };
    if let Some((technique, reach)) = wanted.technique
        && !is_needed(technique, reach, before_wanted.as_ref(), at_least, budget).map_err(out_of_budget)?
    {
        return Err(NoRecord::NotNeeded(technique, at_least));
    }
    techniques.sort_by_key(|technique| technique.rating);
    let (rater, rater_version) = RATER;
    let looks = play(&Candidates::of(puzzle).ok_or(Unrated::Stuck)?, candidates.grid());
    // The ladder's uniqueness patterns may also solve a board with several solutions.
    let hodoku = rate_unique(puzzle, budget).map_err(out_of_budget)?.ok_or(Unrated::Stuck)?;
    let metrics = Metrics::Sudoku(metrics(puzzle, &start, &tally, places_open, &looks, &hodoku));
    let explanation = explain(&techniques, start.clues, start.freedom);
    let rating = tally.ratings.er;
    Ok((*candidates.grid(), RatingRecord { rater, rater_version, rating, techniques, metrics, explanation }))
}

/// Whether a technique is needed in a puzzle, by what is known of it and by the position before the first such step, if there is
/// one. The same question has the same answer: it is put once.
fn is_needed(
    technique: Technique,
    reach: Reach,
    before: Option<&Candidates>,
    er: Tenths,
    budget: &mut Budget<'_>,
) -> Result<bool, OutOfBudget> {
    match before {
        None => Ok(false),
        Some(_) if reach == Reach::Yes => Ok(true),
        Some(before) => needs(before, er, technique, budget),
    }
}

/// What is counted before the first step.
struct Start {
    clues: u16,
    freedom: u32,
    empty: u32,
}

impl Start {
    fn of(puzzle: &Grid, candidates: &Candidates) -> Self {
        Self { clues: puzzle.givens(), freedom: candidates.count(), empty: candidates.empty().count_ones() }
    }
}

fn count(techniques: &mut Vec<TechniqueCount>, find: &Find) {
    let technique = find.technique;
    match techniques
        .iter_mut()
        .find(|counted| counted.technique == technique.name && counted.rating == technique.rating)
    {
        Some(counted) => counted.count += 1,
        None => {
            techniques.push(TechniqueCount { technique: technique.name, rating: technique.rating, count: 1 });
        }
    }
}

fn metrics(
    puzzle: &Grid,
    start: &Start,
    tally: &Tally,
    places_open: u32,
    looks: &Looks,
    hodoku: &HodokuRating,
) -> SudokuMetrics {
    let Ratings { er, ep, ed } = tally.ratings;
    let [predicted_seconds_low, predicted_seconds, predicted_seconds_high] = seconds(looks, er);
    SudokuMetrics {
        er,
        ep,
        ed,
        hodoku_score: hodoku.score,
        hodoku_level: hodoku.level,
        clues: start.clues.into(),
        freedom: start.freedom,
        branching_factor: mean(start.freedom, start.empty),
        backtracks: plain_backtracks(puzzle),
        steps: tally.steps,
        openings: mean(places_open, tally.steps),
        looks: looks.expected,
        predicted_seconds,
        predicted_seconds_low,
        predicted_seconds_high,
    }
}

/// 0 of nothing.
fn mean(sum: u32, of: u32) -> f64 {
    f64::from(sum) / f64::from(of.max(1))
}
