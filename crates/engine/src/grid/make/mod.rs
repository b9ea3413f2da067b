//! Makes puzzles. The [`Shape`] of a kind makes the clues of a first puzzle, and changes them until the rating is the wanted one. This module
//! then proves and rates the puzzle.

mod cages;
mod givens;
mod goal;
mod loose_clues;
mod repair;

pub(crate) use cages::{CageStyle, Cages};
pub(crate) use givens::DigitClues;
pub(crate) use goal::{Goal, check_spec};
pub(crate) use repair::{Division, repaired};

use super::{
    canonical::canonical,
    kind::GridKind,
    ladder::climb,
    model,
    position::Position,
    proof::{PROOF_NODES, SOLVERS},
    puzzle::Puzzle,
    rate::rate,
    rules::Rules,
    text::{parse, write},
};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
    solvers::Solvers,
    spec::Spec,
    text::Unrated,
    tries::{Made, Miss, Shortfall, Try},
};

/// How a kind makes the clues of a puzzle, and how it changes them.
pub(crate) trait Shape: Sync {
    /// A first puzzle. It should have one solution, but the proof comes later. `None` if the shape finds none within
    /// its limits.
    ///
    /// # Errors
    /// [`OutOfBudget`] if the work ends before the answer.
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget>;

    /// A puzzle that differs from a draft in a few clues, again with one solution. `None` if the change led to none.
    ///
    /// # Errors
    /// [`OutOfBudget`] if the work ends before the answer.
    fn neighbor(
        &self,
        draft: &Draft,
        goal: &Goal,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Draft>, OutOfBudget>;

    /// The maximum number of neighbors of a try.
    fn neighbors_max(&self, goal: &Goal) -> usize;
}

/// A puzzle that is not proved yet.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) puzzle: Puzzle,
    pub(crate) solution: Vec<u8>,
    /// The rating. `None` if the ladder does not solve the puzzle within the highest rating that was tried.
    pub(crate) rating: Option<Tenths>,
}

impl Draft {
    /// The puzzle with the solution and the rating that the ladder finds. `None` if it is harder than `upto` or has several solutions.
    pub(crate) fn of(puzzle: Puzzle, upto: Tenths) -> Option<Self> {
        let rules = Rules::of(&puzzle);
        let mut position = Position::of(&rules, &puzzle.digits)?;
        let climb = climb(&mut position, puzzle.variant.ladder, upto);
        let solution = position.digits().to_vec();
        climb.solved.then_some(Self { puzzle, solution, rating: Some(climb.rating) })
    }

    /// The draft of a puzzle that differs in a few clues. `None` if the ladder does not solve it up to the rating of the goal or of this
    /// draft, whichever is higher.
    pub(crate) fn replaced_by(&self, puzzle: Puzzle, goal: &Goal) -> Option<Self> {
        Self::of(puzzle, self.rating.unwrap_or(Tenths::MAX).max(*goal.ratings.end()))
    }
}

/// Makes one try for a checked spec. Each search has a limit of nodes, and the shape limits the number of
/// searches.
pub(crate) fn make(kind: &'static GridKind, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    let Some(goal) = Goal::of(kind, spec, rng) else {
        return Try::Missed(Shortfall::Unproven.miss(format!("no variant {}", spec.variant)));
    };
    let maker = Maker { kind, spec, goal, solvers: &SOLVERS };
    Try::of(maker.run(rng, budget))
}

struct Maker<'s> {
    kind: &'static GridKind,
    spec: &'s Spec,
    goal: Goal,
    solvers: &'s Solvers<Puzzle, Vec<u8>>,
}

impl Maker<'_> {
    /// Starts a puzzle, and then tries neighbors of it until it reaches the goal or the limit. Drops a neighbor that is farther from the goal.
    fn run(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Result<Made, Miss>, OutOfBudget> {
        let (shape, goal) = (self.kind.shape, &self.goal);
        let Some(mut draft) = shape.start(goal, rng, budget)? else {
            return Ok(Err(Shortfall::Givens(0).miss("found no clues with exactly one solution".to_owned())));
        };
        for _ in 0..shape.neighbors_max(goal) {
            let distance = goal.distance(&draft);
            if distance == (0, 0) {
                break;
            }
            budget.check_cancelled()?;
            if let Some(next) = shape.neighbor(&draft, goal, rng, budget)?
                && goal.distance(&next) <= distance
            {
                draft = next;
            }
        }
        self.finish(&draft, budget)
    }

    /// Proves and rates a puzzle. The cheapest checks come first.
    fn finish(&self, draft: &Draft, budget: &mut Budget<'_>) -> Result<Result<Made, Miss>, OutOfBudget> {
        let Draft { puzzle, solution, rating } = draft;
        let givens = puzzle.givens();
        let Some(rating) = *rating else { return Ok(Err(self.too_hard(givens))) };
        if let Err(miss) = self.check(rating, givens) {
            return Ok(Err(miss));
        }
        if let Err(miss) = self.solvers.prove(puzzle, solution, PROOF_NODES, budget)? {
            return Ok(Err(miss));
        }
        let text = write(puzzle);
        let is_as_stated = parse(self.kind, "", &text).is_ok_and(|stated| model::holds(&stated, solution));
        let canonical = canonical(puzzle);
        let (true, Ok(canonical)) = (is_as_stated, canonical) else {
            return Ok(Err(
                Shortfall::Unproven.miss(format!("{text} has no canonical form, or reads back differently"))
            ));
        };
        let record = match rate(puzzle, solution, budget) {
            Ok(record) => record,
            Err(Unrated::OutOfBudget { why: OutOfBudget::Cancelled, .. }) => return Err(OutOfBudget::Cancelled),
            Err(_) => return Ok(Err(self.too_hard(givens))),
        };
        Ok(self.check(record.rating, givens).map(|()| Made {
            text,
            solution: write(&puzzle.with(solution.clone())),
            solved: canonical.clone(),
            canonical,
            givens,
            record,
        }))
    }

    /// Checks the rating and the number of givens. If the spec states no givens, the range that the level delivers applies.
    fn check(&self, rating: Tenths, givens: u16) -> Result<(), Miss> {
        let Goal { info, wanted, .. } = &self.goal;
        let nearest = format!("rated {rating}{}", self.with_givens(givens));
        if !wanted.contains(&rating) {
            return Err(Shortfall::of_rating(rating, wanted).miss(nearest));
        }
        match self.spec.givens.or_else(|| info.delivered(rating)).filter(|range| !range.contains(givens)) {
            Some(range) => Err(Shortfall::Givens(range.distance(givens)).miss(nearest)),
            None => Ok(()),
        }
    }

    fn too_hard(&self, givens: u16) -> Miss {
        let border = *self.goal.ratings.end();
        Shortfall::Unrated.miss(format!("harder than {border}{}", self.with_givens(givens)))
    }

    /// The number of givens, for messages; nothing if the kind has none.
    fn with_givens(&self, givens: u16) -> String {
        self.goal.variant.givens.map_or_else(String::new, |_| format!(" with {givens} givens"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::solve,
        shared::{criteria::Criteria, level::Level, spec::Difficulty, symmetry::Symmetry, tries::MissReason},
        sudoku::{Sudoku, sizes::SIZES},
    };

    /// The spec of a request that states the level alone.
    fn styled(variant: &str, difficulty: Difficulty) -> Spec {
        Criteria { variant: Some(variant.to_owned()), ..Criteria::from(difficulty) }.spec(&Sudoku).unwrap()
    }

    #[test]
    fn puzzle_thinned_without_the_ladder_is_minimal() {
        let spec = Spec { symmetry: Symmetry::None, givens: None, ..styled("6x6", Difficulty::Level(Level::Hard)) };
        let mut goal = Goal::of(&SIZES, &spec, &mut Rng::from_seed(0)).unwrap();
        goal.givens = None;
        for seed in 0..20 {
            let (mut rng, mut budget) = (Rng::from_seed(seed), Budget::of_nodes(100_000));
            let draft = SIZES.shape.start(&goal, &mut rng, &mut budget).unwrap().unwrap();
            let several = |digits: Vec<u8>| {
                let found = solve::solutions(&draft.puzzle.with(digits), 2, &mut Budget::of_nodes(10_000)).unwrap();
                found.len() > 1
            };
            assert!(!several(draft.puzzle.digits.clone()));
            for cell in (0..36).filter(|&cell| draft.puzzle.digits[cell] != 0) {
                let mut thinner = draft.puzzle.digits.clone();
                thinner[cell] = 0;
                assert!(several(thinner), "{} {cell}", write(&draft.puzzle));
            }
        }
    }

    #[test]
    fn try_with_a_wrong_solver_ends_with_a_disagreement() {
        let spec = styled("6x6", Difficulty::Level(Level::Easy));
        let goal = Goal::of(&SIZES, &spec, &mut Rng::from_seed(0)).unwrap();
        let liar = Solvers { core: |_, _, _| Ok(Vec::new()), ..SOLVERS };
        let maker = Maker { kind: &SIZES, spec: &spec, goal, solvers: &liar };
        let miss = maker.run(&mut Rng::from_seed(1), &mut Budget::of_nodes(10_000)).unwrap().unwrap_err();
        let MissReason::SolversDisagree(told) = &miss.reason else { panic!("{miss:?}") };
        assert_eq!((told.kind, told.core.as_str(), miss.distance), ("sudoku", "no solution", 0));
    }
}
