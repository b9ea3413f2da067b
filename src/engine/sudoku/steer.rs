//! Moves towards a goal that a rating alone does not tell: a technique that must be needed, or a level with a fixed number
//! of givens. Puzzles near a puzzle that is nearly right are right far more often than fresh ones.

use super::{
    board::Grid,
    goal::Goal,
    harden::{neighbour, put_back_some},
    orbits::Orbit,
    thin::thin_along,
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
};

/// Puzzles that one try looks at. With the bound on the rating of each this bounds its work.
const LOOKS_MAX: u32 = 200;

/// One try's way to its goal.
pub(super) struct Steering<'a> {
    pub(super) goal: &'a Goal,
    pub(super) solution: &'a Grid,
    pub(super) orbits: &'a [Orbit],
}

impl Steering<'_> {
    /// The puzzle nearest to the goal that was found. Without a number of givens `puzzle` has to be thinned fully.
    ///
    /// # Errors
    /// [`OutOfBudget`] if some removal could not be decided, or the flag is up.
    pub(super) fn run(&self, puzzle: Grid, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        let mut best = (self.goal.distance(&puzzle, budget)?, puzzle);
        let (mut here, mut looks) = (best, 1);
        let is_free = self.goal.clues().is_none();
        while best.0 > 0 && looks < LOOKS_MAX {
            if is_free && Goal::is_used_at(here.0) {
                let eased = self.ease(here, &mut looks, rng, budget)?;
                best = if eased.0 < best.0 { eased } else { best };
            }
            let moved = self.moved(&here.1, rng, budget)?;
            let distance = self.goal.distance(&moved, budget)?;
            looks += 1;
            // Where the number of givens is open, a puzzle that uses the technique has had its chance: on to others that do.
            if distance <= here.0 || (is_free && Goal::is_used_at(distance)) {
                here = (distance, moved);
            }
            best = if here.0 < best.0 { here } else { best };
        }
        Ok(best.1)
    }

    fn moved(&self, puzzle: &Grid, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
        let Some(clues) = self.goal.clues() else { return neighbour(puzzle, self.solution, self.orbits, rng, budget) };
        // What was put back goes last, so that others go in its place; it may end above the number, which is far from any goal.
        let (fuller, order) = put_back_some(puzzle, self.solution, self.orbits, rng);
        thin_along(fuller, self.solution, order, clues, budget)
    }

    /// Puts orbits back into a puzzle that uses the technique, one after the other, as long as that brings it nearer: what
    /// is harder than the technique goes, and with luck the technique stays.
    fn ease(
        &self,
        from: (u32, Grid),
        looks: &mut u32,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<(u32, Grid), OutOfBudget> {
        let mut eased = from;
        let mut order = self.orbits.to_vec();
        rng.shuffle(&mut order);
        for orbit in order {
            if eased.0 == 0 || *looks >= LOOKS_MAX {
                break;
            }
            let mut fuller = eased.1;
            for &cell in orbit.cells() {
                fuller.0[usize::from(cell)] = self.solution.cells()[usize::from(cell)];
            }
            // A full grid is no puzzle.
            if fuller == eased.1 || fuller == *self.solution {
                continue;
            }
            let distance = self.goal.distance(&fuller, budget)?;
            *looks += 1;
            if distance <= eased.0 {
                eased = (distance, fuller);
            }
        }
        Ok(eased)
    }
}
