//! Walks to puzzles that need dynamic chains within dynamic chains. They differ from others of the kind in a given that stands
//! elsewhere, or in the digits of two or three that stay where they are: of the second that still have one solution three in
//! five outlast chains with branches, of the first one in a hundred, but there are many more of these.

use super::{
    super::{
        canonical::solved,
        kernel::Kernel,
        techniques::{Branches, Sort, outlasts, sort},
        thin::NODES_PER_THINNING_MAX,
    },
    Puzzled,
};
use crate::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
};

/// Of so many looks one changes two digits, the next ones three, and the others move givens.
const LOOKS: usize = 8;
const WITH_DIGITS: usize = 5;

/// Solutions of what is left up to which a look goes on: where there are more, hardly any digits leave one alone.
const SOLUTIONS_MAX: usize = 3_000;

/// Looks of one walk, each a millisecond or less.
pub(super) const LOOKS_MAX: u32 = 10_000;

/// A puzzle some moves away from one, with another solution, that outlasts multiple chains in branches; none if no such was found. All
/// on the way outlast chains in branches.
///
/// # Errors
/// [`OutOfBudget`] if some solutions could not be counted, or the flag is up.
pub(super) fn walk(
    from: Puzzled,
    looks_max: u32,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Option<Puzzled>, OutOfBudget> {
    let (solution, mut here) = (solved(&from.solution), from);
    for _ in 0..looks_max {
        for there in here.look(rng, budget)? {
            if there.outlasts_chains(budget)? {
                here = there;
                if solved(&here.solution) != solution && outlasts(&here.puzzle, Branches::Multiple, budget)? {
                    return Ok(Some(here));
                }
            }
        }
    }
    Ok(None)
}

impl Puzzled {
    /// What is near it, some with a given elsewhere and some with other digits.
    pub(super) fn look(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Vec<Self>, OutOfBudget> {
        let look = rng.index(LOOKS);
        if look < WITH_DIGITS {
            self.with_other_digits(if look == 0 { 2 } else { 3 }, SOLUTIONS_MAX, rng, budget)
        } else {
            Ok(self.neighbour(rng, budget)?.into_iter().collect())
        }
    }

    /// Whether chains with chains in their branches do not solve it.
    pub(super) fn outlasts_chains(&self, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let is_hard = sort(&self.puzzle, Sort::Dynamic, budget)? == Sort::Dynamic;
        Ok(is_hard && outlasts(&self.puzzle, Branches::Chains, budget)?)
    }

    /// All puzzles that differ from it in the digits of so many givens, taken by chance; none if what is left without them has so
    /// many solutions as that or more.
    fn with_other_digits(
        &self,
        changed: usize,
        solutions_max: usize,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Self>, OutOfBudget> {
        let mut given = self.given();
        rng.shuffle(&mut given);
        given.truncate(changed);
        let mut fewer = self.puzzle;
        for &cell in &given {
            fewer.0[usize::from(cell)] = 0;
        }
        let ask = |budget: &mut Budget<'_>| Kernel::fastest().solutions(&fewer, solutions_max, budget);
        let mut solutions = budget.within(NODES_PER_THINNING_MAX, ask)?;
        if solutions.len() >= solutions_max {
            return Ok(Vec::new());
        }
        let with_given = |digits: &super::Grid| {
            let mut puzzle = fewer;
            given.iter().map(|&cell| usize::from(cell)).for_each(|cell| puzzle.0[cell] = digits.cells()[cell]);
            puzzle
        };
        solutions.sort_by_key(with_given);
        let alone = solutions.chunk_by(|a, b| with_given(a) == with_given(b)).filter(|same| same.len() == 1);
        let puzzles = alone.map(|same| Self { puzzle: with_given(&same[0]), solution: same[0] });
        Ok(puzzles.filter(|there| there.puzzle != self.puzzle).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{nested::published_nested, search::budget},
        *,
    };
    use crate::sudoku::board::Grid;

    /// A published puzzle that has another close by, and walks from it at the most.
    const NEAR_ANOTHER: usize = 10;
    const WALKS_MAX: u32 = 4;

    fn of(puzzle: &Grid) -> Puzzled {
        Puzzled::of(puzzle, &mut budget()).unwrap()
    }

    #[test]
    fn other_digits_stand_in_the_same_cells_and_leave_one_solution() {
        let (here, mut rng) = (of(&published_nested()[0]), Rng::from_seed(1));
        for changed in [2, 3] {
            let mut looks =
                (0..LOOKS_MAX).map(|_| here.with_other_digits(changed, SOLUTIONS_MAX, &mut rng, &mut budget()));
            let there = looks.find_map(|there| there.unwrap().pop()).expect("a puzzle");
            assert_eq!(there.given(), here.given());
            let differ = there.puzzle.cells().iter().zip(here.puzzle.cells()).filter(|(a, b)| a != b).count();
            assert!((1..=changed).contains(&differ), "{there:?}");
            assert_eq!(Kernel::fastest().solutions(&there.puzzle, 2, &mut budget()), Ok(vec![there.solution]));
        }
    }

    #[test]
    fn nothing_is_looked_at_where_too_many_solutions_are_left() {
        let here = of(&published_nested()[0]);
        assert!(here.with_other_digits(2, 1, &mut Rng::from_seed(1), &mut budget()).unwrap().is_empty());
    }

    #[test]
    fn a_walk_ends_at_a_puzzle_that_outlasts_multiple_chains_in_branches_and_has_another_solution() {
        let (from, mut rng) = (of(&published_nested()[NEAR_ANOTHER]), Rng::from_seed(1));
        let mut walks = (0..WALKS_MAX).map(|_| walk(from, LOOKS_MAX, &mut rng, &mut budget()).unwrap());
        let found = walks.find_map(|found| found).expect("a find");
        assert_eq!(outlasts(&found.puzzle, Branches::Multiple, &mut budget()), Ok(true));
        assert_ne!(solved(&found.solution), solved(&from.solution));
    }

    #[test]
    fn a_raised_flag_ends_a_walk() {
        let raised = std::sync::atomic::AtomicBool::new(true);
        let end =
            walk(of(&published_nested()[0]), LOOKS_MAX, &mut Rng::from_seed(1), &mut Budget::new(1_000_000, &raised));
        assert!(matches!(end, Err(OutOfBudget::Cancelled)), "{end:?}");
    }
}
