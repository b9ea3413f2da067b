//! Finds puzzles that dynamic chains do not solve, by random walks among masks. Here, a mask has the open cells of a pattern of givens: 36 cells,
//! four in each house, that can be filled with four digits. In its puzzles, nearly all cells of the mask are empty, and all others are given.
//!
//! The number of ways to fill a mask, apart from renaming the digits, predicts how hard its puzzles are. With one way,
//! one puzzle in ten needs dynamic chains; with thirty ways, one in fifty thousand does. A walk therefore stays among
//! masks with few ways. On a walk, one in 350 of the puzzles that need dynamic chains needs more than that.

use std::collections::BTreeSet;

use puzzled_engine::{
    shared::rng::Rng,
    sudoku::{board::Grid, kernel::Kernel, make::grids::random_grid, techniques::Class},
};

use crate::{
    common::{Puzzled, budget, class_of, with},
    dynamic::{cells, one, outlasts_dynamic},
    few_digits::{DIGITS, cells_of_few_digits, late, thinned},
};

/// A set of cells; bit n is cell n.
type Cells = u128;

/// The maximum number of ways to fill a mask at the first move of a walk. Later, it is the number of the last mask.
const WAYS_AT_FIRST: usize = 30;
/// This maximum does not fall below this number.
const WAYS_MAX_LOWEST: usize = 2;

/// The maximum number of digits that the search for these ways places. A mask that needs more is skipped.
const NODES_MAX: u32 = 4_000;

/// Moves that one walk tries; most of them are impossible.
const MOVES: u32 = 1_000_000;

/// The puzzles of one walk that dynamic chains do not solve. Each is returned as it stands after its easier steps.
pub(crate) fn walk(rng: &mut Rng) -> Vec<Puzzled> {
    let (mut mask, mut ways_max) = (start(rng), WAYS_AT_FIRST);
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for _ in 0..MOVES {
        let Some(next) = moved(mask, rng) else { continue };
        let ways = Ways::of(next, ways_max);
        if ways.is_empty() {
            continue;
        }
        (mask, ways_max) = (next, ways.len().max(WAYS_MAX_LOWEST));
        for way in ways {
            let Some(there) = puzzled(mask, &way, rng) else { continue };
            if class_of(&there.puzzle, Class::Dynamic) == Class::Dynamic
                && outlasts_dynamic(&there.puzzle)
                && seen.insert((mask, way))
            {
                found.push(Puzzled { puzzle: late(&there.puzzle).0, ..there });
            }
        }
    }
    found
}

/// The mask of the first random puzzle with four open digits that needs dynamic chains.
fn start(rng: &mut Rng) -> Cells {
    loop {
        let solution = random_grid(rng);
        let of_digits = cells_of_few_digits(&solution, rng);
        let puzzle = thinned(&solution, &of_digits, rng);
        if class_of(&puzzle, Class::Dynamic) == Class::Dynamic {
            return of_digits.iter().map(|cell| one(usize::from(cell.cells()[0]))).fold(0, |mask, cell| mask | cell);
        }
    }
}

/// Replaces two opposite corners of a rectangle within a band or stack by the other two. `None` if the chosen cells do not allow
/// that.
fn moved(mask: Cells, rng: &mut Rng) -> Option<Cells> {
    let is_in_band = rng.index(2) == 0;
    let line = rng.index(9);
    let other_line = line / 3 * 3 + (line + 1 + rng.index(2)) % 3;
    let [place, other_place] = [rng.index(9), rng.index(9)];
    let cell = |line: usize, place: usize| one(if is_in_band { 9 * line + place } else { 9 * place + line });
    let gone = cell(line, place) | cell(other_line, other_place);
    let new = cell(line, other_place) | cell(other_line, place);
    (place != other_place && mask & gone == gone && mask & new == 0).then_some(mask & !gone | new)
}

/// A puzzle from one way to fill a mask, with just enough random givens in the mask to leave one solution.
fn puzzled(mask: Cells, way: &Grid, rng: &mut Rng) -> Option<Puzzled> {
    let solution = Kernel::fastest().fill(way, rng)?;
    let (mut puzzle, mut order) = (solution, cells(mask).collect::<Vec<_>>());
    for &cell in &order {
        puzzle = with(&puzzle, cell, 0);
    }
    rng.shuffle(&mut order);
    loop {
        let solutions = Kernel::fastest().solutions(&puzzle, 2, &mut budget()).expect("the budget is enough");
        let Some(other) = solutions.iter().find(|other| **other != solution) else {
            return Some(Puzzled { puzzle, solution });
        };
        let cell = *order.iter().find(|&&cell| other.cells()[cell] != solution.cells()[cell])?;
        puzzle = with(&puzzle, cell, solution.cells()[cell]);
    }
}

/// A search for the ways to fill a mask, from its first cell to its last.
struct Ways {
    cells: Vec<usize>,
    grid: Grid,
    /// The digits placed in each row, column, and box; bit n is the n-th digit.
    set: [[u8; 9]; 3],
    nodes: u32,
    max: usize,
    found: Vec<Grid>,
}

impl Ways {
    /// All ways to fill a mask, apart from renaming the digits. Empty if there are more than `max`, or if the search exceeds
    /// [`NODES_MAX`].
    fn of(mask: Cells, max: usize) -> Vec<Grid> {
        let cells = cells(mask).collect();
        let mut ways = Self { cells, grid: Grid::EMPTY, set: [[0; 9]; 3], nodes: NODES_MAX, max, found: Vec::new() };
        ways.fill_from(0);
        if ways.nodes == 0 || ways.found.len() > max { Vec::new() } else { ways.found }
    }

    fn fill_from(&mut self, at: usize) {
        let Some(&cell) = self.cells.get(at) else { return self.found.push(self.grid) };
        let (row, column) = (cell / 9, cell % 9);
        let house_of = [row, column, row / 3 * 3 + column / 3];
        let taken = self.set.iter().zip(house_of).fold(0, |taken, (set, house)| taken | set[house]);
        for digit in 0..DIGITS {
            // The digits of the first row are in order, so no two ways differ only in the names of digits.
            if taken >> digit & 1 == 1 || at < DIGITS && digit != at {
                continue;
            }
            if self.nodes == 0 || self.found.len() > self.max {
                return;
            }
            self.nodes -= 1;
            self.grid = with(&self.grid, cell, u8::try_from(digit + 1).expect("four digits"));
            self.set.iter_mut().zip(house_of).for_each(|(set, house)| set[house] ^= 1 << digit);
            self.fill_from(at + 1);
            self.set.iter_mut().zip(house_of).for_each(|(set, house)| set[house] ^= 1 << digit);
        }
        self.grid = with(&self.grid, cell, 0);
    }
}
