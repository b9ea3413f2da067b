//! Looks near a starter for the hardest puzzles. By chance not one in a hundred thousand is so hard; near one that is, one in a
//! hundred: a few givens go, another solution of what is left is taken, and other givens until it is the only one.

use super::{
    super::{
        board::Grid,
        goal::{Goal, Reach},
        kernel::Kernel,
        orbits::orbits,
        techniques::{Sort, sort},
        thin::NODES_PER_THINNING_MAX,
        transform::Transform,
    },
    Puzzled, Starter,
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
    symmetry::Symmetry,
};

/// The easiest of the hardest ratings: chains with further chains or patterns in their branches.
pub(in super::super) const HARDEST_FROM: Tenths = Tenths(95);

/// Most givens that go, and the solutions of what is left of which one is taken: the first few are alike, and so are the puzzles.
const GONE_MAX: usize = 3;
const SOLUTIONS_MAX: usize = 64;

/// Neighbours that one try looks at, each some hundred microseconds.
const NEIGHBOURS_MAX: u32 = 2_000;

/// Moves to another solution before a puzzle will do, lest many come of one starter.
const NEW_SOLUTIONS_MIN: u32 = 4;

/// Neighbours of one try that are hard enough or too hard: their ratings take up to half a second each.
const HARD_MAX: u32 = 16;

/// A puzzle some moves away from a starter, and whether it has what is wanted.
///
/// # Errors
/// [`OutOfBudget`] if some given could not be decided, or the flag is up.
pub(in super::super) fn near(
    starter: &Starter,
    goal: &Goal,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<(Puzzled, Reach), OutOfBudget> {
    let first = Puzzled::of(&Transform::random(Symmetry::None, rng).apply(&starter.puzzle), budget)?;
    let (mut here, mut hard, mut new_solutions) = (first, 0, 0);
    for _ in 0..NEIGHBOURS_MAX {
        let Some(there) = here.neighbour(rng, budget)? else { continue };
        let look = goal.look(&there.puzzle, budget)?;
        if !look.is_too_hard() && look.er < HARDEST_FROM {
            continue;
        }
        hard += 1;
        if !look.is_too_hard() {
            new_solutions += u32::from(there.solution != here.solution);
            here = there;
            let is_new = new_solutions >= NEW_SOLUTIONS_MIN && here.solution != first.solution;
            if is_new && goal.is_reached(&look, budget)? {
                return Ok((here, Reach::Yes));
            }
        }
        if hard == HARD_MAX {
            break;
        }
    }
    Ok((here, Reach::No))
}

impl Puzzled {
    /// Another puzzle that has most of the givens, if one was found that needs dynamic chains or harder ones. Its solution is
    /// mostly another.
    pub(super) fn neighbour(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Self>, OutOfBudget> {
        let mut given = self.given();
        rng.shuffle(&mut given);
        let gone = 1 + rng.index(GONE_MAX);
        let mut fewer = self.puzzle;
        given.iter().take(gone).for_each(|&cell| fewer.0[usize::from(cell)] = 0);
        let ask = |budget: &mut Budget<'_>| Kernel::fastest().solutions(&fewer, SOLUTIONS_MAX, budget);
        let solutions = budget.within(NODES_PER_THINNING_MAX, ask)?;
        let solution = solutions[rng.index(solutions.len())];
        let puzzle = thinned_to(&fewer, &solution, rng, budget)?;
        let is_new = puzzle != self.puzzle;
        let is_hard = is_new && sort(&puzzle, Sort::Dynamic, budget)? == Sort::Dynamic;
        Ok(is_hard.then_some(Self { puzzle, solution }))
    }
}

/// The solution without what can go, of these givens as little as may be.
fn thinned_to(givens: &Grid, solution: &Grid, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
    let mut order = orbits(Symmetry::None);
    rng.shuffle(&mut order);
    order.sort_by_key(|cell| givens.cells()[usize::from(cell.cells()[0])] != 0);
    budget.within(NODES_PER_THINNING_MAX, |budget| Kernel::fastest().thin(solution, &order, budget))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            hardest,
            search::{budget, rating, spec},
        },
        *,
    };
    use crate::engine::sudoku::canonical::solved;

    /// Tries in which a puzzle comes of a starter: two are usual.
    const TRIES_MAX: u32 = 20;

    fn goal() -> Goal {
        Goal::of(&spec("9.5 to 9.9"))
    }

    fn starter() -> &'static Starter {
        hardest(&(Tenths(95)..=Tenths(99)))[0]
    }

    #[test]
    fn what_is_found_near_a_starter_is_as_hard_and_has_one_solution_which_is_another() {
        let (goal, mut rng) = (goal(), Rng::from_seed(2));
        let of_starter = Puzzled::of(&starter().puzzle, &mut budget()).unwrap();
        let mut tries = (0..TRIES_MAX).map(|_| near(starter(), &goal, &mut rng, &mut budget()).unwrap());
        let (made, _) = tries.find(|(_, reach)| *reach == Reach::Yes).expect("a hit");
        assert_eq!(Kernel::fastest().solutions(&made.puzzle, 2, &mut budget()).unwrap(), [made.solution]);
        assert!((95..=99).contains(&rating(&goal, &made.puzzle).0), "{made:?}");
        assert_ne!(solved(&made.solution), solved(&of_starter.solution));
    }

    #[test]
    fn a_neighbour_needs_dynamic_chains_and_can_spare_no_given() {
        let mut rng = Rng::from_seed(4);
        let here = Puzzled::of(&starter().puzzle, &mut budget()).unwrap();
        let mut neighbours = (0..NEIGHBOURS_MAX).filter_map(|_| here.neighbour(&mut rng, &mut budget()).unwrap());
        let there = neighbours.next().expect("a neighbour");
        assert_ne!(there.puzzle, here.puzzle);
        assert_eq!(sort(&there.puzzle, Sort::Dynamic, &mut budget()), Ok(Sort::Dynamic));
        for cell in there.given() {
            let mut thinner = there.puzzle;
            thinner.0[usize::from(cell)] = 0;
            assert_eq!(Kernel::fastest().count(&thinner, 2, &mut budget()), Ok(2), "{there:?} {cell}");
        }
    }

    #[test]
    fn a_raised_flag_ends_the_search() {
        let raised = std::sync::atomic::AtomicBool::new(true);
        let (goal, mut budget) = (goal(), Budget::new(1_000, &raised));
        let end = near(starter(), &goal, &mut Rng::from_seed(1), &mut budget);
        assert!(matches!(end, Err(OutOfBudget::Cancelled)), "{end:?}");
    }
}
