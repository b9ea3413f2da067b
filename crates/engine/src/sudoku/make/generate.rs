//! Makes one try of a Sudoku: rewrites a starter, or thins and steers a random grid, and then rates the puzzle and
//! proves that it has one solution.

use super::{
    goal::Goal,
    grids::random_grid,
    starters::{Puzzled, drawn, rewrite},
    steer::Steering,
    steering::{self, Row, Source},
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
        solvers::{ProofNodes, Solvers},
        spec::Spec,
        text::Unrated,
        tries::{Made, Miss, Shortfall, Try},
    },
    sudoku::{
        board::Grid,
        canonical::{canonical, solved},
        of_variant,
        orbits::orbits,
        rate::{
            rating::NODES_PER_RATING_MAX,
            record::{NoRecord, Wanted, rate_within},
        },
        verdict::SOLVERS,
    },
};

/// The maximum number of nodes for the proof by each of the two solvers. Puzzles that the ladder finishes usually need tens.
const PROOF_NODES: ProofNodes = ProofNodes::each(100_000);

/// Makes one try for a spec. Each search in it has its own node limit, and the table in `steering.rs` limits their number.
pub(in crate::sudoku) fn make(spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    let goal = Goal::of(spec, rng);
    Try::of(made_or_missed(spec, &goal, rng, budget))
}

fn made_or_missed(
    spec: &Spec,
    goal: &Goal,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Result<Made, Miss>, OutOfBudget> {
    let row = steering::row(goal);
    let puzzled = match drawn(&goal.starters, rng) {
        Some(starter) if row.source == Source::Starter => rewrite(starter, goal, row.finish, rng, budget)?,
        _ => Some(on_a_random_grid(spec, goal, row, rng, budget)?),
    };
    let Some(Puzzled { puzzle, solution }) = puzzled else {
        return Ok(Err(Shortfall::Unproven.miss("a starter that has no other solution".to_owned())));
    };
    // However the puzzle was made, only the wanted number of givens is acceptable.
    if let Some(givens) = goal.givens_missed(&puzzle) {
        return Ok(Err(off_givens(&puzzle, givens)));
    }
    let is_as_delivered = spec.givens.is_none();
    let wanted = Wanted { ratings: goal.wanted.clone(), technique: goal.technique, is_as_delivered };
    prove(&puzzle, &solution, &wanted, &SOLVERS, budget)
}

/// Makes a puzzle from a random grid.
fn on_a_random_grid(
    spec: &Spec,
    goal: &Goal,
    row: &Row,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Puzzled, OutOfBudget> {
    let (orbits, solution) = (orbits(spec.symmetry), random_grid(rng));
    let puzzle = Steering { goal, row, solution: &solution, orbits: &orbits }.puzzle(rng, budget)?;
    Ok(Puzzled { puzzle, solution })
}

/// Rates and proves a puzzle. Returns it only if both succeed. The rating comes first, because most rejected puzzles fail it.
fn prove(
    puzzle: &Grid,
    solution: &Grid,
    wanted: &Wanted,
    solvers: &Solvers<Grid, Grid>,
    budget: &mut Budget<'_>,
) -> Result<Result<Made, Miss>, OutOfBudget> {
    let record = match budget.within(NODES_PER_RATING_MAX, |budget| rate_within(puzzle, solution, wanted, budget)) {
        Ok(record) => record,
        Err(NoRecord::Unrated(Unrated::OutOfBudget { why: OutOfBudget::Cancelled, .. })) => {
            return Err(OutOfBudget::Cancelled);
        }
        Err(why) => return Ok(Err(miss(why, puzzle, wanted))),
    };
    if let Err(miss) = solvers.prove(puzzle, solution.cells(), PROOF_NODES, budget)? {
        return Ok(Err(miss));
    }
    Ok(Ok(Made {
        text: puzzle.dotted(),
        solution: solution.line(),
        canonical: of_variant(&canonical(puzzle)),
        solved: solved(solution),
        givens: puzzle.givens(),
        record,
    }))
}

fn off_givens(puzzle: &Grid, wanted: u16) -> Miss {
    Shortfall::Givens(puzzle.givens().abs_diff(wanted)).miss(format!("{} givens", puzzle.givens()))
}

/// The miss of a puzzle that gets no record.
fn miss(why: NoRecord, puzzle: &Grid, wanted: &Wanted) -> Miss {
    let givens = puzzle.givens();
    match why {
        NoRecord::Unrated(_) => {
            Shortfall::Unrated.miss(format!("not rated within {NODES_PER_RATING_MAX} nodes, with {givens} givens"))
        }
        NoRecord::OffTarget(rating) => {
            // A puzzle that is too hard is rated only up to its first step that is too hard.
            let or_harder = if rating > *wanted.ratings.end() { " or harder" } else { "" };
            let nearest = format!("rated {rating}{or_harder} with {givens} givens");
            Shortfall::of_rating(rating, &wanted.ratings).miss(nearest)
        }
        NoRecord::OffTechnique { hardest, tenths } => {
            let nearest = format!("rated {} for {} with {givens} givens", hardest.rating, hardest.name);
            Shortfall::Technique(tenths).miss(nearest)
        }
        NoRecord::OffGivens { rating, delivered } => {
            Shortfall::Givens(delivered.distance(givens)).miss(format!("rated {rating} with {givens} givens"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::tries::MissReason;

    #[test]
    fn wrong_solver_ends_the_try_with_a_disagreement() {
        let puzzle =
            Grid::parse("1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......").unwrap();
        let mut budget = Budget::of_nodes(u64::MAX);
        let solution = (SOLVERS.own)(&puzzle, 1, &mut budget).unwrap()[0];
        let liar = Solvers { own: |_, _, _| Ok(vec![Grid::EMPTY, Grid::EMPTY]), ..SOLVERS };
        let miss = prove(&puzzle, &solution, &Wanted::ANY, &liar, &mut budget).unwrap().unwrap_err();
        let MissReason::SolversDisagree(told) = &miss.reason else { panic!("{miss:?}") };
        assert_eq!((told.kind, told.text.as_str(), miss.distance), ("sudoku", puzzle.dotted().as_str(), 0));
        assert!(told.own.starts_with("two solutions") && told.core.contains(&solution.line()), "{told}");
        assert!(prove(&puzzle, &solution, &Wanted::ANY, &SOLVERS, &mut budget).unwrap().is_ok());
    }
}
