//! Taking givens away with the solution at hand.
//!
//! The outcome is that of trying one orbit after the other; what makes it fast changes nothing in it:
//! - a removal is tested by forbidding the cell what it held, and asking for one solution;
//! - the first orbits of the order can nearly always go, so they are tried together; if that fails, half as many. What can
//!   go together can go one by one, since more givens never make a second solution;
//! - each second solution shows a set of cells that must not all be empty. A removal that would empty a set seen before is
//!   refused without a search.

use super::{
    lanes::{CellBits, Lanes, bit_of, bits_of_row, each_row},
    search::Walk,
};
use crate::{
    budget::{Budget, OutOfBudget},
    sudoku::{
        board::{CELLS, Grid},
        orbits::Orbit,
    },
};

/// Cells tried together first, and after each success. Beyond the second number about every other removal fails.
const TOGETHER: [u32; 3] = [34, 6, 2];

/// What to thin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thinning<'a> {
    /// A full grid.
    pub(super) solution: &'a Grid,
    /// What is emptied together, in the order of trying.
    pub(super) order: &'a [Orbit],
}

/// The solution without each orbit, in order, that can go without a second solution. A node is a guess.
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

/// Number of orbits that make up so many cells; at least one.
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
    /// All candidates in each cell.
    open: [L; 3],
    givens: [L; 3],
    given: CellBits,
    /// Sets of cells of which one at least has to be given.
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

    /// Empties some orbits, unless that makes a second solution.
    #[inline(always)]
    fn can_go(&mut self, orbits: &[Orbit], budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let leaving = bits(orbits);
        let left = self.given & !leaving;
        if self.unavoidable.iter().any(|set| set & left == 0) {
            return Ok(false);
        }
        let mut thinner = each_row!(R => self.givens[R].replace(L::mask(bits_of_row(leaving, R)), self.open[R]));
        // Each cell of a small group in turn is told what it must not be, and those before it what they must.
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
