//! Makes one try of a Kakuro: fills a layout with digits, repairs the digits until the puzzle has one solution, steers
//! it to the wanted rating, and proves it.

mod fill;
mod offer;
mod repair;
mod shares;
mod steer;
pub(super) mod wanted;

use std::ops::RangeInclusive;

use super::{
    board::{Digit, Puzzle},
    canonical::canonical,
    layout::Layout,
    layouts::{self, Wanted},
    notation::text,
    rate::rating::{RATING_MAX, rate},
    reasoning::FILTERS,
    variant::Variant,
    verdict::SOLVERS,
};
use crate::shared::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
    solvers::{ProofNodes, Solvers},
    spec::{Difficulty, Spec},
    tries::{Made, Miss, MissReason, Shortfall, Try},
};
use fill::Fill;
use repair::Repair;
use steer::Steering;

/// The maximum number of layouts and fills that a try starts.
const ROUNDS_MAX: usize = 12;

/// The maximum number of nodes for the proof by each of the two solvers, and for the rating. A repaired puzzle needs
/// tens of nodes.
const NODES_PER_PROOF_MAX: u64 = 50_000;

/// The maximum number of changes of one digit while steering.
const CHANGES_MAX: usize = 600;

/// The maximum number of changes while steering to a level that was drawn because no difficulty is given. After that, any
/// rating is accepted.
const CHANGES_ANY_MAX: usize = 60;

/// Makes one try. Uses nodes for the changes of at most 12 rounds and for the two proofs.
pub(super) fn make(spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
    let Ok(variant) = Variant::parse(&spec.variant) else {
        return Try::Missed(Shortfall::Unproven.miss(format!("no variant {}", spec.variant)));
    };
    let maker = Maker { spec, variant, wanted: wanted::ratings(spec.difficulty), solvers: &SOLVERS };
    Try::of(maker.rounds(rng, budget))
}

struct Maker<'s> {
    spec: &'s Spec,
    variant: Variant,
    wanted: RangeInclusive<Tenths>,
    solvers: &'s Solvers<Puzzle, Vec<Digit>>,
}

impl Maker<'_> {
    fn rounds(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Result<Made, Miss>, OutOfBudget> {
        let aim = self.aim(rng);
        let mut nearest = unproven("no layout");
        for _ in 0..ROUNDS_MAX {
            let Some(layout) = self.layout(rng, budget)? else { continue };
            match self.round(&layout, &aim, rng, budget)? {
                Ok(made) => return Ok(Ok(made)),
                // A disagreement is a fault of the program, which another round must not hide.
                Err(miss) if matches!(miss.reason, MissReason::SolversDisagree(_)) => return Ok(Err(miss)),
                Err(miss) if miss.distance < nearest.distance => nearest = miss,
                Err(_) => {}
            }
        }
        Ok(Err(nearest))
    }

    /// The ratings to steer to. Without a difficulty, draws a level with equal chances, because unsteered puzzles are
    /// harder on larger boards.
    fn aim(&self, rng: &mut Rng) -> RangeInclusive<Tenths> {
        if self.spec.difficulty != Difficulty::Any {
            return self.wanted.clone();
        }
        let tier = [2, 2, 3, 3, 4][rng.index(5)];
        Tenths(10 * tier)..=Tenths(10 * tier + 9)
    }

    fn layout(&self, rng: &mut Rng, budget: &Budget<'_>) -> Result<Option<Layout>, OutOfBudget> {
        if let Some(own) = &self.variant.layout {
            return Ok(Some(own.clone()));
        }
        let Variant { width, height, run_max, .. } = self.variant;
        let white_min = shares::draw(&self.variant, rng);
        let wanted = Wanted { width, height, run_max, white_min, symmetry: self.spec.symmetry };
        layouts::make(&wanted, rng, budget)
    }

    fn round(
        &self,
        layout: &Layout,
        aim: &RangeInclusive<Tenths>,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Result<Made, Miss>, OutOfBudget> {
        budget.check_cancelled()?;
        let Some(mut fill) = Fill::random(layout, rng, budget)? else {
            return Ok(Err(open("a layout of long runs that was not filled".to_owned(), layout.cells().len())));
        };
        fill.anneal(layout, rng, budget)?;
        let tier = usize::from(aim.end().0 / 10).clamp(1, FILTERS.len());
        let mut repair = Repair::new(layout, fill, tier);
        if !repair.run(rng, budget)? {
            let (left, cells) = (repair.open(), layout.cells().len());
            return Ok(Err(open(format!("{left} of {cells} cells stay open"), left)));
        }
        let mut fill = repair.into_fill();
        let mut steering = Steering::new(layout, aim.clone());
        let Some(rating) = steering.rating(&fill, budget)? else { return Ok(Err(unrated())) };
        let changes_max = if self.spec.difficulty == Difficulty::Any { CHANGES_ANY_MAX } else { CHANGES_MAX };
        let rating = steering.run(&mut fill, rating, changes_max, rng, budget)?;
        if !self.wanted.contains(&rating) {
            return Ok(Err(self.off_target(rating)));
        }
        self.finish(&fill.puzzle(layout), fill.digits(), budget)
    }

    /// Proves and rates a puzzle. Both must succeed.
    fn finish(
        &self,
        puzzle: &Puzzle,
        solution: &[Digit],
        budget: &mut Budget<'_>,
    ) -> Result<Result<Made, Miss>, OutOfBudget> {
        match self.solvers.prove(puzzle, solution, ProofNodes::each(NODES_PER_PROOF_MAX), budget) {
            Ok(Ok(())) => {}
            Ok(Err(miss)) => return Ok(Err(miss)),
            Err(OutOfBudget::Nodes) => return Ok(Err(unproven("a puzzle without a proof"))),
            Err(OutOfBudget::Cancelled) => return Err(OutOfBudget::Cancelled),
        }
        budget.check_cancelled()?;
        let record = match budget.within(NODES_PER_PROOF_MAX, |budget| rate(puzzle, solution, budget)) {
            Ok(Some(record)) => record,
            Err(OutOfBudget::Cancelled) => return Err(OutOfBudget::Cancelled),
            Ok(None) | Err(OutOfBudget::Nodes) => return Ok(Err(unrated())),
        };
        if !self.wanted.contains(&record.rating) {
            return Ok(Err(self.off_target(record.rating)));
        }
        let canonical = canonical(puzzle);
        Ok(Ok(Made {
            text: text::write(puzzle),
            solution: text::write_board(puzzle, solution),
            // The layout and the digits determine all sums, so no two puzzles share a solution.
            solved: canonical.clone(),
            canonical,
            givens: u16::try_from(puzzle.sums().len()).expect("a board has at most 900 cells"),
            record,
        }))
    }

    fn off_target(&self, rating: Tenths) -> Miss {
        Shortfall::of_rating(rating, &self.wanted).miss(format!("rated {rating}"))
    }
}

fn unrated() -> Miss {
    Shortfall::Unrated.miss(format!("beyond {RATING_MAX} within the bounds of a try"))
}

/// The miss for a fill that still has open cells after repair. `cells` is their number.
fn open(nearest: String, cells: usize) -> Miss {
    Shortfall::Open(u16::try_from(cells).expect("a board has at most 900 cells")).miss(nearest)
}

fn unproven(nearest: &str) -> Miss {
    Shortfall::Unproven.miss(nearest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::toy_spec;

    #[test]
    fn wrong_solver_makes_the_try_miss_with_a_disagreement() {
        let spec = Spec { kind: "kakuro".to_owned(), variant: "6x6".to_owned(), ..toy_spec() };
        let (variant, wanted) = (Variant::parse(&spec.variant).unwrap(), wanted::ratings(spec.difficulty));
        let liar = Solvers { core: |_, _, _| Ok(Vec::new()), ..SOLVERS };
        let maker = Maker { spec: &spec, variant, wanted, solvers: &liar };
        let ended = maker.rounds(&mut Rng::from_seed(1), &mut Budget::of_nodes(u64::MAX)).unwrap();
        let miss = ended.unwrap_err();
        let MissReason::SolversDisagree(told) = &miss.reason else { panic!("{miss:?}") };
        assert_eq!((told.kind, told.core.as_str(), miss.distance), ("kakuro", "no solution", 0));
        assert!(told.own.starts_with("the only solution"), "{told}");
    }
}
