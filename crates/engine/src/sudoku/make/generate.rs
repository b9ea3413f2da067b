//! Makes one try of a Sudoku: rewrites a starter, or thins and steers a random grid, and then rates the puzzle and
//! proves that it has one solution. Also proves and rates surplus puzzles.

use std::ops::RangeInclusive;

use super::{
    goal::{Goal, Reach},
    grids::random_grid,
    starters::{Puzzled, drawn, rewrite},
    steer::Steering,
    steering::{self, Row, Source},
    wanted,
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
        solvers::Solvers,
        spec::{Difficulty, Spec},
        text::Unrated,
        tries::{Made, Miss, MissReason, Shortfall, Surplus, Try},
    },
    sudoku::{
        board::Grid,
        canonical::{canonical, solved},
        of_variant,
        orbits::orbits,
        rate::{
            rating::{NODES_PER_RATING_MAX, Outcome, outcome_up_to},
            record::{NoRecord, Wanted, rate_within},
        },
        techniques::Technique,
        verdict::SOLVERS,
    },
};

/// The maximum number of nodes for the proof by each of the two solvers. Puzzles that the ladder finishes usually need tens.
const NODES_PER_PROOF_MAX: u64 = 100_000;

/// Makes one try for a spec. Each search in it has its own node limit, and the table in `steering.rs` limits their number.
pub(in crate::sudoku) fn make(spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    make_for(spec, &Goal::of(spec), rng, budget)
}

/// Makes one try for the goal of a spec.
pub(in crate::sudoku) fn make_for(spec: &Spec, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    Try::of(attempt(spec, goal, rng, budget))
}

/// Proves and rates a surplus puzzle: one that a try made, but that does not meet its spec.
pub(in crate::sudoku) fn finish(left: &Surplus, budget: &mut Budget<'_>) -> Try {
    let (Ok(puzzle), Ok(solution)) = (Grid::parse(&left.text), Grid::parse(&left.solution)) else {
        return Try::Missed(Shortfall::Unproven.miss("the text is not a Sudoku of this variant".to_owned()));
    };
    let any = Wanted { ratings: wanted::ratings(Difficulty::Any), technique: None };
    Try::of(prove(&puzzle, &solution, &any, &SOLVERS, budget))
}

fn attempt(spec: &Spec, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Try, OutOfBudget> {
    let (wanted, row) = (goal.wanted.clone(), steering::row(goal));
    let (Puzzled { puzzle, solution }, reach) = match drawn(&goal.starters, rng) {
        Some(starter) if row.source == Source::Starter => rewrite(starter, goal, row.finish, rng, budget)?,
        _ => on_a_random_grid(spec, goal, row, rng, budget)?,
    };
    // However the puzzle was made, only the wanted number of givens is acceptable.
    if let Some(clues) = goal.clues_missed(&puzzle) {
        return Ok(Try::Missed(off_clues(&puzzle, clues)));
    }
    let left = Surplus { text: puzzle.dotted(), solution: solution.line() };
    if reach != Reach::No {
        let technique = goal.technique.map(|technique| (technique, reach));
        let wanted = Wanted { ratings: wanted, technique };
        return Ok(match prove(&puzzle, &solution, &wanted, &SOLVERS, budget)? {
            Err(miss) if miss.reason == MissReason::OffTarget => Try::Surplus(miss, Box::new(left)),
            ended => ended.into(),
        });
    }
    match budget.within(NODES_PER_RATING_MAX, |budget| outcome_up_to(&puzzle, *wanted.end(), budget)) {
        Outcome::Rated(ratings) | Outcome::Harder(ratings) => {
            let miss = match goal.technique {
                Some(technique) if wanted.contains(&ratings.er) => not_needed(technique, ratings.er, &puzzle),
                _ => off_target(ratings.er, &puzzle, &wanted),
            };
            Ok(Try::Surplus(miss, Box::new(left)))
        }
        Outcome::OutOfBudget { why: OutOfBudget::Cancelled, .. } => Err(OutOfBudget::Cancelled),
        _ => Ok(Try::Missed(unrated(&puzzle))),
    }
}

/// Makes a puzzle from a random grid.
fn on_a_random_grid(
    spec: &Spec,
    goal: &Goal,
    row: &Row,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<(Puzzled, Reach), OutOfBudget> {
    let (orbits, solution) = (orbits(spec.symmetry), random_grid(rng));
    let (puzzle, reach) = Steering { goal, row, solution: &solution, orbits: &orbits }.puzzle(rng, budget)?;
    Ok((Puzzled { puzzle, solution }, reach))
}

/// Rates and proves a puzzle. Returns it only if both succeed. The rating comes first, because most rejected puzzles fail it.
fn prove(
    puzzle: &Grid,
    solution: &Grid,
    wanted: &Wanted,
    solvers: &Solvers<Grid, Grid>,
    budget: &mut Budget<'_>,
) -> Result<Result<Made, Miss>, OutOfBudget> {
    // Deciding whether a technique is needed costs as much as a rating.
    let nodes_max = NODES_PER_RATING_MAX * (1 + u64::from(wanted.technique.is_some()));
    let record = match budget.within(nodes_max, |budget| rate_within(puzzle, solution, wanted, budget)) {
        Ok(record) => record,
        Err(NoRecord::OffTarget(rating)) => return Ok(Err(off_target(rating, puzzle, &wanted.ratings))),
        Err(NoRecord::NotNeeded(technique, rating)) => return Ok(Err(not_needed(technique, rating, puzzle))),
        Err(NoRecord::Unrated(Unrated::OutOfBudget { why: OutOfBudget::Cancelled, .. })) => {
            return Err(OutOfBudget::Cancelled);
        }
        Err(NoRecord::Unrated(_)) => return Ok(Err(unrated(puzzle))),
    };
    if let Err(miss) = solvers.prove(puzzle, solution.cells(), NODES_PER_PROOF_MAX, budget)? {
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

fn off_clues(puzzle: &Grid, clues: u16) -> Miss {
    Shortfall::Clues(puzzle.givens().abs_diff(clues)).miss(format!("{} givens", puzzle.givens()))
}

fn off_target(rating: Tenths, puzzle: &Grid, wanted: &RangeInclusive<Tenths>) -> Miss {
    // A puzzle that is too hard is rated only up to its first step that is too hard.
    let or_harder = if rating > *wanted.end() { " or harder" } else { "" };
    let nearest = format!("rated {rating}{or_harder} with {} givens", puzzle.givens());
    Shortfall::of_rating(rating, wanted).miss(nearest)
}

fn not_needed(technique: Technique, rating: Tenths, puzzle: &Grid) -> Miss {
    let nearest = format!("rated {rating} without a need for {}, with {} givens", technique.name, puzzle.givens());
    Shortfall::NotNeeded(technique.rating.0.abs_diff(rating.0)).miss(nearest)
}

fn unrated(puzzle: &Grid) -> Miss {
    Shortfall::Unrated.miss(format!("not rated within {NODES_PER_RATING_MAX} nodes, with {} givens", puzzle.givens()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_solver_ends_the_try_with_a_disagreement() {
        let puzzle =
            Grid::parse("1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......").unwrap();
        let mut budget = Budget::of_nodes(u64::MAX);
        let solution = (SOLVERS.own)(&puzzle, 1, &mut budget).unwrap()[0];
        let any = Wanted { ratings: wanted::ratings(Difficulty::Any), technique: None };
        let liar = Solvers { own: |_, _, _| Ok(vec![Grid::EMPTY, Grid::EMPTY]), ..SOLVERS };
        let miss = prove(&puzzle, &solution, &any, &liar, &mut budget).unwrap().unwrap_err();
        let MissReason::SolversDisagree(told) = &miss.reason else { panic!("{miss:?}") };
        assert_eq!((told.kind, told.text.as_str(), miss.distance), ("sudoku", puzzle.dotted().as_str(), 0));
        assert!(told.own.starts_with("two solutions") && told.core.contains(&solution.line()), "{told}");
        assert!(prove(&puzzle, &solution, &any, &SOLVERS, &mut budget).unwrap().is_ok());
    }
}
