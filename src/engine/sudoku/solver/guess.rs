//! What to guess when nothing follows any more.

use super::candidates::{ALL, Bands, Candidates, cells_of, zip};
use crate::engine::sudoku::board::HOUSES;

/// A candidate to try; the other branch is that it is not so.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guess {
    pub(super) cell: usize,
    /// Counted from 0.
    pub(super) digit: usize,
}

impl Guess {
    /// A candidate of a state that is not solved and has no singles.
    #[inline]
    pub(super) fn choose(state: &Candidates) -> Self {
        let [two, three] = cells_with_few(state);
        let first = |cells: Bands| cells_of(cells).next();
        if let Some(cell) = first(two) {
            return Self::in_cell(state, cell);
        }
        two_places(state).unwrap_or_else(|| {
            let cell = first(three).or_else(|| fewest(state)).unwrap_or(0);
            Self::in_cell(state, cell)
        })
    }

    fn in_cell(state: &Candidates, cell: usize) -> Self {
        Self { cell, digit: (0..9).find(|&digit| state.has(cell, digit)).unwrap_or(0) }
    }
}

/// The cells with exactly two, and with exactly three candidates.
#[inline]
fn cells_with_few(state: &Candidates) -> [Bands; 2] {
    let [mut once, mut twice, mut thrice, mut more] = [[0; 4]; 4];
    for &cells in &state.digits {
        more = zip(more, zip(thrice, cells, |a, b| a & b), |a, b| a | b);
        thrice = zip(thrice, zip(twice, cells, |a, b| a & b), |a, b| a | b);
        twice = zip(twice, zip(once, cells, |a, b| a & b), |a, b| a | b);
        once = zip(once, cells, |a, b| a | b);
    }
    [zip(twice, thrice, |a, b| a & !b), zip(thrice, more, |a, b| a & !b)]
}

/// A digit with two places in a house.
fn two_places(state: &Candidates) -> Option<Guess> {
    HOUSE_MASKS.iter().find_map(|house| {
        state.digits.iter().enumerate().find_map(|(digit, &cells)| {
            let places = zip(cells, *house, |cells, house| cells & house);
            let number: u32 = places.iter().map(|band| band.count_ones()).sum();
            if number == 2 { cells_of(places).next().map(|cell| Guess { cell, digit }) } else { None }
        })
    })
}

/// The open cell with the fewest candidates.
fn fewest(state: &Candidates) -> Option<usize> {
    cells_of(zip(state.open, ALL, |open, all| open & all))
        .min_by_key(|&cell| (0..9).filter(|&digit| state.has(cell, digit)).count())
}

/// The cells of each house.
const HOUSE_MASKS: [Bands; 27] = {
    let mut masks = [[0; 4]; 27];
    let mut house = 0;
    while house < 27 {
        let mut at = 0;
        while at < 9 {
            let cell = HOUSES[house][at] as usize;
            masks[house][cell / 27] |= super::candidates::bit(cell);
            at += 1;
        }
        house += 1;
    }
    masks
};
