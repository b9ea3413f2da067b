//! What follows from a candidate by chains that branch: the singles that it leaves are filled, until something has no
//! candidate left or there are no more singles. By it the searches for starters tell the puzzles above 9.4.

use super::{
    super::{
        candidates::Candidates,
        geometry::{Cells, HOUSE_CELLS, bits, cells, one},
    },
    fill_singles,
    implied::refute_each,
    lock, patterns, remove,
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    sudoku::board::{CELLS, Grid},
};

/// By digit, where it may be or is.
type Left = [Cells; 10];

/// Whether chains that branch do not solve a puzzle, so that it needs further chains or patterns in their branches: a
/// millisecond or two, where its rating takes up to half a second. Ends, since each round fills a cell or removes a candidate.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub(crate) fn outlasts_dynamic(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
    let mut position = Candidates::of(puzzle).ok_or(OutOfBudget::Nodes)?;
    loop {
        budget.check_cancelled()?;
        while fill_singles(&mut position) || lock(&mut position) {}
        if position.is_solved() {
            return Ok(false);
        }
        if !(refute_each(&mut position) || dynamic(&mut position) || patterns(&mut position, budget)) {
            return Ok(true);
        }
    }
}

/// Removes every candidate that contradicts itself, or if there is none, what falls whichever candidate a cell has, or
/// whichever place a digit has in a house; whether there was one.
fn dynamic(position: &mut Candidates) -> bool {
    let (mut has_refuted, mut lefts, mut index) = (false, Vec::with_capacity(256), [[0; CELLS]; 10]);
    for (digit, index) in index.iter_mut().enumerate().skip(1) {
        for cell in cells(position.of_digit(digit)) {
            index[cell] = lefts.len();
            if let Some(left) = left_by(position, cell, digit) {
                lefts.push(left);
            } else {
                remove(position, digit, one(cell));
                has_refuted = true;
            }
        }
    }
    has_refuted || remove_common(position, |digit, cell| &lefts[index[digit][cell]])
}

/// What is left after a candidate; none if it contradicts itself.
fn left_by(position: &Candidates, cell: usize, digit: usize) -> Option<Left> {
    let mut after = position.clone();
    after.place(cell, digit);
    while fill_singles(&mut after) {}
    let mut left: Left = std::array::from_fn(|digit| if digit == 0 { 0 } else { after.of_digit(digit) });
    if after.empty() & !left.iter().fold(0, |any, left| any | left) != 0 {
        return None;
    }
    for cell in cells(position.empty() & !after.empty()) {
        left[usize::from(after.grid().cells()[cell])] |= one(cell);
    }
    let has_place = |digit: usize| {
        let open = position.of_digit(digit);
        HOUSE_CELLS.iter().all(|house| house & open == 0 || house & left[digit] != 0)
    };
    (1..10).all(has_place).then_some(left)
}

/// Removes what no candidate of some cell, or no place of a digit in some house, leaves.
fn remove_common<'a>(position: &mut Candidates, left: impl Fn(usize, usize) -> &'a Left) -> bool {
    let mut kept = [Cells::MAX; 10];
    let mut keep = |of: &mut dyn Iterator<Item = &'a Left>| {
        let mut any = [0; 10];
        for left in of {
            any.iter_mut().zip(left).for_each(|(any, left)| *any |= left);
        }
        kept.iter_mut().zip(any).for_each(|(kept, any)| *kept &= any);
    };
    for cell in cells(position.empty()) {
        keep(&mut bits(position.of_cell(cell)).map(|digit| left(digit, cell)));
    }
    for (house, digit) in HOUSE_CELLS.iter().flat_map(|house| (1..10).map(move |digit| (house, digit))) {
        let places = house & position.of_digit(digit);
        if places != 0 {
            keep(&mut cells(places).map(|cell| left(digit, cell)));
        }
    }
    let before = position.count();
    for (digit, kept) in kept.into_iter().enumerate().skip(1) {
        remove(position, digit, position.of_digit(digit) & !kept);
    }
    position.count() < before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puzzle, solution, clues, ER, and more.
    const REFERENCE: &str = include_str!("../../../../../tests/data/sudoku_ratings.csv");

    /// Of the reference puzzles up to 9.4 one in so many is looked at.
    const ONE_IN: usize = 8;

    #[test]
    fn hardly_any_puzzle_up_to_9_4_outlasts_dynamic_chains_and_most_above_do() {
        let rows = REFERENCE.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let is_above = |row: &Vec<&str>| row[3].replace('.', "").parse::<u8>().unwrap() > 94;
        let (above, others): (Vec<_>, Vec<_>) = rows.partition(is_above);
        let never = std::sync::atomic::AtomicBool::new(false);
        let outlasts = |row: &&Vec<&str>| {
            outlasts_dynamic(&Grid::parse(row[0]).unwrap(), &mut Budget::new(u64::MAX, &never)).unwrap()
        };
        let right = above.iter().filter(outlasts).count();
        let wrong = others.iter().step_by(ONE_IN).filter(outlasts).count();
        assert!(right * 4 > above.len() * 3, "{right} of {}", above.len());
        assert!(wrong * ONE_IN * 50 < others.len(), "{wrong} of {}", others.len() / ONE_IN);
    }
}
