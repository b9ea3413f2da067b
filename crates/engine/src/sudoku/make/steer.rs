//! Steers one try from a random grid to its goal, as its row in `steering.rs` says: makes candidate puzzles, filters them, and
//! finishes those that pass.

use super::{
    goal::{Goal, Look},
    steering::{EASED_BY_MAX, EASED_TRIED, FILTERED_MAX, Filter, Finish, NEAR_MAX, RARE_ONE_IN, Row, Source},
    thin::{remove_if_unique, thin_along, thin_fully, thin_scattered, thin_to},
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
    },
    sudoku::{board::Grid, orbits::Orbit, techniques::class},
};

/// The maximum number of orbits that one move puts back.
const PUT_BACK: usize = 2;

/// A try that starts from a random grid.
pub(in crate::sudoku) struct Steering<'a> {
    pub(in crate::sudoku) goal: &'a Goal,
    pub(in crate::sudoku) row: &'a Row,
    pub(in crate::sudoku) solution: &'a Grid,
    pub(in crate::sudoku) orbits: &'a [Orbit],
}

impl Steering<'_> {
    /// The first puzzle that seems to reach the goal, or else the last one examined.
    ///
    /// # Errors
    /// [`OutOfBudget`] if a removal could not be decided, or if the try was cancelled.
    pub(in crate::sudoku) fn puzzle(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        let puzzle = self.candidate(rng, budget)?;
        match self.row.finish {
            Finish::Prove => Ok(puzzle),
            Finish::Rate { ratings_max, eases_all } => self.rated(puzzle, ratings_max, eases_all, rng, budget),
            Finish::Move { ratings_max } => self.moved(puzzle, ratings_max, rng, budget),
        }
    }

    /// The next puzzle that passes the filter, or else the last one that did not.
    fn candidate(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        let mut puzzle = self.thinned(rng, budget)?;
        for _ in 1..FILTERED_MAX {
            if self.passes(&puzzle, budget)? {
                break;
            }
            puzzle = self.thinned(rng, budget)?;
        }
        Ok(puzzle)
    }

    fn thinned(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        match self.row.source {
            Source::Starter | Source::Thinned => thin_fully(self.solution, self.orbits, rng, budget),
            Source::Scattered => thin_scattered(self.solution, self.orbits, rng, budget),
            Source::ThinnedToNumber => thin_to(self.solution, self.orbits, self.goal.givens.unwrap_or(0), rng, budget),
        }
    }

    fn passes(&self, puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        match (self.row.filter, &self.goal.classes) {
            (Filter::HardEnough, _) => self.goal.is_hard_enough(puzzle, budget),
            (Filter::Class, Some(classes)) => Ok(classes.contains(&class(puzzle, *classes.end(), budget)?)),
            (Filter::Class, None) | (Filter::All, _) => Ok(true),
        }
    }

    /// The puzzle nearest to the goal that moving a few givens can reach.
    fn moved(
        &self,
        puzzle: Grid,
        ratings_max: u32,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Grid, OutOfBudget> {
        let givens = self.goal.givens.unwrap_or(0);
        let (mut distance, mut here) = (self.goal.distance(&puzzle, budget)?, puzzle);
        for _ in 1..ratings_max {
            if distance == 0 {
                break;
            }
            // The removal of the givens just put back is tried last, so that others are removed instead. The result may have
            // more than the wanted number of givens, but such a puzzle is far from any goal.
            let (fuller, order) = put_back_some(&here, (self.solution, self.orbits), rng);
            let moved = thin_along(fuller, self.solution, order, givens, budget)?;
            let there = self.goal.distance(&moved, budget)?;
            if there <= distance {
                (distance, here) = (there, moved);
            }
        }
        Ok(here)
    }

    /// The first rated puzzle that reaches the goal, or else the last one rated. Neighbors of a puzzle with a rare step are
    /// rated before new puzzles.
    fn rated(
        &self,
        mut puzzle: Grid,
        ratings_max: u32,
        eases_all: bool,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Grid, OutOfBudget> {
        let (mut near, mut looks, mut fresh, mut wanted) = (None, 0, 0, 0);
        loop {
            let look = self.goal.look(&puzzle, budget)?;
            looks += 1;
            if self.goal.is_reached(&look) {
                return Ok(puzzle);
            }
            if near.is_none() {
                fresh += 1;
                wanted += u32::from(look.has_wanted());
            }
            let has_rare = look.is_too_hard() && look.has_wanted() && fresh >= wanted * RARE_ONE_IN;
            let is_to_ease = has_rare || look.is_too_hard() && eases_all;
            if is_to_ease && let Some(eased) = self.ease(&puzzle, &look, (&mut looks, ratings_max), rng, budget)? {
                return Ok(eased);
            }
            if looks >= ratings_max {
                return Ok(puzzle);
            }
            near = match near {
                _ if has_rare => Some((puzzle, 0)),
                Some((puzzle, misses)) if misses < NEAR_MAX => Some((puzzle, misses + 1)),
                _ => None,
            };
            puzzle = match near {
                Some((near, _)) => neighbor(&near, (self.solution, self.orbits), rng, budget)?,
                None => self.candidate(rng, budget)?,
            };
        }
    }

    /// Eases a puzzle: puts back orbits that are still open where the puzzle became too hard, and continues the climb from
    /// there, until it is solved. Returns the puzzle if it also reaches the goal from its start.
    fn ease(
        &self,
        puzzle: &Grid,
        look: &Look,
        (looks, ratings_max): (&mut u32, u32),
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
                self.goal.resume(&mut there, budget)?;
                *looks += 1;
                if there.is_too_hard() {
                    let left = there.left();
                    if best.as_ref().is_none_or(|(fewest, ..)| left < *fewest) {
                        best = Some((left, fuller, there));
                    }
                } else if self.goal.is_reached(&there) {
                    let from_start = self.goal.look(&fuller, budget)?;
                    *looks += 1;
                    if self.goal.is_reached(&from_start) {
                        return Ok(Some(fuller));
                    }
                }
                if *looks >= ratings_max {
                    return Ok(None);
                }
            }
            let Some((_, fuller, there)) = best else { return Ok(None) };
            (puzzle, here) = (fuller, there);
        }
        Ok(None)
    }
}

/// A neighbor of a puzzle: puts orbits back, then removes every orbit that can be removed. The order is random, but the orbits
/// just put back come last. Puzzles that need a rare step often have neighbors that need it too.
fn neighbor(
    puzzle: &Grid,
    (solution, orbits): (&Grid, &[Orbit]),
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let (mut moved, order) = put_back_some(puzzle, (solution, orbits), rng);
    for orbit in &order {
        remove_if_unique(&mut moved, solution, orbit, budget)?;
    }
    Ok(moved)
}

/// Puts a few orbits back. Returns the puzzle and its given orbits in random order, with those just put back at the end.
fn put_back_some(puzzle: &Grid, (solution, orbits): (&Grid, &[Orbit]), rng: &mut Rng) -> (Grid, Vec<Orbit>) {
    let mut order = orbits.to_vec();
    rng.shuffle(&mut order);
    let is_given = |puzzle: &Grid, orbit: &Orbit| puzzle.cells()[usize::from(orbit.cells()[0])] != 0;
    let (mut given, mut back): (Vec<_>, Vec<_>) = order.into_iter().partition(|orbit| is_given(puzzle, orbit));
    back.truncate(PUT_BACK);
    let mut fuller = *puzzle;
    for &cell in back.iter().flat_map(Orbit::cells) {
        fuller.0[usize::from(cell)] = solution.cells()[usize::from(cell)];
    }
    given.append(&mut back);
    (fuller, given)
}
