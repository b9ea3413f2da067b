//! Rates puzzles of all grid kinds by their ladders, and writes the steps for people.

mod explanation;
mod metrics;
mod plain;

pub use metrics::GridMetrics;

use super::{
    cells::Cells,
    find::Find,
    ladder::{Climb, Walk},
    position::Position,
    puzzle::Puzzle,
    rounds::singles,
    rules::Rules,
    techniques::write,
};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    metrics::Metrics,
    record::{RatingRecord, TechniqueCount},
    step::Step,
    text::{Reasoned, Unrated},
};
use explanation::explain;
use plain::plain_backtracks;

/// Name and version of the rater. Raise the version when any puzzle's result may change.
pub(crate) const RATER: (&str, u32) = ("puzzled-grid", 1);

/// The record of a puzzle that has this solution.
///
/// # Errors
/// [`Unrated`] if the ladder does not finish the puzzle, or the cancel flag is raised. Uses no nodes.
pub(crate) fn rate(puzzle: &Puzzle, solution: &[u8], budget: &mut Budget<'_>) -> Result<RatingRecord, Unrated> {
    let (end, record) = assess(puzzle, budget, |_, _| ())?;
    if end == solution { Ok(record) } else { Err(Unrated::Stuck) }
}

/// The steps as far as the ladder reaches, and the record if it solves the puzzle.
pub(crate) fn reasoned(puzzle: &Puzzle, budget: &mut Budget<'_>) -> Reasoned {
    let mut steps = Vec::new();
    let end = assess(puzzle, budget, |before, find| steps.push(write(before, find)));
    Reasoned { steps, record: end.map(|(_, record)| record) }
}

/// The steps from a board with these digits, 0 for an empty cell, to the next digit, or as far as the ladder gets. Empty if digits clash.
/// The ladder starts with the candidates that `marks` has for each empty cell, as bits.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the cancel flag is raised. Uses no nodes.
pub(crate) fn to_next_digit(
    puzzle: &Puzzle,
    board: &[u8],
    marks: &[u32],
    budget: &mut Budget<'_>,
) -> Result<Vec<Step>, OutOfBudget> {
    let rules = Rules::of(puzzle);
    let mut steps = Vec::new();
    let Some(mut position) = Position::of(&rules, board) else { return Ok(steps) };
    for digit in rules.digits.iter() {
        let lacks = (0..).zip(marks).filter(|(_, marks)| **marks & 1 << digit == 0);
        position.remove(digit, lacks.map(|(cell, _)| cell).collect());
    }
    for (before, find) in Walk::new(&position, puzzle.variant.ladder) {
        budget.check_cancelled()?;
        steps.push(write(&before, &find));
        if find.placed.is_some() {
            break;
        }
    }
    Ok(steps)
}

/// Solves the puzzle and measures every step; `seen` is called with each. Returns the solution and the record.
fn assess(
    puzzle: &Puzzle,
    budget: &mut Budget<'_>,
    mut seen: impl FnMut(&Position<'_>, &Find),
) -> Result<(Vec<u8>, RatingRecord), Unrated> {
    let rules = Rules::of(puzzle);
    let start = Position::of(&rules, &puzzle.digits).ok_or(Unrated::Stuck)?;
    let (mut tally, mut walk) = (Tally::default(), Walk::new(&start, puzzle.variant.ladder));
    for (before, find) in &mut walk {
        let at_least = tally.climb.rating;
        budget.check_cancelled().map_err(|why| Unrated::OutOfBudget { why, at_least })?;
        tally.add(&before, &find);
        seen(&before, &find);
    }
    let end = walk.position;
    if end.is_solved() { Ok((end.digits().to_vec(), tally.record(puzzle, &start))) } else { Err(Unrated::Stuck) }
}

/// The counts of the steps so far.
#[derive(Debug, Default)]
struct Tally {
    climb: Climb,
    steps: u32,
    /// The number of cells that a single could fill, summed over the positions before the steps.
    openings: u32,
    techniques: Vec<TechniqueCount>,
}

impl Tally {
    fn add(&mut self, before: &Position<'_>, find: &Find) {
        self.climb.add(find);
        self.steps += 1;
        self.openings += openings(before);
        let (technique, rating) = (find.technique, find.rating);
        match self.techniques.iter_mut().find(|known| (known.technique, known.rating) == (technique, rating)) {
            Some(known) => known.count += 1,
            None => self.techniques.push(TechniqueCount { technique, rating, count: 1 }),
        }
    }

    fn record(mut self, puzzle: &Puzzle, start: &Position<'_>) -> RatingRecord {
        self.techniques.sort_by_key(|used| used.rating);
        let (rater, rater_version) = RATER;
        let Climb { rating, technique, rounds, .. } = self.climb;
        let open = start.open();
        let freedom = number(open.iter().map(|cell| start.candidates(cell).len()).sum());
        let metrics = GridMetrics {
            rounds: rounds.into(),
            steps: self.steps,
            freedom,
            branching: f64::from(freedom) / f64::from(number(open.len()).max(1)),
            backtracks: plain_backtracks(start),
            clues: puzzle.regions.iter().max().map_or(0, |last| u32::from(*last) + 1),
            openings: f64::from(self.openings) / f64::from(self.steps.max(1)),
        };
        RatingRecord {
            rater,
            rater_version,
            rating,
            technique,
            explanation: explain(&self.techniques, rounds, puzzle.givens(), freedom),
            techniques: self.techniques,
            predicted_seconds: None,
            metrics: Metrics::of(GridMetrics::NAME, &metrics),
        }
    }
}

/// The number of cells that a single fills in a position.
fn openings(position: &Position<'_>) -> u32 {
    let cells: Cells = singles(position).into_iter().flatten().map(|single| single.cell).collect();
    number(cells.len())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a board has at most 256 cells, of 16 candidates each")
}
