//! The goal of a try, taken from its spec: the wanted ratings, the technique that the puzzle must need, and the number of givens.
//! Also measures how far a puzzle is from its goal.

use std::ops::RangeInclusive;

use super::{
    need::{needs, nodes_per_rating_max},
    starters::{Starter, starters},
    steering, wanted,
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::{
        board::Grid,
        techniques::{Bounds, Candidates, Class, Climb, TECHNIQUES, Technique, climb},
    },
};

/// How far above the rating of its easiest form a technique still counts as near, in tenths. Longer chains, longer loops, and
/// larger sets have higher ratings.
const SPAN: u8 = 5;

/// The lowest rating of techniques that nest chains or patterns in the branches of their chains. Most of those chains are so long
/// that they are rated half a point or more above their easiest form.
const BRANCHES_FROM: Tenths = Tenths(90);

/// For a technique rated from the first to the second of these ratings, puzzles are accepted up to the third. The other patterns
/// up to there take less time than the first chain, and many puzzles that need a set or a fish also need a wing.
const PATTERNS: [Tenths; 3] = [Tenths(30), Tenths(57), Tenths(62)];

/// The parts of the distance from the goal, from the farthest case to the nearest.
///
/// The puzzle has another number of givens; the difference is added.
const CLUES_MISSED: u32 = 10_000;
/// No step by the technique was taken. If the puzzle was solved nevertheless, the number of tenths by which it is rated below the
/// technique is added.
const UNUSED: u32 = 2_000;
/// A step is too hard; the number of candidates that are left there is added.
const HARD: u32 = 1_000;
/// The puzzle was solved below the wanted ratings; the difference in tenths is added.
const EASY: u32 = 500;
/// The puzzle was solved with the technique, but is as easy without it. The number of tenths by which it is rated above the
/// technique is added.
const UNNEEDED: u32 = 1;

/// Whether a puzzle reaches the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) enum Reach {
    No,
    /// It does, as far as it was examined. The proof decides.
    Likely,
    /// It does. Only the proof that it has one solution is missing.
    Yes,
}

impl Reach {
    /// The answer after a complete climb.
    pub(super) fn known(is_reached: bool) -> Self {
        if is_reached { Self::Yes } else { Self::No }
    }
}

/// What a try must reach.
#[derive(Debug, Clone)]
pub(in crate::sudoku) struct Goal {
    pub(super) wanted: RangeInclusive<Tenths>,
    /// The technique that the puzzle must need.
    pub(super) technique: Option<Technique>,
    pub(super) clues: Option<u16>,
    /// Whether any puzzle with the wanted number of givens is accepted.
    pub(super) is_any: bool,
    /// The rating at which a climb stops: steps above it are not searched for.
    pub(super) limit: Tenths,
    /// The classes of reasoning of which nearly every puzzle that reaches the goal needs one. `None` if easier steps may be
    /// enough.
    pub(in crate::sudoku) classes: Option<RangeInclusive<Class>>,
    /// The starters that reach the goal. Empty if there are too few, or if tries from random grids are as good.
    pub(super) starters: Vec<&'static Starter>,
}

impl Goal {
    /// The goal of a spec, with the starters for it.
    pub(super) fn of(spec: &Spec) -> Self {
        let mut goal = Self::without_starters(spec);
        // A starter has no symmetry, and removing givens from it reaches only a few numbers of givens.
        if spec.symmetry == Symmetry::None && spec.clues.is_none() {
            goal.starters = starters(&goal.wanted, goal.technique.as_ref());
        }
        goal
    }

    /// The goal of a spec, for tries from random grids only.
    pub(in crate::sudoku) fn without_starters(spec: &Spec) -> Self {
        let wanted = wanted::ratings(spec.difficulty);
        let technique = spec.technique.as_ref().and_then(|name| TECHNIQUES.iter().find(|known| known.name == name));
        let near = technique.map_or(Tenths::MAX, hardest_besides);
        // Puzzles that need nothing harder than the technique are preferred. If their ratings are not wanted, the limit is that
        // of the wanted ratings.
        let limit = if *wanted.start() <= near { near.min(*wanted.end()) } else { *wanted.end() };
        let is_any = spec.difficulty == Difficulty::Any && technique.is_none();
        let classes = steering::classes(&wanted, technique);
        let (technique, clues) = (technique.copied(), spec.clues);
        Self { wanted, technique, clues, is_any, limit, classes, starters: Vec::new() }
    }

    /// The easiest rating of a puzzle that reaches the goal.
    fn easiest(&self) -> Tenths {
        self.technique.map_or(*self.wanted.start(), |technique| technique.rating.max(*self.wanted.start()))
    }

    /// The number of givens that is wanted, if the puzzle has another number.
    pub(super) fn clues_missed(&self, puzzle: &Grid) -> Option<u16> {
        self.clues.filter(|&clues| clues != puzzle.givens())
    }

    /// How far a puzzle is from the goal; 0 if it reaches the goal. If the budget ends before the answer, the goal counts as not
    /// reached.
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
        let look = self.look(puzzle, budget)?;
        let below = |rating: Tenths| u32::from(rating.0.saturating_sub(look.er.0));
        Ok(match self.technique {
            Some(_) if look.is_too_hard && !look.has_wanted() => UNUSED,
            _ if look.is_too_hard => HARD + look.left(),
            Some(technique) if !look.has_wanted() => UNUSED + below(technique.rating),
            _ if look.er < *self.wanted.start() => EASY + below(*self.wanted.start()),
            Some(technique) if !look.needs(technique, budget)? => {
                UNNEEDED + u32::from(look.er.0.saturating_sub(technique.rating.0))
            }
            _ => 0,
        })
    }

    /// Whether a puzzle reaches the goal, from a climb of it from its start. Ignores the number of givens.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(super) fn is_reached(&self, look: &Look, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        match self.technique {
            _ if !self.may_be_reached(look) => Ok(false),
            Some(technique) => look.needs(technique, budget),
            None => Ok(true),
        }
    }

    /// Whether the ratings of a climb fit the goal. Does not decide whether the technique is needed.
    pub(super) fn may_be_reached(&self, look: &Look) -> bool {
        !look.is_too_hard && look.has_wanted() && look.er >= *self.wanted.start()
    }

    /// Whether a puzzle reaches the goal. Ignores the number of givens.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(in crate::sudoku) fn is_met_by(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let look = self.look(puzzle, budget)?;
        self.is_reached(&look, budget)
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
        self.look_up_to(self.limit, puzzle, budget)
    }

    fn look_up_to(&self, limit: Tenths, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Look, OutOfBudget> {
        let position = Candidates::of(puzzle);
        // The givens of a solution never clash, so this cannot happen.
        let position = position.ok_or(OutOfBudget::Nodes)?;
        let mut look = Look { position, er: Tenths(0), before_wanted: None, is_too_hard: false };
        self.climb_on(&mut look, limit, budget)?;
        Ok(look)
    }

    /// Continues a climb from its position.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    pub(super) fn resume(&self, look: &mut Look, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        self.climb_on(look, self.limit, budget)
    }

    fn climb_on(&self, look: &mut Look, limit: Tenths, budget: &mut Budget<'_>) -> Result<(), OutOfBudget> {
        let (er, before) = (&mut look.er, &mut look.before_wanted);
        let end = budget.within(nodes_per_rating_max(self.easiest()), |budget| {
            climb(&mut look.position, Bounds::up_to(limit), budget, |position, find| {
                *er = (*er).max(find.technique.rating);
                let is_wanted = match self.technique {
                    Some(technique) => technique.name == find.technique.name,
                    None => find.technique.rating >= *self.wanted.start(),
                };
                if is_wanted && before.is_none() {
                    *before = Some(position.clone());
                }
            })
        });
        if let Climb::OutOfBudget { why: OutOfBudget::Cancelled, .. } = end {
            return Err(OutOfBudget::Cancelled);
        }
        look.is_too_hard = end != Climb::Solved;
        Ok(())
    }
}

/// The highest rating that a puzzle may have besides the technique; for the hardest techniques, any rating.
fn hardest_besides(technique: &Technique) -> Tenths {
    if technique.rating >= BRANCHES_FROM {
        return Tenths::MAX;
    }
    let [first, last, hardest] = PATTERNS;
    let near = Tenths(technique.rating.0.saturating_add(SPAN));
    if (first..=last).contains(&technique.rating) { near.max(hardest) } else { near }
}

/// How far a climb of a puzzle came.
#[derive(Debug, Clone)]
pub(in crate::sudoku) struct Look {
    position: Candidates,
    pub(in crate::sudoku) er: Tenths,
    /// The position before the first wanted step, which is the first step by the technique, or the first with a wanted rating.
    before_wanted: Option<Candidates>,
    is_too_hard: bool,
}

impl Look {
    /// Whether a wanted step was taken.
    pub(super) fn has_wanted(&self) -> bool {
        self.before_wanted.is_some()
    }

    /// Whether the puzzle needs the technique, judged by the steps of this climb.
    fn needs(&self, technique: Technique, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        self.before_wanted.as_ref().map_or(Ok(false), |before| needs(before, self.er, technique, budget))
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

    /// Fills those of these cells that are empty.
    pub(super) fn place(&mut self, solution: &Grid, cells: &[u8]) {
        for cell in cells.iter().copied().map(usize::from) {
            if self.position.empty() >> cell & 1 == 1 {
                self.position.place(cell, solution.cells()[cell].into());
            }
        }
    }
}
