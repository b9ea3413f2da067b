//! Builds a puzzle's rating record: its ratings, the techniques with their counts, and all other metrics of the ladder's
//! solution.

use std::ops::RangeInclusive;

use super::{
    explanation::explain,
    plain::plain_backtracks,
    rating::{RATER, Ratings, Tally},
    seconds::seconds,
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        metrics::Metrics,
        record::{RatingRecord, TechniqueCount},
        text::{Reasoned, Unrated},
    },
    sudoku::{
        board::Grid,
        hodoku::{HodokuRating, rate_unique},
        make::{goal::Reach, need::needs},
        metrics::SudokuMetrics,
        techniques::{Bounds, Candidates, Climb, Find, Looks, Technique, climb, openings, play, write},
    },
};

/// The full rating record of a puzzle that has this solution.
///
/// # Errors
/// [`Unrated`] if the ladder does not finish the puzzle; with a lower bound of ER if the budget ran out.
pub fn rate(puzzle: &Grid, solution: &Grid, budget: &mut Budget<'_>) -> Result<RatingRecord, Unrated> {
    rate_within(puzzle, solution, &Wanted::ANY, budget).map_err(NoRecord::any)
}

/// The requirements for a record. They are checked early, because most of a record takes longer to compute than the ratings.
#[derive(Debug, Clone)]
pub(in crate::sudoku) struct Wanted {
    pub(in crate::sudoku) ratings: RangeInclusive<Tenths>,
    /// The technique that must be needed. With [`Reach::Yes`], a puzzle that uses it is already known to need it.
    pub(in crate::sudoku) technique: Option<(Technique, Reach)>,
}

impl Wanted {
    const ANY: Self = Self { ratings: Tenths(0)..=Tenths::MAX, technique: None };

    fn is_by_technique(&self, find: &Find) -> bool {
        self.technique.is_some_and(|(technique, _)| technique.name == find.technique.name)
    }
}

/// Why a puzzle gets no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) enum NoRecord {
    Unrated(Unrated),
    /// The puzzle has this rating, which is not wanted. If the rating is above the wanted ones, it is a lower bound.
    OffTarget(Tenths),
    /// The puzzle has this rating and does not need the technique.
    NotNeeded(Technique, Tenths),
}

impl NoRecord {
    /// The reason if every rating is accepted, so that only one reason is possible.
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

/// Like [`rate`], but stops as soon as it is known that the puzzle does not meet the requirements.
pub(in crate::sudoku) fn rate_within(
    puzzle: &Grid,
    solution: &Grid,
    wanted: &Wanted,
    budget: &mut Budget<'_>,
) -> Result<RatingRecord, NoRecord> {
    let (end, record) = assess(puzzle, wanted, budget, |_, _| ())?;
    if end == *solution { Ok(record) } else { Err(Unrated::Stuck.into()) }
}

/// The steps that the ladder finds within the budget, and the record if it finishes the puzzle.
#[must_use]
pub fn reasoned(puzzle: &Grid, budget: &mut Budget<'_>) -> Reasoned {
    let mut steps = Vec::new();
    // Deriving a chain again costs a fraction of the search that found it.
    let mut proofs = budget.renewed(u64::MAX);
    let seen = |before: &Candidates, find: &Find| steps.push(write(before, find, &mut proofs));
    let end = assess(puzzle, &Wanted::ANY, budget, seen);
    Reasoned { steps, record: end.map(|(_, record)| record).map_err(NoRecord::any) }
}

/// Solves the puzzle and measures every step; `seen` is called with each. The final position is the solution.
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
    // The ladder uses uniqueness patterns, so it may also solve a board with several solutions.
    let hodoku = rate_unique(puzzle, budget).map_err(out_of_budget)?.ok_or(Unrated::Stuck)?;
    let metrics = Metrics::of("sudoku", &metrics(puzzle, &start, &tally, places_open, &looks, &hodoku));
    let explanation = explain(&techniques, start.clues, start.freedom);
    let rating = tally.ratings.er;
    Ok((*candidates.grid(), RatingRecord { rater, rater_version, rating, techniques, metrics, explanation }))
}

/// Whether the puzzle needs a technique, from what is already known and the position before the first step by the technique,
/// if there is such a step. The answer never changes, so it is computed at most once.
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

/// Counts of the start position, taken before the first step.
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

/// The mean. The mean of nothing is 0.
fn mean(sum: u32, of: u32) -> f64 {
    f64::from(sum) / f64::from(of.max(1))
}
