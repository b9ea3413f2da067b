//! Builds a puzzle's rating record: its ratings, the techniques with their counts, and all other metrics of the ladder's
//! solution.

use std::ops::RangeInclusive;

use super::{
    explanation::explain,
    plain::plain_backtracks,
    rating::{RATER, Ratings, Tally},
    seconds::{CALIBRATED_MAX, seconds},
};
use crate::{
    shared::{
        budget::Budget,
        givens::Givens,
        level::Tenths,
        metrics::Metrics,
        record::{RatingRecord, TechniqueCount},
        text::{Reasoned, Unrated},
    },
    sudoku::{
        board::Grid,
        hodoku::{HodokuRating, rate_unique},
        metrics::SudokuMetrics,
        nine,
        techniques::{Candidates, Climb, Find, Looks, Technique, climb, openings, play, write},
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
    /// The technique that must be the hardest.
    pub(in crate::sudoku) technique: Option<Technique>,
    /// Whether the number of givens must be one that the level of the puzzle delivers.
    pub(in crate::sudoku) is_as_delivered: bool,
}

impl Wanted {
    pub(in crate::sudoku) const ANY: Self =
        Self { ratings: Tenths(0)..=Tenths::MAX, technique: None, is_as_delivered: false };

    /// Checks the hardest technique of a puzzle, with the puzzle's rating, and its number of givens.
    fn check(&self, hardest: Technique, givens: u16) -> Result<(), NoRecord> {
        let rating = hardest.rating;
        if rating < *self.ratings.start() {
            return Err(NoRecord::OffTarget(rating));
        }
        if let Some(technique) = self.technique.filter(|technique| technique.name != hardest.name) {
            return Err(NoRecord::OffTechnique { hardest, tenths: technique.rating.0.abs_diff(rating.0) });
        }
        match nine().delivered(rating).filter(|delivered| self.is_as_delivered && !delivered.contains(givens)) {
            Some(delivered) => Err(NoRecord::OffGivens { rating, delivered }),
            None => Ok(()),
        }
    }
}

/// Why a puzzle gets no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) enum NoRecord {
    Unrated(Unrated),
    /// The puzzle has this rating, which is not wanted. If the rating is above the wanted ones, it is a lower bound.
    OffTarget(Tenths),
    /// The puzzle has this hardest technique instead of the wanted one, which is rated this many tenths away.
    OffTechnique {
        hardest: Technique,
        tenths: u8,
    },
    /// The puzzle has this rating, and a number of givens that its level does not deliver.
    OffGivens {
        rating: Tenths,
        delivered: Givens,
    },
}

impl NoRecord {
    /// The reason if every rating is accepted, so that only one reason is possible.
    fn any(self) -> Unrated {
        match self {
            Self::Unrated(why) => why,
            Self::OffTarget(_) | Self::OffTechnique { .. } | Self::OffGivens { .. } => Unrated::Stuck,
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
    let visit = |before: &Candidates, find: &Find| steps.push(write(before, find, &mut proofs));
    let end = assess(puzzle, &Wanted::ANY, budget, visit);
    Reasoned { steps, record: end.map(|(_, record)| record).map_err(NoRecord::any) }
}

/// Solves the puzzle and measures every step; `visit` is called with each. The final position is the solution.
fn assess(
    puzzle: &Grid,
    wanted: &Wanted,
    budget: &mut Budget<'_>,
    mut visit: impl FnMut(&Candidates, &Find),
) -> Result<(Grid, RatingRecord), NoRecord> {
    let mut candidates = Candidates::of(puzzle).ok_or(Unrated::Stuck)?;
    let start = Start::of(puzzle, &candidates);
    let (mut tally, mut techniques, mut places_open) = (Tally::default(), Vec::new(), 0);
    let end = climb(&mut candidates, *wanted.ratings.end(), budget, |before, find| {
        tally.add(find);
        count(&mut techniques, find);
        places_open += openings(before).iter().map(|places| places.count_ones()).sum::<u32>();
        visit(before, find);
    });
    match end {
        Climb::Solved => tally.hardest.map_or(Ok(()), |hardest| wanted.check(hardest, start.givens))?,
        Climb::Stuck => return Err(Unrated::Stuck.into()),
        Climb::Harder { at_least } => return Err(NoRecord::OffTarget(at_least)),
        Climb::OutOfBudget { why, at_least } => {
            return Err(Unrated::OutOfBudget { why, at_least: tally.ratings.er.max(at_least) }.into());
        }
    }
    let at_least = tally.ratings.er;
    let out_of_budget = |why| Unrated::OutOfBudget { why, at_least };
    techniques.sort_by_key(|technique| technique.rating);
    let (rater, rater_version) = RATER;
    let looks = play(&Candidates::of(puzzle).ok_or(Unrated::Stuck)?, candidates.grid());
    // The ladder uses uniqueness patterns, so it may also solve a board with several solutions.
    let hodoku = rate_unique(puzzle, budget).map_err(out_of_budget)?.ok_or(Unrated::Stuck)?;
    let metrics = metrics(puzzle, &start, &tally, places_open, &looks, &hodoku);
    let predicted_seconds = whole(metrics.predicted_seconds).filter(|_| metrics.er <= CALIBRATED_MAX);
    let metrics = Metrics::of("sudoku", &metrics);
    let (rating, technique) = (tally.ratings.er, tally.hardest.map_or("", |hardest| hardest.name));
    let explanation = explain(technique, &techniques, start.givens, start.freedom);
    let record =
        RatingRecord { rater, rater_version, rating, technique, techniques, predicted_seconds, metrics, explanation };
    Ok((*candidates.grid(), record))
}

/// Whole seconds, at most `u32::MAX`.
fn whole(seconds: f64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded and within bounds")]
    (0.0..f64::from(u32::MAX)).contains(&seconds).then(|| seconds.round() as u32)
}

/// Counts of the start position, taken before the first step.
struct Start {
    givens: u16,
    freedom: u32,
    empty: u32,
}

impl Start {
    fn of(puzzle: &Grid, candidates: &Candidates) -> Self {
        Self { givens: puzzle.givens(), freedom: candidates.count(), empty: candidates.empty().count_ones() }
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
        givens: start.givens.into(),
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
