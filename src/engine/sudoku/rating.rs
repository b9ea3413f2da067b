//! The rating: ER, EP and ED on the Sudoku Explainer scale, the five levels above it, and the record with its numbers.

use super::{
    board::Grid,
    explanation::explain,
    plain::plain_backtracks,
    techniques::{Candidates, Find, cells_with_singles, climb, write},
};
use crate::engine::{
    level::{Level, LevelBorder, Tenths},
    record::{Metric, RatingRecord, TechniqueCount},
    text::Reasoned,
};

/// Name and version of the rater. The version rises when any puzzle's result may change.
pub const RATER: (&str, u32) = ("puzzled-se", 1);

/// The hardest rating that the ladder gives.
pub const RATING_MAX: Tenths = Tenths(44);

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

/// ER alone, or none if the ladder does not finish the puzzle; 0.0 of a full grid. Some tens of microseconds, without
/// allocation.
#[must_use]
pub fn quick(puzzle: &Grid) -> Option<Tenths> {
    ratings(puzzle).map(|ratings| ratings.er)
}

/// ER, EP and ED alone, or none if the ladder does not finish the puzzle. Costs what [`quick`] costs.
#[must_use]
pub fn ratings(puzzle: &Grid) -> Option<Ratings> {
    let mut tally = Tally::default();
    let solved = climb(&mut Candidates::of(puzzle)?, |_, find| tally.add(find));
    solved.then_some(tally.ratings)
}

/// The full record, or none if the ladder does not finish the puzzle with this solution.
///
/// Its metrics, in this order, and then those of HoDoKu's scale (`hodoku/metrics.rs`):
///
/// | name | meaning | range |
/// |---|---|---|
/// | `er`, `ep`, `ed` | the three ratings, on the Sudoku Explainer scale | 1.0–4.4 |
/// | `clues` | givens | 17–81 |
/// | `freedom` | candidates over all empty cells of the start position | 0–576 |
/// | `branching_factor` | mean candidates of an empty cell at the start | 0–9 |
/// | `backtracks` | assignments that the plain solver undoes | 0 and up |
/// | `steps` | steps of the ladder | 0–729 |
/// | `openings` | mean, over the steps, of the cells that some single would fill at once | 0–64 |
#[must_use]
pub fn rate(puzzle: &Grid, solution: &Grid) -> Option<RatingRecord> {
    let (end, record) = assess(puzzle, |_, _| ())?;
    (end == *solution).then_some(record)
}

/// The steps as far as the ladder reaches, and the record if it reaches the end.
#[must_use]
pub fn reasoned(puzzle: &Grid) -> Reasoned {
    let mut steps = Vec::new();
    let record = assess(puzzle, |before, find| steps.push(write(before, find))).map(|(_, record)| record);
    Reasoned { steps, record }
}

/// Solves and takes the measure of every step; `seen` is shown each. The end position is the solution.
fn assess(puzzle: &Grid, mut seen: impl FnMut(&Candidates, &Find)) -> Option<(Grid, RatingRecord)> {
    let mut candidates = Candidates::of(puzzle)?;
    let start = Start::of(puzzle, &candidates);
    let (mut tally, mut techniques, mut openings) = (Tally::default(), Vec::new(), 0);
    let solved = climb(&mut candidates, |before, find| {
        tally.add(find);
        count(&mut techniques, find);
        openings += cells_with_singles(before).count_ones();
        seen(before, find);
    });
    if !solved {
        return None;
    }
    techniques.sort_by_key(|technique| technique.rating);
    let (rater, rater_version) = RATER;
    let metrics = metrics(puzzle, &start, &tally, openings);
    let explanation = explain(&techniques, start.clues, start.freedom);
    let rating = tally.ratings.er;
    Some((*candidates.grid(), RatingRecord { rater, rater_version, rating, techniques, metrics, explanation }))
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
        let rating = find.technique.rating;
        if self.steps == 0 {
            self.ratings.ed = rating;
        }
        if !self.placed {
            self.ratings.ep = self.ratings.ep.max(rating);
        }
        self.ratings.er = self.ratings.er.max(rating);
        self.placed |= find.places();
        self.steps += 1;
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

fn metrics(puzzle: &Grid, start: &Start, tally: &Tally, openings: u32) -> Vec<Metric> {
    let Ratings { er, ep, ed } = tally.ratings;
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
        ("openings", mean(openings, tally.steps)),
    ]
    .map(|(name, value)| Metric { name, value })
    .into_iter()
    .chain(super::hodoku::metrics(puzzle))
    .collect()
}

/// 0 of nothing.
fn mean(sum: u32, of: u32) -> f64 {
    f64::from(sum) / f64::from(of.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{level::level_of, sudoku::techniques::TECHNIQUES};

    #[test]
    fn levels_leave_no_gap_and_come_in_order() {
        assert_eq!(LEVELS.map(|border| border.level), Level::ALL);
        assert!(LEVELS.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0));
        let borders = [15, 16, 25, 26, 40, 41, 69, 70].map(|tenths| level_of(&LEVELS, Tenths(tenths)).name());
        assert_eq!(borders, ["easy", "medium", "medium", "hard", "hard", "expert", "expert", "evil"]);
    }

    #[test]
    fn the_hardest_technique_bounds_the_rating() {
        assert!(TECHNIQUES.is_sorted_by_key(|technique| technique.rating));
        assert_eq!(TECHNIQUES.last().unwrap().rating, RATING_MAX);
        assert_eq!(TECHNIQUES[0].rating, LEVELS[0].min);
    }
}
