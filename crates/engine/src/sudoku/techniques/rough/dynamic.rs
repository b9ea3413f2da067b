//! What follows from a candidate by chains that branch: the singles that it leaves are filled, until something has no
//! candidate left or there are no more singles; where the branches may hold further chains, what these remove falls too. By
//! it the puzzles above 9.4, those above 10.8, and those that need dynamic chains within dynamic chains are told from others.

use super::{
    super::{
        candidates::Candidates,
        geometry::{Cells, HOUSE_CELLS, bits, cells, one},
    },
    fill_singles,
    implied::refute_each,
    lock,
    multiple::multiple,
    patterns, remove,
};
use crate::{
    budget::{Budget, OutOfBudget},
    sudoku::board::{CELLS, Grid},
};

/// By digit, where it may be or is.
type Left = [Cells; 10];

/// What the branches of chains may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Branches {
    /// Singles alone.
    Singles,
    /// Locked candidates and chains without a branch too.
    Chains,
    /// And chains from all candidates of a cell, or from all places of a digit in a house.
    Multiple,
}

/// Whether chains with such branches do not solve a puzzle, so that it needs others: half a millisecond with singles, some
/// eight milliseconds with chains and some seventy with multiple ones, where a rating takes up to twenty seconds. Ends, since each
/// round fills a cell or removes a candidate.
///
/// # Errors
/// [`OutOfBudget::Cancelled`], or [`OutOfBudget::Nodes`] if two givens clash.
pub(crate) fn outlasts(puzzle: &Grid, branches: Branches, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
    let mut position = Candidates::of(puzzle).ok_or(OutOfBudget::Nodes)?;
    loop {
        budget.check_cancelled()?;
        while fill_singles(&mut position) || lock(&mut position) {}
        if position.is_solved() {
            return Ok(false);
        }
        let has_found = refute_each(&mut position)
            || by_chains(&mut position, Branches::Singles)
            || patterns(&mut position, budget)
            || branches >= Branches::Chains && by_chains(&mut position, Branches::Chains)
            || branches >= Branches::Multiple && by_chains(&mut position, Branches::Multiple);
        if !has_found {
            return Ok(true);
        }
    }
}

/// Removes every candidate that contradicts itself, or if there is none, what falls whichever candidate a cell has, or
/// whichever place a digit has in a house; whether there was one.
fn by_chains(position: &mut Candidates, branches: Branches) -> bool {
    let (mut has_refuted, mut lefts, mut index) = (false, Vec::with_capacity(256), [[0; CELLS]; 10]);
    for (digit, index) in index.iter_mut().enumerate().skip(1) {
        for cell in cells(position.of_digit(digit)) {
            index[cell] = lefts.len();
            if let Some(left) = left_by(position, cell, digit, branches) {
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
fn left_by(position: &Candidates, cell: usize, digit: usize, branches: Branches) -> Option<Left> {
    let mut after = position.clone();
    after.place(cell, digit);
    let mut left = filled(&mut after)?;
    while has_more(&mut after, branches) {
        left = filled(&mut after)?;
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

/// Removes what the branches may hold beside singles; whether there was something.
fn has_more(after: &mut Candidates, branches: Branches) -> bool {
    branches >= Branches::Chains && (lock(after) || refute_each(after))
        || branches >= Branches::Multiple && multiple(after).is_some()
}

/// Fills the singles; what is open then, or none if a cell has no candidate left.
fn filled(after: &mut Candidates) -> Option<Left> {
    while fill_singles(after) {}
    let left: Left = std::array::from_fn(|digit| if digit == 0 { 0 } else { after.of_digit(digit) });
    (after.empty() & !left.iter().fold(0, |any, left| any | left) == 0).then_some(left)
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
    const REFERENCE: &str = include_str!("../../../../tests/data/sudoku_ratings.csv");

    /// Fifty from 10.9 on.
    const HARDEST: &str = include_str!("../../../../tests/data/sudoku_counts/hardest_se11.txt");

    /// Published puzzles that once outlasted multiple chains in branches: all of 24 that were rated have dynamic chains within
    /// dynamic chains for their hardest step. One in so many is looked at.
    const NESTED: &str = include_str!("../../../../tests/data/sudoku_nested.txt");
    const NESTED_ONE_IN: usize = 20;

    /// Of the reference puzzles up to 9.4 one in so many is looked at.
    const ONE_IN: usize = 8;

    fn does_outlast(puzzle: &str, branches: Branches) -> bool {
        let never = std::sync::atomic::AtomicBool::new(false);
        outlasts(&Grid::parse(puzzle).unwrap(), branches, &mut Budget::new(u64::MAX, &never)).unwrap()
    }

    #[test]
    fn hardly_any_puzzle_up_to_9_4_outlasts_dynamic_chains_and_most_above_do() {
        let rows = REFERENCE.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let is_above = |row: &Vec<&str>| row[3].replace('.', "").parse::<u8>().unwrap() > 94;
        let (above, others): (Vec<_>, Vec<_>) = rows.partition(is_above);
        let outlasts = |row: &&Vec<&str>| does_outlast(row[0], Branches::Singles);
        let right = above.iter().filter(outlasts).count();
        let wrong = others.iter().step_by(ONE_IN).filter(outlasts).count();
        assert!(right * 4 > above.len() * 3, "{right} of {}", above.len());
        assert!(wrong * ONE_IN * 50 < others.len(), "{wrong} of {}", others.len() / ONE_IN);
    }

    #[test]
    fn nearly_all_of_the_hardest_published_outlast_chains_with_chains_in_their_branches_and_none_up_to_10_4_does() {
        let outlasts = |puzzle: &str| does_outlast(puzzle, Branches::Chains);
        let hardest = HARDEST.lines().filter(|line| outlasts(line)).count();
        assert!(hardest * 10 > HARDEST.lines().count() * 9, "{hardest}");
        let reference = REFERENCE.lines().skip(1).step_by(ONE_IN);
        assert_eq!(reference.filter(|row| outlasts(&row[..CELLS])).count(), 0);
    }

    #[test]
    fn those_that_need_dynamic_chains_in_branches_outlast_multiple_ones_there_and_hardly_any_other_does() {
        let outlasts = |puzzle: &str| does_outlast(puzzle, Branches::Multiple);
        assert!(NESTED.lines().step_by(NESTED_ONE_IN).all(outlasts));
        let others = HARDEST.lines().filter(|line| outlasts(line)).count();
        assert!(others * 10 < HARDEST.lines().count(), "{others}");
    }
}
