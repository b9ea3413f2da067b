//! Rewrites a starter as a new puzzle: transforms it, changes its solution, and removes givens that the goal does not need.
//!
//! Filling: The digits of the open cells stay, and the given cells get other digits. In every house, the same digits then
//! remain for the same open cells, so all candidates and all steps stay as they were. Such a filling is another solution of the
//! grid that contains only the digits of the open cells.
//!
//! Thinning: A given is removed if singles alone restore it. Harder steps then start from the same position as before.

use super::Starter;
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
        symmetry::Symmetry,
    },
    sudoku::{
        board::Grid,
        kernel::Kernel,
        make::{goal::Goal, steering::Finish},
        techniques::{Candidates, fill_singles},
        transform::Transform,
    },
};

/// The maximum number of nodes for solving a starter, or for deciding whether a given can be removed. A few are usual.
const NODES_PER_QUESTION_MAX: u64 = 20_000;

/// The number of open cells whose digits one move may change. About one such move in thirty still reaches the goal.
const FREED: usize = 4;

/// The maximum number of searches for one filling. Most find none, because the kernel gives up after too many guesses.
const FILLINGS_TRIED: u32 = 16;

/// The number of times that half of the given cells are filled again. Otherwise, fillings that need few guesses would occur too
/// often.
const MIXED: u32 = 12;

/// A puzzle and its solution.
#[derive(Debug, Clone, Copy)]
pub(in crate::sudoku) struct Puzzled {
    pub(in crate::sudoku) puzzle: Grid,
    pub(in crate::sudoku) solution: Grid,
}

/// Makes a puzzle from a starter that seems to reach the goal. `None` if every rewriting would repeat the starter, or the starter
/// with its open cells changed.
///
/// # Errors
/// [`OutOfBudget`] if the removal of a given could not be decided, or if the try was cancelled.
pub(in crate::sudoku) fn rewrite(
    starter: &Starter,
    goal: &Goal,
    finish: Finish,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Option<Puzzled>, OutOfBudget> {
    let mut here = Puzzled::of(&Transform::random(Symmetry::None, rng).apply(&starter.puzzle), budget)?;
    // Rating hard chains takes as long as everything else together. Changing open cells and removing more givens would not
    // pay off.
    let ratings_max = if let Finish::Rate { ratings_max, .. } = finish { ratings_max } else { 0 };
    for _ in 0..ratings_max {
        let there = here.refilled(FREED, rng);
        if there.is_unique(budget)? && goal.is_met_by(&there.puzzle, budget)? {
            here = there;
        }
    }
    let refilled = here.mixed(rng);
    if refilled.solution == here.solution {
        return Ok(None);
    }
    let thin = refilled.thinned_by_singles(rng, budget)?;
    if ratings_max == 0 {
        return Ok(Some(thin));
    }
    let thinner = thin.thinned_by_looks(goal, rng, budget)?;
    Ok(Some(if goal.is_met_by(&thinner.puzzle, budget)? { thinner } else { thin }))
}

impl Puzzled {
    /// Solves a puzzle.
    fn of(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Self, OutOfBudget> {
        let solutions = |budget: &mut Budget<'_>| Kernel::fastest().solutions(puzzle, 1, budget);
        let solutions = budget.within(NODES_PER_QUESTION_MAX, solutions)?;
        Ok(Self { puzzle: *puzzle, solution: *solutions.first().ok_or(OutOfBudget::Nodes)? })
    }

    /// Replaces the digits of the givens and of `freed` random open cells.
    pub(in crate::sudoku) fn refilled(&self, freed: usize, rng: &mut Rng) -> Self {
        let mut open = self.open();
        rng.shuffle(&mut open);
        self.keeping(&open[freed.min(open.len())..], rng)
    }

    /// Replaces the digits of all givens, then several times those of a random half.
    pub(in crate::sudoku) fn mixed(&self, rng: &mut Rng) -> Self {
        (0..MIXED).fold(self.refilled(0, rng), |refilled, _| refilled.refilled_by_half(rng))
    }

    /// Replaces the digits of a random half of the givens.
    fn refilled_by_half(&self, rng: &mut Rng) -> Self {
        let mut given = self.given();
        rng.shuffle(&mut given);
        let kept = [self.open().as_slice(), &given[given.len() / 2..]].concat();
        self.keeping(&kept, rng)
    }

    /// Keeps the pattern of givens, and changes the solution to another one with the same digits in `cells`. Returns the puzzle
    /// unchanged if no other solution was found.
    fn keeping(&self, cells: &[u8], rng: &mut Rng) -> Self {
        let mut kept = Grid::EMPTY;
        for cell in cells.iter().copied().map(usize::from) {
            kept.0[cell] = self.solution.cells()[cell];
        }
        let filling = (0..FILLINGS_TRIED).find_map(|_| Kernel::fastest().fill(&kept, rng));
        let solution = filling.unwrap_or(self.solution);
        let is_given = |cell: usize| self.puzzle.cells()[cell] != 0;
        let puzzle = Grid(std::array::from_fn(|cell| if is_given(cell) { solution.cells()[cell] } else { 0 }));
        Self { puzzle, solution }
    }

    /// Whether the solution is the only one, which changing open cells can break. Solving by steps cannot decide this, because
    /// some techniques assume it.
    fn is_unique(&self, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let count = |budget: &mut Budget<'_>| Kernel::fastest().count(&self.puzzle, 2, budget);
        Ok(budget.within(NODES_PER_QUESTION_MAX, count)? == 1)
    }

    /// Removes the givens that singles restore, tried in random order.
    fn thinned_by_singles(mut self, rng: &mut Rng, budget: &Budget<'_>) -> Result<Self, OutOfBudget> {
        let mut given = self.given();
        rng.shuffle(&mut given);
        for cell in given {
            budget.check_cancelled()?;
            let thinner = self.without(cell);
            if singles_fill(cell, &thinner) {
                self.puzzle = thinner;
            }
        }
        Ok(self)
    }

    /// Removes givens, tried in random order, as long as the solution stays unique and the puzzle reaches the goal.
    fn thinned_by_looks(mut self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Self, OutOfBudget> {
        let mut given = self.given();
        rng.shuffle(&mut given);
        for cell in given {
            let thinner = self.without(cell);
            let ask = |budget: &mut Budget<'_>| Kernel::fastest().has_other(&thinner, &self.solution, &[cell], budget);
            if budget.within(NODES_PER_QUESTION_MAX, ask)? {
                continue;
            }
            if goal.is_met_by(&thinner, budget)? {
                self.puzzle = thinner;
            }
        }
        Ok(self)
    }

    fn open(&self) -> Vec<u8> {
        self.cells_where(|digit| digit == 0)
    }

    fn given(&self) -> Vec<u8> {
        self.cells_where(|digit| digit != 0)
    }

    fn cells_where(&self, is_wanted: impl Fn(u8) -> bool) -> Vec<u8> {
        let cells = self.puzzle.cells().iter().zip(0..);
        cells.filter(|(digit, _)| is_wanted(**digit)).map(|(_, cell)| cell).collect()
    }

    fn without(&self, cell: u8) -> Grid {
        let mut thinner = self.puzzle;
        thinner.0[usize::from(cell)] = 0;
        thinner
    }
}

/// Whether singles alone fill this cell.
fn singles_fill(cell: u8, puzzle: &Grid) -> bool {
    let Some(mut position) = Candidates::of(puzzle) else { return false };
    while position.empty() >> cell & 1 == 1 {
        if !fill_singles(&mut position) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::make::starters::{
        SECTIONS,
        tests::{budget, reaches, spec},
    };
    use crate::sudoku::{canonical::solved, make::steering::row};

    fn starters() -> impl Iterator<Item = (Goal, &'static Starter)> {
        SECTIONS.iter().map(|(name, starters)| (Goal::of(&spec(name), &mut Rng::from_seed(1)), &starters[0]))
    }

    fn solution(puzzle: &Grid) -> Grid {
        Kernel::fastest().solutions(puzzle, 1, &mut budget()).unwrap()[0]
    }

    #[test]
    fn refilling_given_cells_keeps_all_candidates() {
        let mut rng = Rng::from_seed(3);
        for (_, starter) in starters() {
            let before = Puzzled { puzzle: starter.puzzle, solution: solution(&starter.puzzle) };
            let after = before.refilled(0, &mut rng);
            assert_eq!(before.open(), after.open());
            let [before, after] = [before, after].map(|of| Candidates::of(&of.puzzle).unwrap());
            for cell in 0..81 {
                assert_eq!(before.of_cell(cell), after.of_cell(cell), "{starter:?}, cell {cell}");
            }
        }
    }

    #[test]
    fn rewritten_starter_is_unique_and_mostly_fits_the_goal() {
        let (mut rng, mut made_in_all, mut wrong) = (Rng::from_seed(5), 0, 0);
        for (goal, starter) in starters() {
            let made = rewrite(starter, &goal, row(&goal).finish, &mut rng, &mut budget()).unwrap();
            let Some(made) = made else { continue };
            assert_eq!(Kernel::fastest().solutions(&made.puzzle, 2, &mut budget()).unwrap(), [made.solution]);
            assert_ne!(solved(&made.solution), solved(&solution(&starter.puzzle)), "{starter:?}");
            made_in_all += 1;
            wrong += u32::from(!reaches(&goal, &made.puzzle));
        }
        assert!(made_in_all > 10 && wrong * 10 <= made_in_all, "{wrong} of {made_in_all}");
    }

    #[test]
    fn cancel_flag_ends_the_rewriting() {
        let raised = std::sync::atomic::AtomicBool::new(true);
        let (goal, starter) = starters().next().unwrap();
        let end = rewrite(starter, &goal, Finish::Prove, &mut Rng::from_seed(1), &mut Budget::new(1_000, &raised));
        assert!(matches!(end, Err(OutOfBudget::Cancelled)), "{end:?}");
    }
}
