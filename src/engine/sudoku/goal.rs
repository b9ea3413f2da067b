//! What a try steers to where a rating alone does not tell: how far a puzzle is from needing a technique, or, with a fixed
//! number of givens, from the wanted ratings.

use std::ops::RangeInclusive;

use super::{
    board::Grid,
    harden::NODES_PER_RATING_MAX,
    techniques::{Bounds, Candidates, Climb, TECHNIQUES, Technique, climb},
    wanted,
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    spec::{Spec, Target},
};

/// How far above its easiest form a technique is looked for, in tenths: longer chains and loops, larger sets.
const SPAN: u8 = 5;

/// Distances, from far to near. Within one the smaller number is nearer.
///
/// Givens beyond the wanted number come on top.
const CLUES_MISSED: u32 = 10_000;
/// The technique is not used before the first step that is too hard; tenths that the puzzle is rated below it come on top.
const UNUSED: u32 = 2_000;
/// There is a step that is too hard; the candidates left there come on top.
const HARD: u32 = 1_000;
/// Solved below the wanted ratings, by so many tenths.
const EASY: u32 = 500;
/// Solved with the technique and, as easily, without it; tenths that the puzzle is rated above it come on top.
const UNNEEDED: u32 = 1;

/// What is wanted of a puzzle.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    wanted: RangeInclusive<Tenths>,
    technique: Option<Technique>,
    clues: Option<u16>,
    /// Whether any puzzle with that number of givens will do.
    is_any: bool,
    /// Steps above it are not looked for.
    limit: Tenths,
}

impl Goal {
    pub(super) fn of(spec: &Spec) -> Self {
        let wanted = wanted::ratings(spec.target);
        let technique = spec.technique.as_ref().and_then(|name| TECHNIQUES.iter().find(|known| known.name == name));
        let near = technique.map_or(Tenths::MAX, |technique| Tenths(technique.rating.0.saturating_add(SPAN)));
        // Puzzles that need nothing harder are the plain ones; only where they are not wanted others are looked at.
        let limit = if *wanted.start() <= near { near.min(*wanted.end()) } else { *wanted.end() };
        let is_any = spec.target == Target::Any && technique.is_none();
        Self { wanted, technique: technique.copied(), clues: spec.clues, is_any, limit }
    }

    /// The technique that must be needed.
    pub(super) fn technique(&self) -> Option<Technique> {
        self.technique
    }

    /// The number of givens that a puzzle must have; none leaves it open.
    pub(super) fn clues(&self) -> Option<u16> {
        self.clues
    }

    /// The wanted number of givens where the puzzle has another.
    pub(super) fn clues_missed(&self, puzzle: &Grid) -> Option<u16> {
        self.clues.filter(|&clues| clues != puzzle.givens())
    }

    /// How far a puzzle is from the goal; 0 if it is reached. What is not known within the budget counts as not so.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(super) fn distance(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<u32, OutOfBudget> {
        if let Some(clues) = self.clues_missed(puzzle) {
            return Ok(CLUES_MISSED + u32::from(puzzle.givens().abs_diff(clues)));
        }
        if self.is_any {
            return Ok(0);
        }
        let Some(mut position) = Candidates::of(puzzle) else { return Ok(u32::MAX) };
        let (mut er, mut is_used) = (Tenths(0), false);
        let end = budget.within(NODES_PER_RATING_MAX, |budget| {
            climb(&mut position, Bounds::up_to(self.limit), budget, |_, find| {
                er = er.max(find.technique.rating);
                is_used |= self.technique.is_some_and(|technique| technique.name == find.technique.name);
            })
        });
        let below = |rating: Tenths| u32::from(rating.0.saturating_sub(er.0));
        match (end, self.technique) {
            (Climb::OutOfBudget { why: OutOfBudget::Cancelled, .. }, _) => Err(OutOfBudget::Cancelled),
            (Climb::Solved, Some(technique)) if !is_used => Ok(UNUSED + below(technique.rating)),
            (_, Some(_)) if !is_used => Ok(UNUSED),
            (Climb::Solved, _) if er < *self.wanted.start() => Ok(EASY + below(*self.wanted.start())),
            (Climb::Solved, Some(technique)) if !needs(puzzle, er, technique, budget)? => {
                Ok(UNNEEDED + u32::from(er.0.saturating_sub(technique.rating.0)))
            }
            (Climb::Solved, _) => Ok(0),
            _ => Ok(HARD + position.count()),
        }
    }

    /// Whether a puzzle at this distance uses the technique.
    pub(super) fn is_used_at(distance: u32) -> bool {
        distance < UNUSED
    }
}

/// Whether a puzzle with this ER cannot be solved by steps up to it once the technique is left out of the ladder: without it
/// the puzzle is harder. Not so if that is not known within the budget.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub(super) fn needs(
    puzzle: &Grid,
    er: Tenths,
    technique: Technique,
    budget: &mut Budget<'_>,
) -> Result<bool, OutOfBudget> {
    let Some(mut position) = Candidates::of(puzzle) else { return Ok(false) };
    let bounds = Bounds { hardest: er, without: Some(technique.name) };
    let end = budget.within(NODES_PER_RATING_MAX, |budget| climb(&mut position, bounds, budget, |_, _| ()));
    match end {
        Climb::OutOfBudget { why: OutOfBudget::Cancelled, .. } => Err(OutOfBudget::Cancelled),
        Climb::Stuck | Climb::Harder { .. } => Ok(true),
        Climb::Solved | Climb::OutOfBudget { .. } => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::sudoku::{Sudoku, rating::RATING_MAX};
    use crate::engine::{
        kind::{PuzzleKind as _, Try},
        rng::Rng,
        symmetry::Symmetry,
    };

    /// The rating without a technique, none if the ladder does not finish the puzzle then.
    fn rating_without(puzzle: &Grid, technique: &'static str) -> Option<Tenths> {
        let (never, mut er) = (AtomicBool::new(false), Tenths(0));
        let bounds = Bounds { hardest: RATING_MAX, without: Some(technique) };
        let mut position = Candidates::of(puzzle).unwrap();
        let end = climb(&mut position, bounds, &mut Budget::new(10_000_000, &never), |_, find| {
            assert_ne!(find.technique.name, technique);
            er = er.max(find.technique.rating);
        });
        (end == Climb::Solved).then_some(er)
    }

    #[test]
    fn without_the_technique_that_it_needs_a_puzzle_is_harder_or_not_solved() {
        let never = AtomicBool::new(false);
        for technique in
            ["Hidden Single in Line", "Naked Single", "Pointing", "Naked Pair", "XY-Wing", "Forcing X-Chain"]
        {
            let spec = Spec {
                kind: "sudoku".to_owned(),
                variant: "9x9".to_owned(),
                symmetry: Symmetry::None,
                target: Target::Any,
                clues: None,
                technique: Some(technique.to_owned()),
            };
            let mut rng = Rng::from_seed(5);
            let made = (0..200).find_map(|_| match Sudoku.make(&spec, &mut rng, &mut Budget::new(u64::MAX, &never)) {
                Try::Made(made) => Some(made),
                _ => None,
            });
            let made = made.unwrap_or_else(|| panic!("no puzzle needs {technique}"));
            let without = rating_without(&Grid::parse(&made.text).unwrap(), technique);
            assert!(without.is_none_or(|without| without > made.record.rating), "{technique}: {without:?} {made:?}");
        }
    }

    #[test]
    fn a_technique_that_another_of_its_rating_can_stand_in_for_is_not_needed() {
        let (never, puzzle) = (
            AtomicBool::new(false),
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        );
        let puzzle = Grid::parse(puzzle).unwrap();
        let last_cell = TECHNIQUES[0];
        let needed = needs(&puzzle, Tenths(12), last_cell, &mut Budget::new(u64::MAX, &never));
        assert_eq!((last_cell.name, needed), ("Last Cell", Ok(false)));
    }
}
