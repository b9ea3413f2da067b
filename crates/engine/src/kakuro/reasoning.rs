//! Reasoning on one run, in four strengths. If a strength is applied to all runs until nothing changes, the result
//! shows how far techniques up to its tier can solve a puzzle.

use super::{
    digits::{Digits, RUN_MAX, combinations},
    solver::{Filter, Open, exact, partners, take_placed},
};

/// The reasoning on single runs up to tiers 1, 2, 3, and 4; see the ladder of techniques.
pub(crate) const FILTERS: [Filter; 4] = [unique_combination, all_combinations, fitting_combinations, exact];

/// Tier 1: if one combination is left for the open cells of a run, they take its digits.
fn unique_combination(cells: &mut [Digits], sum: usize) -> bool {
    by_combinations(cells, sum, 1)
}

/// Tier 2: each open cell takes a digit of some combination, and a digit of all combinations takes a cell.
fn all_combinations(cells: &mut [Digits], sum: usize) -> bool {
    by_combinations(cells, sum, 2)
}

/// Tier 3: like tier 2, but only with combinations that fit the candidates.
fn fitting_combinations(cells: &mut [Digits], sum: usize) -> bool {
    by_combinations(cells, sum, 3)
}

fn by_combinations(cells: &mut [Digits], sum: usize, tier: u8) -> bool {
    loop {
        let Some((rest, open)) = take_placed(cells, sum) else { return false };
        if open.len() == 0 {
            return rest == 0;
        }
        let mut of_open = [Digits::NONE; RUN_MAX];
        for (digits, &place) in of_open.iter_mut().zip(open.places()) {
            *digits = cells[place];
        }
        let left = Combinations::of(&of_open[..open.len()], rest, open.placed(), tier == 3);
        if left.count == 0 {
            return false;
        }
        if tier == 1 && left.count > 1 {
            return true;
        }
        let (Some(restricted), Some(placed)) =
            (restrict(cells, &open, left.possible), place(cells, &open, left.required))
        else {
            return false;
        };
        let Some(paired) = (if tier == 3 { pair(cells, &open, rest) } else { Some(false) }) else { return false };
        if !(restricted || placed || paired) {
            return true;
        }
    }
}

/// The combinations left for the open cells of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Combinations {
    /// The number of combinations.
    pub(crate) count: usize,
    /// The digits that occur in at least one combination.
    pub(crate) possible: Digits,
    /// The digits that occur in all combinations.
    pub(crate) required: Digits,
}

impl Combinations {
    /// The combinations that fill the open cells with the sum `rest` and without the digits `placed` in the run. With
    /// `fitting`, each cell must have a candidate in the combination, and each digit of it must have a cell.
    pub(crate) fn of(open: &[Digits], rest: usize, placed: Digits, fitting: bool) -> Self {
        let mut left = Self { count: 0, possible: Digits::NONE, required: Digits::ALL };
        let sets = combinations(open.len(), rest).iter().filter(|set| set.and(placed).is_empty());
        for &set in sets.filter(|set| !fitting || fits(open, **set)) {
            left.count += 1;
            left.possible = left.possible.or(set);
            left.required = left.required.and(set);
        }
        left
    }
}

/// Whether each open cell has a candidate in the set, and each digit of the set has a cell.
fn fits(open: &[Digits], set: Digits) -> bool {
    let mut held = Digits::NONE;
    for digits in open.iter().map(|cell| cell.and(set)) {
        if digits.is_empty() {
            return false;
        }
        held = held.or(digits);
    }
    held == set
}

/// Restricts the open cells to these digits. Returns whether that changed a cell, or `None` if a cell has no candidate
/// left.
fn restrict(cells: &mut [Digits], open: &Open, digits: Digits) -> Option<bool> {
    let mut changed = false;
    for &place in open.places() {
        let left = cells[place].and(digits);
        changed |= left != cells[place];
        cells[place] = left;
        if left.is_empty() {
            return None;
        }
    }
    Some(changed)
}

/// Places each required digit that fits in only one cell. Returns whether that changed a cell, or `None` if a digit
/// fits in no cell.
fn place(cells: &mut [Digits], open: &Open, required: Digits) -> Option<bool> {
    let mut changed = false;
    for digit in required.iter() {
        let mut places = open.places().iter().copied().filter(|&place| cells[place].contains(digit));
        let (first, second) = (places.next()?, places.next());
        if second.is_none() && !cells[first].is_single() {
            cells[first] = Digits::only(digit);
            changed = true;
        }
    }
    Some(changed)
}

/// Restricts each of two open cells to the digits that have a partner in the other. Returns whether that changed a
/// cell, or `None` if a cell has no candidate left.
fn pair(cells: &mut [Digits], open: &Open, rest: usize) -> Option<bool> {
    let &[first, second] = open.places() else { return Some(false) };
    let left = [cells[first].and(partners(cells[second], rest)), cells[second].and(partners(cells[first], rest))];
    let changed = left != [cells[first], cells[second]];
    (cells[first], cells[second]) = (left[0], left[1]);
    (!left[0].is_empty() && !left[1].is_empty()).then_some(changed)
}
