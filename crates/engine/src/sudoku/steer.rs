//! One try's way to its goal: puzzles of one grid are looked at until one reaches it. Of goals that are rare, those that have what
//! is wanted but are too hard are eased from the step on where they became so, and others near them are looked at; those of
//! the hardest goals are told from others by the sort of chains that they need, before they are rated.

use super::{
    board::Grid,
    goal::{Goal, Look, Reach},
    moves::{neighbour, put_back_some},
    orbits::Orbit,
    scattered::thin_scattered,
    techniques::sort,
    thin::{thin_along, thin_fully},
};
use crate::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
};

/// Looks of one try, each at most one climb. With the bound on each climb this bounds its work.
const LOOKS_MAX: u32 = 200;

/// Looks of one try at puzzles of a hard sort: they take some ten milliseconds each, and to find such a puzzle a few.
const LOOKS_SORTED_MAX: u32 = 40;

/// Puzzles whose sort is told for one look, each some two hundred microseconds: ten to forty are usual, and some five hundred for
/// Aligned Triplet Exclusion.
const SORTED_MAX: u32 = 2_000;

/// What one fresh puzzle in so many has, or more, is not rare.
const COMMON_FROM: u32 = 10;

/// Puzzles near one that has what is wanted, before it is given up.
const NEAR_MAX: u32 = 12;

/// Orbits that easing puts back at most, and those that it tries for each.
const EASED_BY_MAX: u32 = 12;
const EASED_TRIED: usize = 6;

/// One try's way to its goal.
pub(super) struct Steering<'a> {
    pub(super) goal: &'a Goal,
    pub(super) solution: &'a Grid,
    pub(super) orbits: &'a [Orbit],
}

impl Steering<'_> {
    /// The puzzle nearest to a goal with a number of givens that was found.
    ///
    /// # Errors
    /// [`OutOfBudget`] if some removal could not be decided, or the flag is up.
    pub(super) fn with_clues(
        &self,
        puzzle: Grid,
        clues: u16,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<(Grid, Reach), OutOfBudget> {
        let (mut distance, mut here) = (self.goal.distance(&puzzle, budget)?, puzzle);
        for _ in 1..LOOKS_MAX {
            if distance == 0 {
                break;
            }
            // What was put back goes last, so that others go in its place; it may end above the number, which is far from any goal.
            let (fuller, order) = put_back_some(&here, (self.solution, self.orbits), rng);
            let moved = thin_along(fuller, self.solution, order, clues, budget)?;
            let there = self.goal.distance(&moved, budget)?;
            if there <= distance {
                (distance, here) = (there, moved);
            }
        }
        Ok((here, Reach::known(distance == 0)))
    }

    /// The first puzzle found that reaches a goal, or the last one that was looked at. Where its sort of chains says as good as
    /// all, or that it is not too easy, the rating is left to the proof.
    ///
    /// # Errors
    /// [`OutOfBudget`] if some removal could not be decided, or the flag is up.
    pub(super) fn freely(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<(Grid, Reach), OutOfBudget> {
        if self.goal.is_common() {
            return self.hard_enough(rng, budget);
        }
        let (mut puzzle, is_of_sort) = self.start(rng, budget)?;
        if self.goal.is_sorted() {
            return Ok((puzzle, if is_of_sort { Reach::Likely } else { Reach::No }));
        }
        let looks_max = if self.goal.sorts().is_some() { LOOKS_SORTED_MAX } else { LOOKS_MAX };
        let (mut near, mut looks, mut fresh, mut wanted) = (None, 0, 0, 0);
        loop {
            let look = self.goal.look(&puzzle, budget)?;
            looks += 1;
            if self.goal.is_reached(&look, budget)? {
                return Ok((puzzle, Reach::Yes));
            }
            if near.is_none() {
                fresh += 1;
                wanted += u32::from(look.has_wanted());
            }
            // Where what is wanted is common, a fresh puzzle costs less than to ease this one.
            let has_rare = look.is_too_hard() && look.has_wanted() && fresh >= wanted * COMMON_FROM;
            let is_to_ease = has_rare || (look.is_too_hard() && self.goal.is_eased());
            if is_to_ease && let Some(eased) = self.ease(&puzzle, &look, &mut looks, rng, budget)? {
                return Ok((eased, Reach::Yes));
            }
            if looks >= looks_max {
                return Ok((puzzle, Reach::No));
            }
            near = match near {
                _ if has_rare => Some((puzzle, 0)),
                Some((puzzle, misses)) if misses < NEAR_MAX => Some((puzzle, misses + 1)),
                _ => None,
            };
            puzzle = match near {
                Some((near, _)) => neighbour(&near, (self.solution, self.orbits), rng, budget)?,
                None => self.start(rng, budget)?.0,
            };
        }
    }

    /// A puzzle that steps below the wanted ratings do not solve.
    fn hard_enough(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<(Grid, Reach), OutOfBudget> {
        for _ in 1..LOOKS_MAX {
            let puzzle = thin_fully(self.solution, self.orbits, rng, budget)?;
            if self.goal.is_hard_enough(&puzzle, budget)? {
                return Ok((puzzle, Reach::Likely));
            }
        }
        Ok((thin_fully(self.solution, self.orbits, rng, budget)?, Reach::No))
    }

    /// A puzzle to look at: for hard goals one that needs such chains; whether it does.
    fn start(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<(Grid, bool), OutOfBudget> {
        let Some(sorts) = self.goal.sorts() else {
            return Ok((thin_fully(self.solution, self.orbits, rng, budget)?, true));
        };
        let mut puzzle = thin_scattered(self.solution, self.orbits, rng, budget)?;
        for _ in 1..SORTED_MAX {
            if sorts.contains(&sort(&puzzle, *sorts.end(), budget)?) {
                return Ok((puzzle, true));
            }
            puzzle = thin_scattered(self.solution, self.orbits, rng, budget)?;
        }
        Ok((puzzle, false))
    }

    /// Puts orbits back of which some cell is open where the puzzle became too hard, and goes on from there, until it is
    /// solved; the puzzle, if it reaches the goal from the start too.
    fn ease(
        &self,
        puzzle: &Grid,
        look: &Look,
        looks: &mut u32,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Grid>, OutOfBudget> {
        let (mut puzzle, mut here) = (*puzzle, look.clone());
        for _ in 0..EASED_BY_MAX {
            let mut open: Vec<_> = self.orbits.iter().filter(|orbit| here.is_open_in(orbit.cells())).collect();
            rng.shuffle(&mut open);
            let mut best: Option<(u32, Grid, Look)> = None;
            for orbit in open.into_iter().take(EASED_TRIED) {
                let (mut fuller, mut there) = (puzzle, here.clone());
                for &cell in orbit.cells() {
                    fuller.0[usize::from(cell)] = self.solution.cells()[usize::from(cell)];
                }
                there.place(self.solution, orbit.cells());
                self.goal.go_on(&mut there, budget)?;
                *looks += 1;
                if there.is_too_hard() {
                    let left = there.left();
                    if best.as_ref().is_none_or(|(fewest, ..)| left < *fewest) {
                        best = Some((left, fuller, there));
                    }
                } else if self.goal.may_be_reached(&there) {
                    let from_start = self.goal.look(&fuller, budget)?;
                    *looks += 1;
                    if self.goal.is_reached(&from_start, budget)? {
                        return Ok(Some(fuller));
                    }
                }
                if *looks >= LOOKS_MAX {
                    return Ok(None);
                }
            }
            let Some((_, fuller, there)) = best else { return Ok(None) };
            (puzzle, here) = (fuller, there);
        }
        Ok(None)
    }
}
