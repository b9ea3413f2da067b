//! Writes a starter anew: turned and relabelled, with another solution, and with as few givens as keep what it has.
//!
//! If the cells that a starter leaves open keep their digits, and the others are filled in some other way, then every house
//! has the same digits left for the same open cells: all candidates are as they were, and so is every step. Another
//! filling is another solution of the grid that has nothing but the open cells' digits. Then givens are taken that
//! singles bring back before anything harder has its turn.

use super::{
    super::{
        board::Grid,
        goal::{Goal, Reach},
        kernel::Kernel,
        steering::Finish,
        techniques::{Candidates, fill_singles},
        transform::Transform,
    },
    Starter,
};
use crate::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
    symmetry::Symmetry,
};

/// Nodes for the solution of a starter, and for one question whether a given can go: a few are usual.
const NODES_PER_QUESTION_MAX: u64 = 20_000;

/// Open cells that are let go for each position in which they hold other digits: about one such position in thirty still has what
/// is wanted.
const FREED: usize = 4;

/// Fillings begun, of which one in some ends: the kernel gives up after too many guesses.
const FILLINGS_TRIED: u32 = 16;

/// Times that half of the given cells are filled once more: a filling that takes few guesses comes too often.
const MIXED: u32 = 12;

/// A puzzle and its solution.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Puzzled {
    pub(in super::super) puzzle: Grid,
    pub(in super::super) solution: Grid,
}

/// A puzzle made of a starter, and whether it has what is wanted.
///
/// # Errors
/// [`OutOfBudget`] if some given could not be decided, or the flag is up.
pub(in super::super) fn rewrite(
    starter: &Starter,
    goal: &Goal,
    finish: Finish,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<(Puzzled, Reach), OutOfBudget> {
    let mut here = Puzzled::of(&Transform::random(Symmetry::None, rng).apply(&starter.puzzle), budget)?;
    // To rate hard chains takes as long as all the rest: other open cells, and fewer givens, would cost more than they are worth.
    let ratings_max = if let Finish::Rate { ratings_max, .. } = finish { ratings_max } else { 0 };
    for _ in 0..ratings_max {
        let there = here.refilled(FREED, rng);
        if there.is_unique(budget)? && goal.is_met_by(&there.puzzle, budget)? {
            here = there;
        }
    }
    let refilled = here.mixed(rng);
    if refilled.solution == here.solution {
        // None was found: it would be the starter again, or what it was moved to.
        return Ok((here, Reach::No));
    }
    let thin = refilled.thinned_by_singles(rng, budget)?;
    if ratings_max == 0 {
        return Ok((thin, Reach::Likely));
    }
    let thinner = thin.thinned_by_looks(goal, rng, budget)?;
    for thinned in [thinner, thin] {
        if goal.is_met_by(&thinned.puzzle, budget)? {
            return Ok((thinned, Reach::Yes));
        }
    }
    Ok((thin, Reach::No))
}

impl Puzzled {
    /// A puzzle and its first solution.
    fn of(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Self, OutOfBudget> {
        let solutions = |budget: &mut Budget<'_>| Kernel::fastest().solutions(puzzle, 1, budget);
        let solutions = budget.within(NODES_PER_QUESTION_MAX, solutions)?;
        Ok(Self { puzzle: *puzzle, solution: *solutions.first().ok_or(OutOfBudget::Nodes)? })
    }

    /// With given cells filled in some other way, and with them so many of the open ones.
    pub(in super::super) fn refilled(&self, freed: usize, rng: &mut Rng) -> Self {
        let mut open = self.open();
        rng.shuffle(&mut open);
        self.keeping(&open[freed.min(open.len())..], rng)
    }

    /// With all given cells filled in some other way, and with half of them again and again.
    pub(in super::super) fn mixed(&self, rng: &mut Rng) -> Self {
        (0..MIXED).fold(self.refilled(0, rng), |refilled, _| refilled.refilled_by_half(rng))
    }

    /// With half of the given cells filled in some other way.
    fn refilled_by_half(&self, rng: &mut Rng) -> Self {
        let mut given = self.given();
        rng.shuffle(&mut given);
        let kept = [self.open().as_slice(), &given[given.len() / 2..]].concat();
        self.keeping(&kept, rng)
    }

    /// The same cells given, and another solution that has these cells' digits, or the same if none was found.
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

    /// Whether the solution is the only one: not so, once open cells hold other digits. Steps do not tell, since some rely on it.
    fn is_unique(&self, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let count = |budget: &mut Budget<'_>| Kernel::fastest().count(&self.puzzle, 2, budget);
        Ok(budget.within(NODES_PER_QUESTION_MAX, count)? == 1)
    }

    /// Without givens that singles bring back, tried in random order.
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

    /// Without givens that leave one solution and what is wanted, tried in random order.
    fn thinned_by_looks(mut self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Self, OutOfBudget> {
        let mut given = self.given();
        rng.shuffle(&mut given);
        for cell in given {
            let thinner = self.without(cell);
            let ask = |budget: &mut Budget<'_>| Kernel::fastest().has_other(&thinner, &self.solution, &[cell], budget);
            if budget.within(NODES_PER_QUESTION_MAX, ask)? {
                continue;
            }
            let look = goal.look(&thinner, budget)?;
            if goal.may_be_reached(&look) {
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

/// Whether singles alone come so far that they fill a cell.
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
    use super::{
        super::{
            SECTIONS,
            tests::{budget, reaches, spec},
        },
        *,
    };
    use crate::sudoku::{canonical::solved, steering::row};

    fn starters() -> impl Iterator<Item = (Goal, &'static Starter)> {
        SECTIONS.iter().map(|(name, starters)| (Goal::of(&spec(name)), &starters[0]))
    }

    fn solution(puzzle: &Grid) -> Grid {
        Kernel::fastest().solutions(puzzle, 1, &mut budget()).unwrap()[0]
    }

    #[test]
    fn given_cells_filled_in_some_other_way_leave_all_candidates_as_they_were() {
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
        let (mut rng, mut likely, mut wrong) = (Rng::from_seed(5), 0, 0);
        for (goal, starter) in starters() {
            let (made, reach) = rewrite(starter, &goal, row(&goal).finish, &mut rng, &mut budget()).unwrap();
            assert_eq!(Kernel::fastest().solutions(&made.puzzle, 2, &mut budget()).unwrap(), [made.solution]);
            assert_ne!(solved(&made.solution), solved(&solution(&starter.puzzle)), "{starter:?}");
            let is_reached = reaches(&goal, &made.puzzle);
            assert!(is_reached || reach != Reach::Yes, "{starter:?} {made:?}");
            likely += u32::from(reach != Reach::No);
            wrong += u32::from(!is_reached);
        }
        assert!(likely > 10 && wrong * 10 <= likely, "{wrong} of {likely}");
    }

    #[test]
    fn a_raised_flag_ends_the_rewriting() {
        let raised = std::sync::atomic::AtomicBool::new(true);
        let (goal, starter) = starters().next().unwrap();
        let end = rewrite(starter, &goal, Finish::Prove, &mut Rng::from_seed(1), &mut Budget::new(1_000, &raised));
        assert!(matches!(end, Err(OutOfBudget::Cancelled)), "{end:?}");
    }
}
