//! The searches of the Sudoku kernel: they run rounds until no deduction is left, then guess. They work on one board and
//! stack the alternatives. One search finds all solutions up to a limit. The other finds a random solution of a board that has
//! many, to fill a grid at random.

use super::{
    choose::split,
    lanes::{LANES, Lanes, bit_of, bits_of_row, each_row},
    round::{Outcome, propagate},
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
    },
    sudoku::board::{CELLS, Grid},
};

/// The capacity reserved for stacked boards at the first guess. Hard puzzles need about ten; the maximum is 81.
const GUESSES_USUAL: usize = 16;

/// What to search for.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) puzzle: &'a Grid,
    /// A cell that must not have the digit of this grid.
    pub(super) forbidden: Option<(u8, &'a Grid)>,
    /// The number of solutions after which the search ends.
    pub(super) limit: usize,
    pub(super) found: Found<'a>,
}

/// The output of the search.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// The number of solutions alone.
    Counted,
    /// All of them, in their order.
    All(&'a mut Vec<Grid>),
    /// The one that reaches the limit.
    Last(&'a mut Option<Grid>),
}

/// The number of solutions, up to the limit. A node is a guess.
#[inline(always)]
pub(super) fn search<L: Lanes>(question: Question<'_>, budget: &mut Budget<'_>) -> Result<usize, OutOfBudget> {
    let Question { puzzle, forbidden, limit, mut found } = question;
    budget.check_cancelled()?;
    let mut board = L::load(puzzle.cells());
    if let Some((cell, holds)) = forbidden {
        let not = L::load(holds.cells());
        let at = bit_of(usize::from(cell));
        board = each_row!(R => board[R].replace(L::mask(bits_of_row(at, R)), board[R].and_not(not[R])));
    }
    let mut count = 0;
    let mut walk = Walk::new();
    walk.start(board);
    while count < limit
        && let Some(solution) = walk.next(budget)?
    {
        count += 1;
        match &mut found {
            Found::All(found) => found.push(grid(&solution)),
            Found::Last(found) if count == limit => **found = Some(grid(&solution)),
            Found::Counted | Found::Last(_) => {}
        }
    }
    Ok(count)
}

/// Iterates over the solutions of a board.
#[derive(Debug)]
pub(super) struct Walk<L> {
    next: Option<[L; 3]>,
    aside: Vec<[L; 3]>,
}

impl<L: Lanes> Walk<L> {
    pub(super) fn new() -> Self {
        Self { next: None, aside: Vec::new() }
    }

    /// Starts again with this board.
    #[inline(always)]
    pub(super) fn start(&mut self, board: [L; 3]) {
        self.aside.clear();
        self.next = if L::any_empty(&board) { None } else { Some(board) };
    }

    /// The next solution, if there is one more.
    #[inline(always)]
    pub(super) fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<[L; 3]>, OutOfBudget> {
        while let Some(mut board) = self.next.take().or_else(|| self.aside.pop()) {
            loop {
                match propagate(&mut board) {
                    Outcome::Open => {
                        budget.take_node()?;
                        if self.aside.capacity() == 0 {
                            self.aside.reserve(GUESSES_USUAL);
                        }
                        self.aside.push(split(&mut board));
                    }
                    Outcome::Solved => return Ok(Some(board)),
                    Outcome::Dead => break,
                }
            }
        }
        Ok(None)
    }
}

/// The digits of a solved board.
pub(super) fn grid<L: Lanes>(board: &[L; 3]) -> Grid {
    let mut cells = [0; CELLS];
    for (row, vector) in board.iter().enumerate() {
        for (position, set) in vector.sets().into_iter().enumerate().take(LANES) {
            cells[position / 9 * 27 + row * 9 + position % 9] =
                u8::try_from(set.trailing_zeros() + 1).expect("a set has 16 bits");
        }
    }
    Grid(cells)
}

/// The number of guesses after which a fill gives up, so that none takes long.
const GUESSES_MAX: u32 = 100;

/// A random solution of a puzzle that has many. Where no deduction is left, a random bit decides whether the chosen
/// cell takes its lowest candidate. `None` if the puzzle has no solution, or after too many guesses.
#[inline(always)]
pub(super) fn fill<L: Lanes>(puzzle: &Grid, rng: &mut Rng) -> Option<Grid> {
    let mut board = L::load(puzzle.cells());
    let mut aside = Vec::with_capacity(16);
    let mut coins = 0;
    for guesses in 0..GUESSES_MAX {
        match propagate(&mut board) {
            Outcome::Open => {
                if guesses % u64::BITS == 0 {
                    coins = rng.next_u64();
                }
                let mut other = split(&mut board);
                if coins >> (guesses % u64::BITS) & 1 == 1 {
                    std::mem::swap(&mut board, &mut other);
                }
                aside.push(other);
            }
            Outcome::Solved => return Some(grid(&board)),
            Outcome::Dead => board = aside.pop()?,
        }
    }
    None
}
