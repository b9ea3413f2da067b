//! Finds a random solution of a board that has many, to fill a grid at random.

use super::{
    choose::split,
    lanes::Lanes,
    round::{Outcome, propagate},
    search::grid,
};
use crate::{shared::rng::Rng, sudoku::board::Grid};

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
