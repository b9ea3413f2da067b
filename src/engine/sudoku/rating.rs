//! The rating: ER, EP and ED on the Sudoku Explainer scale, the five levels above it, and the record with its numbers.

use std::ops::RangeInclusive;

use super::{
    board::Grid,
    explanation::explain,
    hodoku,
    plain::plain_backtracks,
    seconds::seconds,
    techniques::{Bounds, Candidates, Climb, Find, Looks, climb, openings, play, write},
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    level::{Level, LevelBorder, Tenths},
    record::{Metric, RatingRecord, TechniqueCount},
    text::{Reasoned, Unrated},
};

/// Name and version of the rater. The version rises when any puzzle's result may change.
pub const RATER: (&str, u32) = ("puzzled-se", 3);

/// The hardest rating that the ladder can give: the last technique with the longest chain. The hardest puzzles known have
/// 11.9.
pub const RATING_MAX: Tenths = Tenths(134);

/// Nodes that a rating may take at most: one is one implication that a search for chains follows. Some seconds of work;
/// what needs more is called out of budget.
pub const NODES_PER_RATING_MAX: u64 = 50_000_000;

/// The five levels. A border lies where a person has to do something new.
pub const LEVELS: [LevelBorder; 5] = [
    LevelBorder {
        level: Level::Easy,
        min: Tenths(10),
        max: Tenths(15),
        reason: "hidden singles alone: one look at a box, row or column fills a cell",
    },
    LevelBorder {
        level: Level::Medium,
        min: Tenths(16),
        max: Tenths(25),
        reason: "the end of the direct techniques: every step fills a cell, so no notes are needed",
    },
    LevelBorder {
        level: Level::Hard,
        min: Tenths(26),
        max: Tenths(40),
        reason: "candidates have to be noted and removed, but each pattern is one digit in a few lines or one house",
    },
    LevelBorder {
        level: Level::Expert,
        min: Tenths(41),
        max: Tenths(69),
        reason: "patterns bind cells of several houses and digits: wings, uniqueness, single chains without a branch",
    },
    LevelBorder {
        level: Level::Evil,
        min: Tenths(70),
        max: Tenths(u8::MAX),
        reason: "long forcing chains and contradictions, several of them at once",
    },
];

/// The three ratings of Sudoku Explainer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ratings {
    /// ER: the hardest step of all.
    pub er: Tenths,
    /// EP, "pearl": the hardest step up to the first that places a digit, that one included.
    pub ep: Tenths,
    /// ED, "diamond": the first step.
    pub ed: Tenths,
}

/// What a rating came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The ladder finished the puzzle.
    Rated(Ratings),
    /// The budget ended in the search for the next step.
    OutOfBudget {
        /// Why it ended.
        why: OutOfBudget,
        /// A lower bound of each rating.
        at_least: Ratings,
    },
    /// No technique of the ladder finds anything more: the puzzle has not exactly one solution. Each rating is a lower
    /// bound on what it takes to come so far.
    Stuck(Ratings),
    /// It takes a step above the limit. Each rating is a lower bound.
    Harder(Ratings),
    /// Two givens clash.
    Clash,
}

/// ER, EP and ED alone, within the budget. Some ten microseconds up to ER 2.5, half a millisecond about 7.0, some ten
/// milliseconds about 9.0, a second or more above 10.
#[must_use]
pub fn outcome(puzzle: &Grid, budget: &mut Budget<'_>) -> Outcome {
    outcome_up_to(puzzle, Tenths::MAX, budget)
}

/// As [`outcome`], but no further than the first step that is rated above `limit`.
#[must_use]
pub fn outcome_up_to(puzzle: &Grid, limit: Tenths, budget: &mut Budget<'_>) -> Outcome {
    let Some(mut candidates) = Candidates::of(puzzle) else { return Outcome::Clash };
    let mut tally = Tally::default();
    match climb(&mut candidates, Bounds::up_to(limit), budget, |_, find| tally.add(find)) {
        Climb::Solved => Outcome::Rated(tally.ratings),
        Climb::Stuck => Outcome::Stuck(tally.ratings),
        Climb::Harder { at_least } => {
            tally.rate(at_least);
            Outcome::Harder(tally.ratings)
        }
        Climb::OutOfBudget { why, at_least } => {
            tally.rate(at_least);
            Outcome::OutOfBudget { why, at_least: tally.ratings }
        }
    }
}

/// The full record of a puzzle that the ladder finishes with this solution.
///
/// Its metrics, in this order, and then those of HoDoKu's scale (`hodoku/metrics.rs`):
///
/// | name | meaning | range |
/// |---|---|---|
/// | `er`, `ep`, `ed` | the three ratings, on the Sudoku Explainer scale | 1.0–13.4 |
/// | `clues` | givens | 17–81 |
/// | `freedom` | candidates over all empty cells of the start position | 0–576 |
/// | `branching_factor` | mean candidates of an empty cell at the start | 0–9 |
/// | `backtracks` | assignments that the plain solver undoes | 0 and up |
/// | `steps` | steps of the ladder | 0–729 |
/// | `openings` | mean, over the steps, of the cells that some single would fill at once | 0–64 |
/// | `looks` | looks at a house or cell that a person is expected to need; see `techniques/looks.rs` | 0 and up |
/// | `predicted_seconds` | mean time of people who solve such puzzles for pleasure | seconds |
/// | `predicted_seconds_low`, `predicted_seconds_high` | four of five puzzles lie between these | seconds |
///
/// # Errors
/// [`Unrated`] if it does not, with a lower bound of ER if that is for want of budget.
pub fn rate(puzzle: &Grid, solution: &Grid, budget: &mut Budget<'_>) -> Result<RatingRecord, Unrated> {
    rate_within(puzzle, solution, &ANY, budget).map_err(NoRecord::any)
}

/// Every rating.
const ANY: RangeInclusive<Tenths> = Tenths(0)..=Tenths::MAX;

/// Why a puzzle has no record of a wanted rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRecord {
    Unrated(Unrated),
    /// It has another rating; above the wanted ones this is a lower bound.
    OffTarget(Tenths),
}

impl NoRecord {
    /// Where any rating will do, there is only one reason.
    fn any(self) -> Unrated {
        match self {
            Self::Unrated(why) => why,
            Self::OffTarget(_) => Unrated::Stuck,
        }
    }
}

impl From<Unrated> for NoRecord {
    fn from(why: Unrated) -> Self {
        Self::Unrated(why)
    }
}

/// As [`rate`], but no further than tells that the rating is none of those wanted.
pub(super) fn rate_within(
    puzzle: &Grid,
    solution: &Grid,
    wanted: &RangeInclusive<Tenths>,
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
    let end = assess(puzzle, &ANY, budget, seen);
    Reasoned { steps, record: end.map(|(_, record)| record).map_err(NoRecord::any) }
}

/// Solves and takes the measure of every step; `seen` is shown each. The end position is the solution.
fn assess(
    puzzle: &Grid,
    wanted: &RangeInclusive<Tenths>,
    budget: &mut Budget<'_>,
    mut seen: impl FnMut(&Candidates, &Find),
) -> Result<(Grid, RatingRecord), NoRecord> {
    let mut candidates = Candidates::of(puzzle).ok_or(Unrated::Stuck)?;
    let start = Start::of(puzzle, &candidates);
    let (mut tally, mut techniques, mut places_open) = (Tally::default(), Vec::new(), 0);
    let end = climb(&mut candidates, Bounds::up_to(*wanted.end()), budget, |before, find| {
        tally.add(find);
        count(&mut techniques, find);
        places_open += openings(before).iter().map(|places| places.count_ones()).sum::<u32>();
        seen(before, find);
    });
    match end {
        Climb::Solved if tally.ratings.er < *wanted.start() => return Err(NoRecord::OffTarget(tally.ratings.er)),
        Climb::Solved => {}
        Climb::Stuck => return Err(Unrated::Stuck.into()),
        Climb::Harder { at_least } => return Err(NoRecord::OffTarget(at_least)),
        Climb::OutOfBudget { why, at_least } => {
            return Err(Unrated::OutOfBudget { why, at_least: tally.ratings.er.max(at_least) }.into());
        }
    }
    techniques.sort_by_key(|technique| technique.rating);
    let (rater, rater_version) = RATER;
    let looks = play(&Candidates::of(puzzle).ok_or(Unrated::Stuck)?, candidates.grid());
    let mut metrics = metrics(puzzle, &start, &tally, places_open, &looks);
    let at_least = tally.ratings.er;
    metrics.extend(hodoku::metrics(puzzle, budget).map_err(|why| Unrated::OutOfBudget { why, at_least })?);
    let explanation = explain(&techniques, start.clues, start.freedom);
    let rating = tally.ratings.er;
    Ok((*candidates.grid(), RatingRecord { rater, rater_version, rating, techniques, metrics, explanation }))
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

/// What is counted from step to step.
#[derive(Default)]
struct Tally {
    ratings: Ratings,
    steps: u32,
    placed: bool,
}

impl Tally {
    fn add(&mut self, find: &Find) {
        self.rate(find.technique.rating);
        self.placed |= find.places();
        self.steps += 1;
    }

    /// Takes the next step's rating into account.
    fn rate(&mut self, rating: Tenths) {
        if self.steps == 0 {
            self.ratings.ed = rating;
        }
        if !self.placed {
            self.ratings.ep = self.ratings.ep.max(rating);
        }
        self.ratings.er = self.ratings.er.max(rating);
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

fn metrics(puzzle: &Grid, start: &Start, tally: &Tally, places_open: u32, looks: &Looks) -> Vec<Metric> {
    let Ratings { er, ep, ed } = tally.ratings;
    let [low, seconds, high] = seconds(looks, er);
    let scale = |rating: Tenths| f64::from(rating.0) / 10.0;
    [
        ("er", scale(er)),
        ("ep", scale(ep)),
        ("ed", scale(ed)),
        ("clues", f64::from(start.clues)),
        ("freedom", f64::from(start.freedom)),
        ("branching_factor", mean(start.freedom, start.empty)),
        ("backtracks", f64::from(plain_backtracks(puzzle))),
        ("steps", f64::from(tally.steps)),
        ("openings", mean(places_open, tally.steps)),
        ("looks", looks.expected),
        ("predicted_seconds", seconds),
        ("predicted_seconds_low", low),
        ("predicted_seconds_high", high),
    ]
    .map(|(name, value)| Metric { name, value })
    .to_vec()
}

/// 0 of nothing.
fn mean(sum: u32, of: u32) -> f64 {
    f64::from(sum) / f64::from(of.max(1))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::{level::level_of, sudoku::techniques::TECHNIQUES};

    #[test]
    fn levels_leave_no_gap_and_come_in_order() {
        assert_eq!(LEVELS.map(|border| border.level), Level::ALL);
        assert!(LEVELS.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0));
        let borders = [15, 16, 25, 26, 40, 41, 69, 70].map(|tenths| level_of(&LEVELS, Tenths(tenths)).name());
        assert_eq!(borders, ["easy", "medium", "medium", "hard", "hard", "expert", "expert", "evil"]);
    }

    const NEEDS_NESTED: &str = "003006700000000020090200000030700600500004007607003045305007400000000000000010008";

    fn check_bound(puzzle: &Grid, nodes_max: u64, cancelled: bool, wanted: OutOfBudget) -> Ratings {
        let flag = AtomicBool::new(cancelled);
        match outcome(puzzle, &mut Budget::new(nodes_max, &flag)) {
            Outcome::OutOfBudget { why, at_least } if why == wanted => at_least,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_out_of_budget_has_a_lower_bound() {
        let puzzle = Grid::parse(NEEDS_NESTED).unwrap();
        assert!(check_bound(&puzzle, 20_000, false, OutOfBudget::Nodes).er >= Tenths(66));
        let easiest_chain = Ratings { er: Tenths(65), ep: Tenths(65), ed: Tenths(65) };
        assert_eq!(check_bound(&Grid::EMPTY, 0, false, OutOfBudget::Nodes), easiest_chain);
    }

    #[test]
    fn a_raised_flag_ends_a_rating_that_would_take_seconds() {
        let puzzle = Grid::parse(NEEDS_NESTED).unwrap();
        assert!(check_bound(&puzzle, u64::MAX, true, OutOfBudget::Cancelled).er >= Tenths(65));
    }

    #[test]
    fn the_hardest_technique_bounds_the_rating() {
        assert!(TECHNIQUES.is_sorted_by_key(|technique| technique.rating));
        let longest = 24;
        assert_eq!(TECHNIQUES.last().unwrap().rating.0 + longest, RATING_MAX.0);
        assert_eq!(TECHNIQUES[0].rating, LEVELS[0].min);
    }
}
