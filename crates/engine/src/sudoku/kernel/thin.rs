//! Thinning with a known solution: removes givens as long as the solution stays unique.
//!
//! The result is that of trying one orbit after the other. Three methods make it faster without changing it:
//! - A removal is tested with the cell's digit excluded, by asking for one solution.
//! - The first orbits can nearly always be removed, so they are tried together; if that fails, half as many. Orbits
//!   that can be removed together can be removed one by one, because more givens never give a second solution.
//! - Each second solution yields a set of cells that must not all be empty. A removal that would empty such a set is
//!   refused without a search.

use super::{
    lanes::{CellBits, Lanes, bit_of, bits_of_row, each_row},
    search::Walk,
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::{
        board::{CELLS, Grid},
        orbits::Orbit,
    },
};

/// The number of cells that are tried together first, and the numbers after each success. From the second number on,
/// about every other removal fails.
const TOGETHER: [u32; 3] = [34, 6, 2];

/// The input of a thinning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thinning<'a> {
    /// A full grid.
    pub(super) solution: &'a Grid,
    /// The orbits in the order in which their removal is tried.
    pub(super) order: &'a [Orbit],
}

/// Removes orbits from the solution, in order, if the solution stays unique. A node is a guess.
#[inline(always)]
pub(super) fn thin<L: Lanes>(thinning: Thinning<'_>, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
    let Thinning { solution, order } = thinning;
    let mut state = State::<L>::new(solution);
    let mut together = TOGETHER.into_iter();
    let mut cells_max = together.next().unwrap_or(1);
    let mut at = 0;
    while at < order.len() {
        budget.check_cancelled()?;
        let group = group(&order[at..], cells_max);
        if state.can_go(&order[at..at + group], budget)? {
            at += group;
            cells_max = together.next().unwrap_or(1);
        } else if group == 1 {
            at += 1;
        } else {
            cells_max /= 2;
        }
    }
    let mut puzzle = *solution;
    for cell in (0..CELLS).filter(|&cell| state.given & bit_of(cell) == 0) {
        puzzle.0[cell] = 0;
    }
    Ok(puzzle)
}

/// The number of leading orbits that together have at most this many cells; at least one.
fn group(order: &[Orbit], cells_max: u32) -> usize {
    let mut cells = 0;
    let fits = |orbit: &&Orbit| {
        cells += u32::from(orbit.size());
        cells <= cells_max
    };
    order.iter().take_while(fits).count().max(1)
}

fn bits(orbits: &[Orbit]) -> CellBits {
    orbits.iter().flat_map(Orbit::cells).fold(0, |bits, &cell| bits | bit_of(usize::from(cell)))
}

struct State<L> {
    solution: [L; 3],
    /// A board with all candidates in each cell.
    open: [L; 3],
    givens: [L; 3],
    given: CellBits,
    /// Sets of cells, each of which must contain a given.
    unavoidable: Vec<CellBits>,
    walk: Walk<L>,
}

impl<L: Lanes> State<L> {
    #[inline(always)]
    fn new(solution: &Grid) -> Self {
        let full = L::load(solution.cells());
        Self {
            solution: full,
            open: L::load(Grid::EMPTY.cells()),
            givens: full,
            given: (1 << CELLS) - 1,
            unavoidable: Vec::with_capacity(CELLS),
            walk: Walk::new(),
        }
    }

    /// Removes some orbits, unless that gives a second solution. Returns whether they were removed.
    #[inline(always)]
    fn can_go(&mut self, orbits: &[Orbit], budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let leaving = bits(orbits);
        let left = self.given & !leaving;
        if self.unavoidable.iter().any(|set| set & left == 0) {
            return Ok(false);
        }
        let mut thinner = each_row!(R => self.givens[R].replace(L::mask(bits_of_row(leaving, R)), self.open[R]));
        // Each cell of a small group is tried in turn with its digit excluded and the digits of the cells before it
        // fixed.
        let in_turn = if leaving.count_ones() <= 2 { leaving } else { 0 };
        let mut cells_left = in_turn;
        let emptied = thinner;
        loop {
            let cell = cells_left & cells_left.wrapping_neg();
            let at = each_row!(R => L::mask(bits_of_row(cell, R)));
            self.walk.start(each_row!(R => thinner[R].replace(at[R], self.open[R].and_not(self.solution[R]))));
            while let Some(found) = self.walk.next(budget)? {
                let differ = each_row!(R => CellBits::from(found[R].differ(self.solution[R])));
                let differ = differ[0] | differ[1] << 27 | differ[2] << 54;
                if differ != 0 {
                    self.unavoidable.push(differ);
                    return Ok(false);
                }
            }
            thinner = each_row!(R => thinner[R].replace(at[R], self.solution[R]));
            cells_left &= !cell;
            if cells_left == 0 {
                break;
            }
        }
        self.givens = emptied;
        self.given = left;
        Ok(true)
    }
}
