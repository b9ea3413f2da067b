//! One try: a random grid, thinned to a puzzle, steered to the wanted rating, proved and rated.

use std::ops::RangeInclusive;

use super::{
    board::Grid,
    canonical::{canonical, solved},
    core,
    goal::{Goal, needs},
    grids::random_grid,
    harden::{harden, rating_at_least},
    kernel::Kernel,
    of_variant,
    orbits::{Orbit, orbits},
    rating::{NODES_PER_RATING_MAX, Outcome, outcome_up_to, rate},
    steer::Steering,
    techniques::Technique,
    thin::{thin_fully, thin_to},
    wanted,
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    kind::{Leftover, Made, Miss, MissReason, Try},
    level::Tenths,
    rng::Rng,
    spec::{Spec, Target},
    text::Unrated,
};

/// Nodes for the proof by each of the two solvers. Puzzles that the ladder finishes need tens.
const NODES_PER_PROOF_MAX: u64 = 100_000;

/// Ratings that steering may look up in one try: about six find the place in one order of orbits, and a few orbits may
/// have to be passed over.
const STEERING_RATINGS_MAX: u32 = 60;

/// Distances of the misses that no rating measures; but for the first, farther than any rating can be.
const DISTANCE_NOT_NEEDED: u32 = 10;
const DISTANCE_UNRATED: u32 = 300;
const DISTANCE_CLUES: u32 = 400;
const DISTANCE_UNPROVEN: u32 = 1_000;

/// Makes one try. Nodes: at most 81 removals of `thin`, each with its bound, and the two proofs.
pub(super) fn make(spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    match attempt(spec, rng, budget) {
        Ok(made) => made,
        Err(OutOfBudget::Cancelled) => Try::Cancelled,
        Err(OutOfBudget::Nodes) => Try::Missed(unproven("the nodes ran out".to_owned())),
    }
}

/// Proves and rates the puzzle of a try that the spec did not want.
pub(super) fn finish(left: &Leftover, budget: &mut Budget<'_>) -> Try {
    let (Ok(puzzle), Ok(solution)) = (Grid::parse(&left.text), Grid::parse(&left.solution)) else {
        return Try::Missed(unproven("a text that is none of its own".to_owned()));
    };
    match prove(&puzzle, &solution, &wanted::ratings(Target::Any), None, budget) {
        Ok(Ok(made)) => Try::Made(Box::new(made)),
        Ok(Err(miss)) => Try::Missed(miss),
        Err(OutOfBudget::Cancelled) => Try::Cancelled,
        Err(OutOfBudget::Nodes) => Try::Missed(unproven("the nodes ran out".to_owned())),
    }
}

fn attempt(spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Try, OutOfBudget> {
    let (wanted, goal) = (wanted::ratings(spec.target), Goal::of(spec));
    let orbits = orbits(spec.symmetry);
    let solution = random_grid(rng);
    let steering = Steering { goal: &goal, solution: &solution, orbits: &orbits };
    let puzzle = if let Some(clues) = spec.clues {
        let thinned = thin_to(&solution, &orbits, clues, rng, budget)?;
        steering.run(thinned, rng, budget)?
    } else {
        let minimal = thin_fully(&solution, &orbits, rng, budget)?;
        if spec.technique.is_some() {
            steering.run(minimal, rng, budget)?
        } else {
            let minimal = harden(minimal, &solution, &orbits, &wanted, rng, budget)?;
            ease(minimal, &solution, &orbits, &wanted, rng, budget)?
        }
    };
    // Whatever way it came by: only the wanted number of givens goes any further.
    if let Some(clues) = goal.clues_missed(&puzzle) {
        return Ok(Try::Missed(off_clues(&puzzle, clues)));
    }
    match budget.within(NODES_PER_RATING_MAX, |budget| outcome_up_to(&puzzle, *wanted.end(), budget)) {
        Outcome::Rated(ratings) if wanted.contains(&ratings.er) => {
            Ok(match prove(&puzzle, &solution, &wanted, goal.technique(), budget)? {
                Ok(made) => Try::Made(Box::new(made)),
                Err(miss) => Try::Missed(miss),
            })
        }
        Outcome::Rated(ratings) | Outcome::Harder(ratings) => {
            let left = Leftover { text: puzzle.dotted(), solution: solution.line() };
            Ok(Try::Beside(off_target(ratings.er, &puzzle, &wanted), Box::new(left)))
        }
        Outcome::OutOfBudget { why: OutOfBudget::Cancelled, .. } => Err(OutOfBudget::Cancelled),
        _ => Ok(Try::Missed(unrated(&puzzle))),
    }
}

/// Puts orbits back into a puzzle that is too hard, as few as bring its rating down to what is wanted. A puzzle that is
/// not too hard stays as it is; one that no order tried brings there comes back too easy or too hard.
///
/// The rating falls, nearly always, with each orbit put back. So the place where it first is low enough is found by
/// halving; if it jumps past the wanted ratings there, that orbit is passed over.
fn ease(
    minimal: Grid,
    solution: &Grid,
    orbits: &[Orbit],
    wanted: &RangeInclusive<Tenths>,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let is_too_hard = |puzzle: &Grid, budget: &mut Budget<'_>| {
        Ok(rating_at_least(puzzle, *wanted.end(), budget)?.is_none_or(|rating| rating > *wanted.end()))
    };
    let mut empty: Vec<_> = orbits.iter().filter(|orbit| is_empty(&minimal, orbit)).copied().collect();
    rng.shuffle(&mut empty);
    // The last orbit stays empty: a full grid is no puzzle.
    let (mut hard, mut easy) = (0, empty.len().saturating_sub(1));
    let mut easiest_wanted = minimal;
    if easy == 0 || !is_too_hard(&minimal, budget)? {
        return Ok(minimal);
    }
    for _ in 0..STEERING_RATINGS_MAX {
        budget.check_cancelled()?;
        if easy - hard > 1 {
            let middle = usize::midpoint(hard, easy);
            let is_hard = is_too_hard(&put_back(minimal, solution, &empty[..middle]), budget)?;
            *(if is_hard { &mut hard } else { &mut easy }) = middle;
            continue;
        }
        easiest_wanted = put_back(minimal, solution, &empty[..easy]);
        let rating = rating_at_least(&easiest_wanted, *wanted.end(), budget)?;
        let jumped_past = rating.is_some_and(|rating| rating < *wanted.start());
        if !jumped_past || empty.len() < easy + 2 {
            break;
        }
        empty.remove(easy - 1);
        easy = empty.len() - 1;
    }
    Ok(easiest_wanted)
}

fn is_empty(puzzle: &Grid, orbit: &Orbit) -> bool {
    orbit.cells().iter().all(|&cell| puzzle.cells()[usize::from(cell)] == 0)
}

fn put_back(mut puzzle: Grid, solution: &Grid, orbits: &[Orbit]) -> Grid {
    for &cell in orbits.iter().flat_map(Orbit::cells) {
        puzzle.0[usize::from(cell)] = solution.cells()[usize::from(cell)];
    }
    puzzle
}

/// Proves and rates a puzzle; nothing is made without both.
fn prove(
    puzzle: &Grid,
    solution: &Grid,
    wanted: &RangeInclusive<Tenths>,
    technique: Option<Technique>,
    budget: &mut Budget<'_>,
) -> Result<Result<Made, Miss>, OutOfBudget> {
    let only = [*solution];
    let by_core = budget.within(NODES_PER_PROOF_MAX, |budget| core::solutions(puzzle, 2, budget))?;
    let by_kernel = budget.within(NODES_PER_PROOF_MAX, |budget| Kernel::fastest().solutions(puzzle, 2, budget))?;
    if by_core != only || by_kernel != only {
        return Ok(Err(unproven(format!("{} givens that the two solvers judge differently", puzzle.givens()))));
    }
    let record = match budget.within(NODES_PER_RATING_MAX, |budget| rate(puzzle, solution, budget)) {
        Ok(record) => record,
        Err(Unrated::OutOfBudget { why: OutOfBudget::Cancelled, .. }) => return Err(OutOfBudget::Cancelled),
        Err(_) => return Ok(Err(unrated(puzzle))),
    };
    if !wanted.contains(&record.rating) {
        return Ok(Err(off_target(record.rating, puzzle, wanted)));
    }
    if let Some(technique) = technique {
        let is_used = record.techniques.iter().any(|used| used.technique == technique.name);
        if !is_used || !needs(puzzle, record.rating, technique, budget)? {
            return Ok(Err(not_needed(technique, record.rating, puzzle)));
        }
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
    let distance = DISTANCE_CLUES + u32::from(puzzle.givens().abs_diff(clues));
    Miss { reason: MissReason::Clues, distance, nearest: format!("{} givens", puzzle.givens()) }
}

fn off_target(rating: Tenths, puzzle: &Grid, wanted: &RangeInclusive<Tenths>) -> Miss {
    let distance = wanted.start().0.saturating_sub(rating.0).max(rating.0.saturating_sub(wanted.end().0));
    // What is too hard is rated no further than the first step that is.
    let or_harder = if rating > *wanted.end() { " or harder" } else { "" };
    let nearest = format!("rated {rating}{or_harder} with {} givens", puzzle.givens());
    Miss { reason: MissReason::OffTarget, distance: distance.into(), nearest }
}

fn not_needed(technique: Technique, rating: Tenths, puzzle: &Grid) -> Miss {
    let distance = DISTANCE_NOT_NEEDED + u32::from(technique.rating.0.abs_diff(rating.0));
    let nearest = format!("rated {rating} without a need for {}, with {} givens", technique.name, puzzle.givens());
    Miss { reason: MissReason::OffTarget, distance, nearest }
}

fn unrated(puzzle: &Grid) -> Miss {
    let nearest = format!("not rated within {NODES_PER_RATING_MAX} nodes, with {} givens", puzzle.givens());
    Miss { reason: MissReason::Unrated, distance: DISTANCE_UNRATED, nearest }
}

fn unproven(nearest: String) -> Miss {
    Miss { reason: MissReason::Unproven, distance: DISTANCE_UNPROVEN, nearest }
}
