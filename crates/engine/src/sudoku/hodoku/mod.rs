//! HoDoKu's score and level: a second rating, in addition to that of Sudoku Explainer.
//!
//! HoDoKu 2.2 applies techniques in a fixed order, adds a score for each step, and determines a level from the hardest
//! technique and the total. The choice of each step affects all later steps, so this module also reproduces the order
//! within each technique.

mod almost_locked;
mod almost_locked_steps;
mod chains;
mod closure;
mod coloring;
mod fish;
mod forcing;
mod franken;
mod implications;
mod loops;
mod net_tables;
mod nets;
mod nodes;
mod pace;
mod position;
mod remote_pairs;
mod search;
mod simple;
mod single_digit;
mod step;
mod sue_de_coq;
mod table;
mod uniqueness;
mod walks;
mod wings;

pub use step::{Candidate, Step};
pub use table::{HodokuLevel, HodokuTechnique};

use super::{board::Grid, kernel::Kernel, techniques::geometry::cells};
use crate::shared::budget::{Budget, OutOfBudget};
use position::Position;
use search::{Barren, Search};
use simple::{full_house, hidden_single, naked_single};
use step::Effect;
use table::{BRUTE_FORCE, FULL_HOUSE, HIDDEN_SINGLE, LADDER, NAKED_SINGLE};

/// The maximum number of nodes for one puzzle. A step uses at most 54, and there are at most 729 steps. The proof of
/// uniqueness uses a few hundred at most.
const NODES_MAX: u64 = 60_000;

/// A score and a level, with counts of the steps that they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HodokuRating {
    /// Sum of the scores of all steps.
    pub score: u32,
    /// HoDoKu's level.
    pub level: HodokuLevel,
    /// The technique with the highest level, then score, then place in HoDoKu's order. `None` for a full grid.
    pub hardest: Option<&'static HodokuTechnique>,
    /// The number of steps by each technique, in HoDoKu's order.
    pub counts: Vec<(&'static HodokuTechnique, u32)>,
}

/// The result of a rating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The rating.
    Rated(HodokuRating),
    /// The puzzle has no solution, or more than one.
    NotUnique,
    /// The budget ended first. The puzzle is at least this hard.
    OutOfBudget {
        /// Whether the nodes ran out or the flag was raised.
        cause: OutOfBudget,
        /// The rating of the steps so far.
        at_least: HodokuRating,
    },
}

/// The HoDoKu rating of a puzzle with one solution. `None` for any other puzzle. Takes from ten microseconds to tens of
/// milliseconds.
///
/// # Errors
/// [`OutOfBudget`] if the budget ends first.
pub(super) fn rate_unique(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Option<HodokuRating>, OutOfBudget> {
    match budget.within(NODES_MAX, |budget| rate(puzzle, budget)) {
        Outcome::Rated(rating) => Ok(Some(rating)),
        Outcome::NotUnique => Ok(None),
        Outcome::OutOfBudget { cause, .. } => Err(cause),
    }
}

/// Rates a puzzle as HoDoKu does. A node is a technique tried or a guess of the solver.
#[must_use]
pub fn rate(puzzle: &Grid, budget: &mut Budget<'_>) -> Outcome {
    rate_with(puzzle, budget, |_| ())
}

/// Like [`rate`], and passes every step to `visit`. Takes ten microseconds for an easy puzzle, and a tenth of a second
/// for the hardest. Reads the cancel flag about every tenth of a millisecond, even within long searches.
#[must_use]
pub fn rate_with(puzzle: &Grid, budget: &mut Budget<'_>, mut visit: impl FnMut(&Step)) -> Outcome {
    let mut counts = Vec::new();
    let solved = solution(puzzle, budget).and_then(|solution| {
        let Some(solution) = solution else { return Ok(false) };
        climb(puzzle, &solution, budget, |step| {
            count(&mut counts, step.technique);
            visit(&step);
        })
    });
    match solved {
        Ok(true) => Outcome::Rated(rating(counts)),
        Ok(false) => Outcome::NotUnique,
        Err(cause) => Outcome::OutOfBudget { cause, at_least: rating(counts) },
    }
}

/// The solution, if there is exactly one.
fn solution(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Option<Grid>, OutOfBudget> {
    let found = Kernel::fastest().solutions(puzzle, 2, budget)?;
    Ok(if let [only] = found[..] { Some(only) } else { None })
}

/// Takes steps until the puzzle is solved. Always ends, because each step fills a cell or removes a candidate, and the
/// last technique can always fill a cell. Returns whether the final position is the solution.
fn climb(
    puzzle: &Grid,
    solution: &Grid,
    budget: &mut Budget<'_>,
    mut visit: impl FnMut(Step),
) -> Result<bool, OutOfBudget> {
    let (mut position, barren) = (Position::of(puzzle), Barren::default());
    while !position.is_solved() {
        let (technique, effect) = next(&mut position, &barren, solution, budget)?;
        effect.apply(&mut position);
        visit(effect.step(technique));
    }
    Ok((0..81).all(|cell| position.value(cell) == usize::from(solution.cells()[cell])))
}

/// The next step, by the first technique that finds one.
fn next(
    position: &mut Position,
    barren: &Barren,
    solution: &Grid,
    budget: &mut Budget<'_>,
) -> Result<(&'static HodokuTechnique, Effect), OutOfBudget> {
    budget.take_node()?;
    if let Some(effect) = full_house(position) {
        return Ok((&FULL_HOUSE, effect));
    }
    if let Some(effect) = naked_single(position) {
        return Ok((&NAKED_SINGLE, effect));
    }
    if let Some(effect) = hidden_single(position) {
        return Ok((&HIDDEN_SINGLE, effect));
    }
    let search = Search::of(position, barren, budget);
    for (technique, finder) in &LADDER {
        budget.take_node()?;
        let found = finder(&search);
        // A search that was cancelled may have returned a wrong result.
        budget.check_cancelled()?;
        if let Some(effect) = found {
            return Ok((technique, effect));
        }
    }
    Ok((&BRUTE_FORCE, look_up(position, solution)))
}

/// The digit of the middle one of the empty cells, taken from the solution.
fn look_up(position: &Position, solution: &Grid) -> Effect {
    let middle = position.empty().count_ones() as usize / 2;
    let cell = cells(position.empty()).nth(middle).unwrap_or_default();
    Effect::Place((cell, usize::from(solution.cells()[cell])))
}

type Counts = Vec<(&'static HodokuTechnique, u32)>;

fn count(counts: &mut Counts, technique: &'static HodokuTechnique) {
    match counts.iter_mut().find(|(counted, _)| std::ptr::eq(*counted, technique)) {
        Some((_, count)) => *count += 1,
        None => counts.push((technique, 1)),
    }
}

fn rating(mut counts: Counts) -> HodokuRating {
    counts.sort_by_key(|(technique, _)| order(technique));
    let score = counts.iter().map(|(technique, count)| technique.score * count).sum();
    let hardest =
        counts.iter().map(|&(technique, _)| technique).max_by_key(|technique| (technique.level, technique.score));
    let level = HodokuLevel::of(hardest.map_or(HodokuLevel::Easy, |technique| technique.level), score);
    HodokuRating { score, level, hardest, counts }
}

/// The place of a technique in HoDoKu's order.
fn order(technique: &HodokuTechnique) -> usize {
    let singles = [&FULL_HOUSE, &NAKED_SINGLE, &HIDDEN_SINGLE];
    let mut all = singles.into_iter().chain(LADDER.iter().map(|(technique, _)| technique));
    all.position(|other| other == technique).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(u32, HodokuLevel)>) {
        let found = rate_unique(&Grid::parse(line).unwrap(), &mut Budget::of_nodes(u64::MAX)).unwrap();
        assert_eq!(found.map(|rating| (rating.score, rating.level)), expected, "{line}");
    }

    #[test]
    fn only_a_unique_puzzle_has_score_and_level() {
        let easy = Some((208, HodokuLevel::Easy));
        check("000000000090152030270309084000000000300806009600407005003601900908000302700000006", easy);
        let extreme = Some((18_124, HodokuLevel::Extreme));
        check("000400000058009000600020010200070901005006070000008030006000000700030100000000327", extreme);
        check("000000000000000000000000000000000000000000000000000000000000000000000000000000000", None);
    }
}
