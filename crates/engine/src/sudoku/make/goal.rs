//! The goal of a try, taken from its spec: the wanted ratings, the technique that must be the hardest, and the number of givens.
//! Also measures how far a puzzle is from its goal.

use std::ops::RangeInclusive;

use super::{
    starters::{Starter, starters},
    steering,
    thin::reachable_within,
    wanted,
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::{
        board::Grid,
        rate::rating::harder,
        techniques::{Candidates, Class, Climb, TECHNIQUES, Technique, climb},
    },
};

/// The lowest wanted ER at which ratings get the larger budget.
const HARD_FROM: Tenths = Tenths(95);

/// The maximum number of nodes for one rating during a try: a tenth of a second of work, or a second if `er`, the lowest wanted
/// rating, is high. A puzzle that needs more nodes counts as too hard.
fn nodes_per_rating_max(er: Tenths) -> u64 {
    if er < HARD_FROM { 1_000_000 } else { 10_000_000 }
}

/// The parts of the distance from the goal, from the farthest case to the nearest.
///
/// The puzzle has another number of givens; the difference is added.
const GIVENS_MISSED: u32 = 10_000;
/// The climb used no wanted step by the technique. If it solved the puzzle, the tenths by which the rating is below that of
/// the technique are added.
const UNUSED: u32 = 2_000;
/// A step is too hard; the number of candidates that are left there is added.
const HARD: u32 = 1_000;
/// The puzzle was solved below the wanted ratings; the difference in tenths is added.
const EASY: u32 = 500;
/// The puzzle was solved with the technique, but another one is the hardest. The number of tenths by which the puzzle is rated
/// above the technique is added.
const NOT_HARDEST: u32 = 1;

/// What a try must reach.
#[derive(Debug, Clone)]
pub(in crate::sudoku) struct Goal {
    /// The wanted ratings, narrowed to the ratings of the technique, if there is one.
    pub(super) wanted: RangeInclusive<Tenths>,
    /// The technique that must be the hardest of the puzzle.
    pub(super) technique: Option<Technique>,
    /// The number of givens that the try draws from the range of the spec.
    pub(super) givens: Option<u16>,
    /// Whether any puzzle with the wanted number of givens is accepted.
    pub(super) is_any: bool,
    /// Nearly every puzzle that reaches the goal needs a step from one of these classes. `None` if easier steps may be enough.
    pub(in crate::sudoku) classes: Option<RangeInclusive<Class>>,
    /// The starters that reach the goal. Empty if there are too few, if random grids reach the goal often enough, or if
    /// the spec states a symmetry or a number of givens.
    pub(super) starters: Vec<&'static Starter>,
}

impl Goal {
    /// The goal of a try for a spec, with the starters for it. Draws the number of givens.
    pub(super) fn of(spec: &Spec, rng: &mut Rng) -> Self {
        let mut goal = Self::without_starters(spec, rng);
        // A starter has no symmetry, and removing givens from it reaches only a few numbers of givens.
        if spec.symmetry == Symmetry::None && spec.givens.is_none() {
            goal.starters = starters(&goal.wanted, goal.technique.as_ref());
        }
        goal
    }

    /// The goal of a try for a spec, from a random grid only. Draws the number of givens: each number that the symmetry
    /// allows has the same chance.
    pub(in crate::sudoku) fn without_starters(spec: &Spec, rng: &mut Rng) -> Self {
        let technique = spec.technique.as_ref().and_then(|name| TECHNIQUES.iter().find(|known| known.name == name));
        let wanted = wanted::ratings(spec);
        let is_any = spec.difficulty == Difficulty::Any && technique.is_none();
        let classes = steering::classes(&wanted, technique);
        let givens = spec.givens.map(|range| {
            let numbers = reachable_within(range, spec.symmetry);
            // A checked spec has at least one of these numbers.
            if numbers.is_empty() { range.min } else { numbers[rng.index(numbers.len())] }
        });
        Self { wanted, technique: technique.copied(), givens, is_any, classes, starters: Vec::new() }
    }

    /// The number of givens that is wanted, if the puzzle has another number.
    pub(super) fn givens_missed(&self, puzzle: &Grid) -> Option<u16> {
        self.givens.filter(|&givens| givens != puzzle.givens())
    }

    /// How far a puzzle is from the goal; 0 if it reaches the goal. If the nodes end before the solution, the puzzle counts as
    /// too hard.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(super) fn distance(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<u32, OutOfBudget> {
        if let Some(givens) = self.givens_missed(puzzle) {
            return Ok(GIVENS_MISSED + u32::from(puzzle.givens().abs_diff(givens)));
        }
        if self.is_any {
            return Ok(0);
        }
        let look = self.look(puzzle, budget)?;
        let below = |rating: Tenths| u32::from(rating.0.saturating_sub(look.er().0));
        Ok(match self.technique {
            Some(_) if look.is_too_hard && !look.has_wanted => UNUSED,
            _ if look.is_too_hard => HARD + look.left(),
            Some(technique) if !look.has_wanted => UNUSED + below(technique.rating),
            _ if look.er() < *self.wanted.start() => EASY + below(*self.wanted.start()),
            Some(technique) if !self.is_reached(&look) => {
                NOT_HARDEST + u32::from(look.er().0.saturating_sub(technique.rating.0))
            }
            _ => 0,
        })
    }

    /// Whether the puzzle of a climb from its start reaches the goal. Ignores the number of givens.
    pub(super) fn is_reached(&self, look: &Look) -> bool {
        let is_wanted = |hardest: Technique| {
            hardest.rating >= *self.wanted.start()
                && self.technique.is_none_or(|technique| technique.name == hardest.name)
        };
        !look.is_too_hard && look.hardest.is_some_and(is_wanted)
    }

    /// Whether a puzzle reaches the goal. Ignores the number of givens.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(in crate::sudoku) fn is_met_by(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        Ok(self.is_reached(&self.look(puzzle, budget)?))
    }

    /// Whether a puzzle cannot be solved by steps below the wanted ratings.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(super) fn is_hard_enough(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let below = Tenths(self.wanted.start().0.saturating_sub(1));
        let look = self.look_up_to(below, puzzle, budget)?;
        Ok(look.is_too_hard)
    }

    /// Climbs from the start of a puzzle until it is solved or too hard.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(in crate::sudoku) fn look(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Look, OutOfBudget> {
        self.look_up_to(*self.wanted.end(), puzzle, budget)
    }

    fn look_up_to(&self, limit: Tenths, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Look, OutOfBudget> {
        let position = Candidates::of(puzzle);
        // The givens of a solution never clash, so this cannot happen.
        let position = position.ok_or(OutOfBudget::Nodes)?;
        let mut look = Look { position, hardest: None, has_wanted: false, is_too_hard: false };
        self.climb_on(&mut look, limit, budget)?;
        Ok(look)
    }

    /// Continues a climb from its position.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(super) fn resume(&self, look: &mut Look, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        self.climb_on(look, *self.wanted.end(), budget)
    }

    fn climb_on(&self, look: &mut Look, limit: Tenths, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        let Look { position, hardest, has_wanted, .. } = look;
        let end = budget.within(nodes_per_rating_max(*self.wanted.start()), |budget| {
            climb(position, limit, budget, |_, find| {
                let technique = find.technique;
                *hardest = harder(*hardest, technique);
                let is_by_wanted = self.technique.is_none_or(|wanted| wanted.name == technique.name);
                *has_wanted |= is_by_wanted && technique.rating >= *self.wanted.start();
            })
        });
        if let Climb::OutOfBudget { why: OutOfBudget::Cancelled, .. } = end {
            return Err(OutOfBudget::Cancelled);
        }
        look.is_too_hard = end != Climb::Solved;
        Ok(())
    }
}

/// How far a climb of a puzzle came.
#[derive(Debug, Clone)]
pub(in crate::sudoku) struct Look {
    position: Candidates,
    /// The technique of the first step with the highest rating so far.
    hardest: Option<Technique>,
    /// Whether a step with a wanted rating was taken, by the technique if there is one.
    has_wanted: bool,
    is_too_hard: bool,
}

impl Look {
    /// The highest rating so far; 0 before the first step.
    pub(in crate::sudoku) fn er(&self) -> Tenths {
        self.hardest.map_or(Tenths(0), |hardest| hardest.rating)
    }

    /// Whether a wanted step was taken.
    pub(super) fn has_wanted(&self) -> bool {
        self.has_wanted
    }

    /// Whether the climb ended before the solution.
    pub(super) fn is_too_hard(&self) -> bool {
        self.is_too_hard
    }

    /// Number of candidates in the position where the climb ended.
    pub(super) fn left(&self) -> u32 {
        self.position.count()
    }

    /// Whether any of these cells is empty in the position where the climb ended.
    pub(super) fn is_open_in(&self, cells: &[u8]) -> bool {
        cells.iter().any(|&cell| self.position.empty() >> cell & 1 == 1)
    }

    /// Fills the empty cells among these.
    pub(super) fn place(&mut self, solution: &Grid, cells: &[u8]) {
        for cell in cells.iter().copied().map(usize::from) {
            if self.position.empty() >> cell & 1 == 1 {
                self.position.place(cell, solution.cells()[cell].into());
            }
        }
    }
}
