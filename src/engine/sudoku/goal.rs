//! What a try steers to where a rating alone does not tell: how far a puzzle is from needing a technique, or, with a fixed
//! number of givens, from the wanted ratings.

use std::ops::RangeInclusive;

use super::{
    board::Grid,
    harden::NODES_PER_RATING_MAX,
    need::needs,
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
