//! Decides whether dynamic chains (chains that branch) solve a puzzle. This tells most puzzles above ER 9.4 from easier ones in
//! half a millisecond, which is much faster than a rating.
//!
//! To follow a candidate's consequences, the search places the candidate and fills singles, until no single is left, or
//! until a cell or a digit in a house has no candidate.

use std::sync::LazyLock;

use puzzled_engine::{
    shared::level::Tenths,
    sudoku::{
        board::{CELLS, Grid},
        tools::Position,
    },
};

use crate::common::{budget, start};

/// The hardest rating of the steps that are searched for when chains find nothing.
const PATTERNS: Tenths = Tenths(62);

/// By digit, the set of cells that hold it or may hold it.
type Left = [u128; 10];

/// The cells of each row, column, and box, as sets.
static HOUSES: LazyLock<[u128; 27]> = LazyLock::new(|| {
    std::array::from_fn(|house| {
        let is_in = |cell: &usize| match house {
            0..9 => cell / 9 == house,
            9..18 => cell % 9 == house - 9,
            _ => cell / 27 * 3 + cell % 9 / 3 == house - 18,
        };
        (0..CELLS).filter(is_in).fold(0, |cells, cell| cells | one(cell))
    })
});

/// The set that contains only this cell; bit n is cell n.
pub(crate) fn one(cell: usize) -> u128 {
    1 << cell
}

/// The cells of a set, in reading order.
pub(crate) fn cells(set: u128) -> impl Iterator<Item = usize> + Clone {
    (0..CELLS).filter(move |cell| set >> cell & 1 == 1)
}

/// Whether a puzzle needs more than dynamic chains, such as patterns inside their branches. The loop ends because each
/// round fills a cell or removes a candidate.
pub(crate) fn outlasts_dynamic(puzzle: &Grid) -> bool {
    let (mut position, mut budget) = (start(puzzle), budget());
    loop {
        while position.fill_singles() || position.lock() {}
        if position.empty() == 0 {
            return false;
        }
        if !(position.refute_each() || by_chains(&mut position) || position.climb_up_to(PATTERNS, &mut budget)) {
            return true;
        }
    }
}

/// Removes every candidate that leads to a contradiction. If there is none, calls [`remove_common`]. Returns whether
/// any candidate was removed.
fn by_chains(position: &mut Position) -> bool {
    let (mut has_refuted, mut lefts, mut index) = (false, Vec::with_capacity(256), [[0; CELLS]; 10]);
    for (digit, index) in index.iter_mut().enumerate().skip(1) {
        for cell in cells(position.of_digit(digit)) {
            index[cell] = lefts.len();
            if let Some(left) = left_by(position, cell, digit) {
                lefts.push(left);
            } else {
                position.remove(digit, one(cell));
                has_refuted = true;
            }
        }
    }
    has_refuted || remove_common(position, |digit, cell| &lefts[index[digit][cell]])
}

/// The candidates that remain after placing one and filling singles; `None` if that leads to a contradiction.
fn left_by(position: &Position, cell: usize, digit: usize) -> Option<Left> {
    let mut after = position.clone();
    after.place(cell, digit);
    while after.fill_singles() {}
    let mut left: Left = std::array::from_fn(|digit| if digit == 0 { 0 } else { after.of_digit(digit) });
    if after.empty() & !left.iter().fold(0, |any, left| any | left) != 0 {
        return None;
    }
    for cell in cells(position.empty() & !after.empty()) {
        left[usize::from(after.grid().cells()[cell])] |= one(cell);
    }
    let has_place = |digit: usize| {
        let open = position.of_digit(digit);
        HOUSES.iter().all(|house| house & open == 0 || house & left[digit] != 0)
    };
    (1..10).all(has_place).then_some(left)
}

/// Removes each candidate that is excluded by every candidate of some cell, or by every place of a digit in some house.
/// Returns whether any candidate was removed.
fn remove_common<'a>(position: &mut Position, left: impl Fn(usize, usize) -> &'a Left) -> bool {
    let mut kept = [u128::MAX; 10];
    let mut keep = |of: &mut dyn Iterator<Item = &'a Left>| {
        let mut any = [0; 10];
        for left in of {
            any.iter_mut().zip(left).for_each(|(any, left)| *any |= left);
        }
        kept.iter_mut().zip(any).for_each(|(kept, any)| *kept &= any);
    };
    for cell in cells(position.empty()) {
        let candidates = position.of_cell(cell);
        keep(&mut (1..10).filter(|digit| candidates >> digit & 1 == 1).map(|digit| left(digit, cell)));
    }
    for (house, digit) in HOUSES.iter().flat_map(|house| (1..10).map(move |digit| (house, digit))) {
        let places = house & position.of_digit(digit);
        if places != 0 {
            keep(&mut cells(places).map(|cell| left(digit, cell)));
        }
    }
    let before = position.count();
    for (digit, kept) in kept.into_iter().enumerate().skip(1) {
        position.remove(digit, position.of_digit(digit) & !kept);
    }
    position.count() < before
}
