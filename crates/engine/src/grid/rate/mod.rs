//! Rates puzzles of all grid kinds by their ladders, and writes the steps for people.

mod explanation;

use serde::{Deserialize, Serialize};

use super::{
    find::Find,
    ladder::{Climb, Walk},
    position::Position,
    puzzle::Puzzle,
    rounds::openings,
    rules::Rules,
    techniques::write,
};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    metrics::Metrics,
    record::{RatingRecord, TechniqueCount},
    step::Step,
    text::{Reasoned, Unrated},
};
use explanation::explain;

/// Name and version of the rater. Raise the version when any puzzle's result may change.
pub(crate) const RATER: (&str, u32) = ("puzzled-grid", 1);

/// The metrics of a puzzle of any grid kind. The database stores them as JSON under the names of the fields. A field that a stored object
/// lacks is 0 or empty.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GridMetrics {
    /// The number of rounds of the longest refutation, 1–32; 0 without one. Placing the candidate is the first round.
    pub rounds: u32,
    /// Number of steps of the solution by the ladder of techniques.
    pub steps: u32,
    /// Number of candidates in all open cells at the start, 0–4,096.
    pub freedom: u32,
    /// `freedom` divided by the number of open cells, 0–16.
    pub branching: f64,
    /// Number of digits that a plain backtracking solver takes back, 0–1,000.
    pub backtracks: u32,
    /// Number of regions, cages, signs, and clues beside the grid; 0 if the variant has none.
    pub clues: u32,
    /// Mean number, over the steps, of cells that a single could fill at that moment.
    pub openings: f64,
    /// Number of cages of 1, 2, 3, … cells; empty if the variant has none.
    pub cage_sizes: Vec<u32>,
}

impl GridMetrics {
    /// The name under which records have them, for all grid kinds.
    pub const NAME: &'static str = "grid";

    /// The effort of a puzzle that the ladder solves by these techniques, each with its rating and number of steps; one decimal, from 0.
    pub(crate) fn effort(&self, techniques: &[(String, Tenths, u32)]) -> f64 {
        let sum: f64 = techniques.iter().map(|(_, rating, count)| rating.decimal() * f64::from(*count)).sum();
        let hardest = techniques.iter().map(|(_, rating, _)| *rating).max().unwrap_or(Tenths(0));
        let [freedom, steps] = EFFORT_WEIGHTS;
        let effort = freedom * f64::from(self.freedom.max(1)).ln() + steps * sum.max(1.0).ln() + hardest.decimal();
        (effort * 10.0).round() / 10.0
    }
}

/// The weights of two logarithms in the effort of a puzzle: of its freedom, and of the sum of the ratings of all its steps. The rating itself
/// has the weight 1. They follow the order of a publisher's week: `cargo test -p puzzled-engine --test every_kind effort -- --nocapture`.
const EFFORT_WEIGHTS: [f64; 2] = [6.0, 2.0];

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

/// The steps from a board to the next digit, or as far as the ladder gets. Empty if digits contradict each other. In
/// `board`, 0 is an empty cell. The ladder starts with the candidates in `marks`, which has the bits of each cell.
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
        self.openings += number(openings(before).len());
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
            clues: puzzle.regions.iter().max().map_or(0, |last| u32::from(*last) + 1) + number(puzzle.clues.len()),
            openings: f64::from(self.openings) / f64::from(self.steps.max(1)),
            cage_sizes: cage_sizes(puzzle),
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

/// The number of cages of 1, 2, 3, … cells.
fn cage_sizes(puzzle: &Puzzle) -> Vec<u32> {
    let sizes: Vec<_> = puzzle.clues.cages.iter().map(|cage| cage.cells.len()).collect();
    let of_size = |size| number(sizes.iter().filter(|len| **len == size).count());
    (1..=sizes.iter().max().copied().unwrap_or(0)).map(of_size).collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a board has at most 256 cells, of 16 candidates each")
}

/// Where counting stops, after a few milliseconds of work.
const BACKTRACKS_MAX: u32 = 1_000;

/// The number of digits that a plain solver takes back before it finds its first solution. Records store this number,
/// so its search must not change when the layer's solver does. The search knows only which cells exclude each other. It
/// fills the cell with the fewest candidates (of equal cells, the first) with the lowest digit first. If cells may stay
/// empty, it fills the house with the fewest places, the first place first.
fn plain_backtracks(start: &Position<'_>) -> u32 {
    let mut backtracks = 0;
    fill(start, &mut backtracks);
    backtracks
}

/// Whether the search ended: with a solution, or at the limit of the count.
fn fill(position: &Position<'_>, backtracks: &mut u32) -> bool {
    let fills = position.rules().fills;
    let choices = if fills { position.narrowest_cell(position.open().iter()) } else { position.narrowest_house() };
    let Some(choices) = choices else { return true };
    for (cell, digit) in choices {
        let mut next = *position;
        next.place(cell, digit);
        if fill(&next, backtracks) {
            return true;
        }
        *backtracks += 1;
        if *backtracks >= BACKTRACKS_MAX {
            return true;
        }
    }
    false
}
