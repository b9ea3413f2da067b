//! Looks near a starter for the hardest puzzles. By chance not one in a hundred thousand is so hard; near one that is, one in
//! some hundred: a few givens go, another solution of what is left is taken, and other givens until it is the only one.

use super::{
    super::{
        board::Grid,
        canonical::solved,
        goal::Goal,
        kernel::Kernel,
        orbits::orbits,
        techniques::{Branches, Sort, outlasts, sort},
        thin::NODES_PER_THINNING_MAX,
        transform::Transform,
    },
    Puzzled, Starter,
    digits::{self, LOOKS_MAX},
};
use crate::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
    symmetry::Symmetry,
};

/// The easiest of the hardest ratings: chains with further chains or patterns in their branches.
pub(in super::super) const HARDEST_FROM: Tenths = Tenths(95);

/// Most givens that go, and the solutions of what is left of which one is taken: the first few are alike, and so are the puzzles.
const GONE_MAX: usize = 2;
const SOLUTIONS_MAX: usize = 64;

/// Neighbours that one walk looks at, each some two hundred microseconds: farther away from a starter hardly any is as hard.
/// A try takes so many walks at most; one to seven are usual.
pub(super) const NEIGHBOURS_MAX: u32 = 2_500;
const WALKS_MAX: u32 = 16;

/// One try in so many for a technique takes the starter itself where that needs it: what lies near some of them seldom does.
const ITSELF_ONE_IN: usize = 8;

/// A puzzle some moves away from a starter that has another solution and is as hard as is wanted, as far as was looked. If none was
/// found, and of some tries for a technique that it needs, it is the starter, turned and relabelled: the only way to some of the
/// hardest, once for each stock.
///
/// # Errors
/// [`OutOfBudget`] if some given could not be decided, or the flag is up.
pub(in super::super) fn near(
    starter: &Starter,
    goal: &Goal,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Puzzled, OutOfBudget> {
    let first = Puzzled::of(&Transform::random(Symmetry::None, rng).apply(&starter.puzzle), budget)?;
    if goal.technique().is_some_and(|technique| starter.needs(&technique)) && rng.index(ITSELF_ONE_IN) == 0 {
        return Ok(first);
    }
    let found = match goal.outlasted() {
        Branches::Multiple => digits::walk(first, LOOKS_MAX, rng, budget)?,
        branches => walks(first, branches, rng, budget)?,
    };
    Ok(found.unwrap_or(first))
}

/// A neighbour's neighbour, and so on, that outlasts chains with such branches.
fn walks(
    from: Puzzled,
    branches: Branches,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Option<Puzzled>, OutOfBudget> {
    let solution = solved(&from.solution);
    for _ in 0..WALKS_MAX {
        let mut here = from;
        for _ in 0..NEIGHBOURS_MAX {
            let Some(there) = here.hard_neighbour(rng, budget)? else { continue };
            here = there;
            if solved(&here.solution) != solution
                && (branches == Branches::Singles || outlasts(&here.puzzle, branches, budget)?)
            {
                return Ok(Some(here));
            }
        }
    }
    Ok(None)
}

impl Puzzled {
    /// Another puzzle that has most of the givens, if one was found that outlasts chains with branches.
    pub(super) fn hard_neighbour(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Self>, OutOfBudget> {
        let Some(there) = self.neighbour(rng, budget)? else { return Ok(None) };
        Ok(outlasts(&there.puzzle, Branches::Singles, budget)?.then_some(there))
    }

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
            super::canonical::canonical,
            hardest,
            search::{budget, spec},
        },
        *,
    };

    /// Tries in which a puzzle comes of a starter: two are usual.
    const TRIES_MAX: u32 = 20;

    /// Tries that are counted.
    const TRIES: usize = 64;

    fn goal() -> Goal {
        Goal::of(&spec("9.5 to 9.9"))
    }

    fn starter() -> &'static Starter {
        hardest(&(Tenths(95)..=Tenths(99)))[0]
    }

    #[test]
    fn what_is_found_near_a_starter_is_as_hard_outlasts_what_its_goal_says_and_has_one_solution_which_is_another() {
        let mut rng = Rng::from_seed(2);
        for (name, branches) in [("9.5 to 9.9", Branches::Singles), ("10.9 to 11.9", Branches::Chains)] {
            let goal = Goal::of(&spec(name));
            let starter = goal.starters()[0];
            let starter = if starter.is_full { self::starter() } else { starter };
            let of_starter = Puzzled::of(&starter.puzzle, &mut budget()).unwrap();
            let mut tries = (0..TRIES_MAX).map(|_| near(starter, &goal, &mut rng, &mut budget()).unwrap());
            let is_another = |made: &Puzzled| solved(&made.solution) != solved(&of_starter.solution);
            let is_hit = |made: &Puzzled| is_another(made) && goal.is_met_by(&made.puzzle, &mut budget()).unwrap();
            let made = tries.find(is_hit).expect("a hit");
            assert_eq!(Kernel::fastest().solutions(&made.puzzle, 2, &mut budget()).unwrap(), [made.solution]);
            assert_eq!(outlasts(&made.puzzle, branches, &mut budget()), Ok(true), "{made:?}");
        }
    }

    #[test]
    fn where_nothing_is_found_the_starter_is_turned_and_relabelled() {
        let easy =
            Grid::parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").unwrap();
        let (starter, goal) = (Starter { puzzle: easy, ..*starter() }, Goal::of(&spec("11.7 to 13.4")));
        let made = near(&starter, &goal, &mut Rng::from_seed(3), &mut budget()).unwrap();
        assert_eq!(canonical(&made.puzzle), canonical(&easy));
        assert_ne!(made.puzzle, easy);
    }

    #[test]
    fn some_tries_for_a_technique_take_the_starter_itself_where_it_needs_that_and_no_others_do() {
        let taken = |starter: &Starter, goal: &Goal| {
            let (itself, mut rng) = (canonical(&starter.puzzle), Rng::from_seed(5));
            let made = (0..TRIES).map(|_| near(starter, goal, &mut rng, &mut budget()).unwrap());
            made.filter(|made| canonical(&made.puzzle) == itself).count()
        };
        let of_technique = Goal::of(&spec("Dynamic Double Forcing Chains (+)"));
        let itself = taken(of_technique.starters()[0], &of_technique);
        assert!((TRIES / ITSELF_ONE_IN / 2..=TRIES / ITSELF_ONE_IN * 2).contains(&itself), "{itself}");
        assert_eq!([taken(starter(), &of_technique), taken(starter(), &goal())], [0; 2]);
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
