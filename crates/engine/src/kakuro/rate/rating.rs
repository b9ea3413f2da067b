//! Rates Kakuro: tier and load, the five levels defined on them, and the record with its metrics.
//!
//! The tier is that of the hardest technique that the ladder needs. The load is the share of cells that stay open
//! without that tier. The rating is tier plus load, truncated to tenths. Neither depends on the size of the board, so
//! ratings of small and large boards are comparable.
//!
//! One metric is the number of backtracks of a plain solver, which knows only the combinations of each run, fills the cell with
//! the fewest candidates first, and tries the lowest digit first.

use super::explanation::explain;
use crate::{
    kakuro::{
        board::{Digit, Puzzle},
        digits::{Digits, possible},
        metrics::KakuroMetrics,
        reasoning::FILTERS,
        solver::{Propagation, open},
        techniques::{Climb, Find, Position, TECHNIQUES, Tier, climb, write},
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::{Level, LevelBorder, Tenths},
        metrics::Metrics,
        record::{RatingRecord, TechniqueCount},
        text::{Reasoned, Unrated},
    },
};

/// Name and version of the rater. The version rises when the result for any puzzle may change.
pub const RATER: (&str, u32) = ("puzzled-kakuro", 2);

/// The hardest rating that the ladder can give.
pub const RATING_MAX: Tenths = Tenths(79);

/// The effort of a typical easy 8x10 puzzle, in looks at one run. The relative time is a multiple of this.
const EFFORT_TYPICAL: f64 = 90.0;

/// The five levels. Each begins where a new kind of reasoning is needed.
pub const LEVELS: [LevelBorder; 5] = [
    LevelBorder {
        level: Level::Easy,
        min: Tenths(10),
        max: Tenths(29),
        reason: "the combinations of each run's sum, one run at a time, compared with the crossing runs",
    },
    LevelBorder {
        level: Level::Medium,
        min: Tenths(30),
        max: Tenths(39),
        reason: "combinations have to be weighed against the candidates of the cells",
    },
    LevelBorder {
        level: Level::Hard,
        min: Tenths(40),
        max: Tenths(59),
        reason: "all fillings of a run at once, or sums over whole regions",
    },
    LevelBorder {
        level: Level::Expert,
        min: Tenths(60),
        max: Tenths(69),
        reason: "a candidate has to be followed into a contradiction, which lies two or three runs away",
    },
    LevelBorder {
        level: Level::Evil,
        min: Tenths(70),
        max: RATING_MAX,
        reason: "a candidate has to be followed into a contradiction over four runs or more",
    },
];

/// A rating without the rest of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quick {
    /// The rating.
    pub rating: Tenths,
    /// The number of links of the longest chain that is needed; 0 if no chain is.
    pub chain: u32,
}

/// The rating alone, or `None` if the ladder does not solve the puzzle without a search.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the cancel flag is raised. Uses no nodes.
pub fn quick(puzzle: &Puzzle, budget: &mut Budget<'_>) -> Result<Option<Quick>, OutOfBudget> {
    let mut tally = Tally::default();
    let mut ladder = Climb::start(puzzle, Tier(7));
    climb(&mut ladder, budget, |before, find| tally.add(before, find))?;
    Ok((ladder.position.open() == 0).then(|| Quick { rating: tally.rating(puzzle), chain: tally.chain }))
}

/// The full record, or `None` if the ladder does not reach this solution.
///
/// # Errors
/// [`OutOfBudget`] if the last technique, a search, exhausts the budget.
pub fn rate(puzzle: &Puzzle, solution: &[Digit], budget: &mut Budget<'_>) -> Result<Option<RatingRecord>, OutOfBudget> {
    let found = assess(puzzle, budget, |_, _| ())?;
    Ok(found.filter(|(end, _)| end == solution).map(|(_, record)| record))
}

/// The steps as far as the ladder reaches, and the record if it solves the puzzle.
#[must_use]
pub fn reasoned(puzzle: &Puzzle, budget: &mut Budget<'_>) -> Reasoned {
    let mut steps = Vec::new();
    let end = assess(puzzle, budget, |before, find| steps.push(write(before, find)));
    let at_least = steps.iter().map(|step| step.rating).max().unwrap_or(LEVELS[0].min);
    let record = match end {
        Ok(Some((_, record))) => Ok(record),
        Ok(None) => Err(Unrated::Stuck),
        Err(why) => Err(Unrated::OutOfBudget { why, at_least }),
    };
    Reasoned { steps, record }
}

/// Solves the puzzle, measures every step, and passes each to `visit`. The final position is the solution.
fn assess(
    puzzle: &Puzzle,
    budget: &mut Budget<'_>,
    mut visit: impl FnMut(&Position<'_>, &Find),
) -> Result<Option<(Vec<Digit>, RatingRecord)>, OutOfBudget> {
    let mut tally = Tally::default();
    let mut ladder = Climb::start(puzzle, Tier(8));
    climb(&mut ladder, budget, |before, find| {
        tally.add(before, find);
        visit(before, find);
    })?;
    // The steps may fill every cell even if there is no solution.
    let Some(digits) = ladder.position.digits().filter(|digits| puzzle.is_solved_by(digits)) else { return Ok(None) };
    Ok(Some((digits, tally.record(puzzle, budget)?)))
}

/// The counts of the steps so far.
#[derive(Debug, Default)]
struct Tally {
    /// The hardest tier so far, and the number of cells that were open when it was first needed.
    hardest: Option<Tier>,
    open: usize,
    /// The technique of the first step that has the rating of that tier.
    technique: &'static str,
    steps: u32,
    effort: u32,
    /// The number of links of the longest chain.
    chain: u32,
    /// The number of steps by each technique, in the order of the ladder.
    counts: [u32; TECHNIQUES.len()],
}

impl Tally {
    fn add(&mut self, before: &Position<'_>, find: &Find) {
        let technique = find.technique;
        if self.hardest.is_none_or(|hardest| technique.tier.min(Tier(7)) > hardest) {
            if self.hardest.is_none_or(|hardest| technique.tier.rated() > hardest.rated()) {
                self.technique = technique.name;
            }
            self.hardest = Some(technique.tier);
            // If the first tier is the hardest, no easier tier left a cell open.
            self.open = if technique.tier == Tier(0) { 0 } else { before.open() };
        }
        self.steps += 1;
        self.effort += technique.effort;
        self.chain = self.chain.max(find.links());
        if let Some(at) = TECHNIQUES.iter().position(|other| *other == technique) {
            self.counts[at] += 1;
        }
    }

    fn tier(&self) -> u8 {
        self.hardest.map_or(1, Tier::rated)
    }

    /// Tier plus load, with the load truncated to tenths and below 1.
    fn rating(&self, puzzle: &Puzzle) -> Tenths {
        let tenths = (10 * self.open / puzzle.layout().cells().len()).min(9);
        Tenths(10 * self.tier() + u8::try_from(tenths).expect("at most 9"))
    }

    fn techniques(&self) -> Vec<TechniqueCount> {
        let used = TECHNIQUES.iter().zip(self.counts).filter(|(_, count)| *count > 0);
        used.map(|(technique, count)| TechniqueCount { technique: technique.name, rating: technique.rating(), count })
            .collect()
    }

    fn record(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Result<RatingRecord, OutOfBudget> {
        let (rater, rater_version) = RATER;
        let (rating, techniques) = (self.rating(puzzle), self.techniques());
        let explanation = explain(self.technique, &techniques, rating, puzzle, self.open);
        let metrics = Metrics::of("kakuro", &self.metrics(puzzle, plain_backtracks(puzzle, budget)?));
        let (technique, predicted_seconds) = (self.technique, None);
        Ok(RatingRecord {
            rater,
            rater_version,
            rating,
            technique,
            techniques,
            predicted_seconds,
            metrics,
            explanation,
        })
    }

    fn metrics(&self, puzzle: &Puzzle, backtracks: u32) -> KakuroMetrics {
        let (cells, runs) = (number(puzzle.layout().cells().len()), number(puzzle.clue_count()));
        let (freedom, effort, of_cells) = (freedom(puzzle), f64::from(self.effort), f64::from(cells));
        KakuroMetrics {
            tier: self.tier().into(),
            load: f64::from(number(self.open)) / of_cells,
            effort,
            effort_per_cell: effort / of_cells,
            relative_time: effort / EFFORT_TYPICAL,
            coefficient: of_cells / f64::from(runs),
            paper_level: paper_level(cells, runs),
            cells,
            runs,
            freedom,
            branching_factor: f64::from(freedom) / of_cells,
            backtracks,
            steps: self.steps,
            chain: self.chain,
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a board has at most 841 cells, of 9 candidates each")
}

fn paper_level(cells: u32, runs: u32) -> u32 {
    match (cells <= runs, 2 * cells <= 3 * runs) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => 3,
    }
}

fn freedom(puzzle: &Puzzle) -> u32 {
    let layout = puzzle.layout();
    let of_run = |run: usize| match usize::from(puzzle.sums()[run]) {
        0 => Digits::ALL,
        sum => possible(layout.runs()[run].whites().len(), sum),
    };
    let of_cell = |white: usize| {
        let [across, down] = layout.runs_of(white).map(of_run);
        across.and(down).len()
    };
    number((0..layout.cells().len()).map(of_cell).sum())
}

/// The count stops here.
const BACKTRACKS_MAX: u32 = 300;

/// The number of digits that the plain solver undoes before it finds a solution, up to [`BACKTRACKS_MAX`].
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the cancel flag is raised. Uses no nodes.
fn plain_backtracks(puzzle: &Puzzle, budget: &Budget<'_>) -> Result<u32, OutOfBudget> {
    let mut plain = Plain { puzzle, propagation: Propagation::new(puzzle.sums().len()), backtracks: 0 };
    let mut cells = open(puzzle);
    plain.propagation.push_all(puzzle.layout());
    if plain.propagate(&mut cells) {
        plain.solve(&cells, budget)?;
    }
    Ok(plain.backtracks.min(BACKTRACKS_MAX))
}

struct Plain<'p> {
    puzzle: &'p Puzzle,
    propagation: Propagation,
    backtracks: u32,
}

impl Plain<'_> {
    /// Whether a solution was found, or the count reached its limit.
    fn solve(&mut self, cells: &[Digits], budget: &Budget<'_>) -> Result<bool, OutOfBudget> {
        let open = (0..cells.len()).filter(|&white| !cells[white].is_single());
        let Some(white) = open.min_by_key(|&white| cells[white].len()) else { return Ok(true) };
        for digit in cells[white].iter() {
            budget.check_cancelled()?;
            let mut taken = cells.to_vec();
            taken[white] = Digits::only(digit);
            self.propagation.push_cell(self.puzzle.layout(), white);
            if self.propagate(&mut taken) && self.solve(&taken, budget)? {
                return Ok(true);
            }
            self.backtracks += 1;
            if self.backtracks >= BACKTRACKS_MAX {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn propagate(&mut self, cells: &mut [Digits]) -> bool {
        self.propagation.run(self.puzzle.layout(), self.puzzle.sums(), cells, FILTERS[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::level::level_of;

    #[test]
    fn levels_are_contiguous_and_in_order() {
        assert_eq!(LEVELS.map(|border| border.level), Level::ALL);
        assert!(LEVELS.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0));
        let levels = [10, 29, 30, 39, 40, 59, 60, 69, 70, 79].map(|tenths| level_of(&LEVELS, Tenths(tenths)).name());
        let expected = ["easy", "easy", "medium", "medium", "hard", "hard", "expert", "expert", "evil", "evil"];
        assert_eq!(levels, expected);
    }

    #[test]
    fn technique_ratings_rise_to_the_hardest_rating() {
        assert!(TECHNIQUES.is_sorted_by_key(|technique| technique.tier));
        assert_eq!(TECHNIQUES[TECHNIQUES.len() - 1].rating().0 / 10, RATING_MAX.0 / 10);
        assert_eq!(TECHNIQUES[0].rating(), LEVELS[0].min);
    }
}
