//! Techniques of tiers 0 to 4, which look at one run: singles, the combinations of digits that have its sum, and the possible
//! fillings of its open cells.

use super::{
    find::{
        COMBINATIONS, FITTING_COMBINATIONS, FITTING_DIGIT, Find, HIDDEN_SINGLE, LAST_CELL, NAKED_PAIR, NAKED_SINGLE,
        NAKED_TRIPLET, Outcome, PARTNERS, Pattern, REQUIRED_DIGIT, RUN_FILLINGS, Technique, UNIQUE_COMBINATION,
        UNIQUE_REST,
    },
    position::{Position, Rest},
};
use crate::kakuro::{
    digits::{Digits, RUN_MAX},
    reasoning::Combinations,
    solver::{exact, partners},
};

/// If all cells of a run but one are filled, the last cell takes the rest of the sum: Last Cell.
pub(super) fn last_cell(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let (&[white], &[cell]) = (rest.whites(), rest.cells()) else { return None };
    let digit = cell.iter().find(|&digit| usize::from(digit) == rest.sum)?;
    Some(found(LAST_CELL, run, Outcome::Place { white, digit }))
}

/// If a cell of a run has one candidate left, that is its digit: Naked Single.
pub(super) fn naked_single(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let at = rest.cells().iter().position(|digits| digits.is_single())?;
    let (white, digit) = (rest.whites()[at], rest.cells()[at].smallest());
    let pattern = Pattern::Cell { white, digit };
    Some(Find { technique: NAKED_SINGLE, pattern, outcome: Outcome::Place { white, digit } })
}

/// If an empty run has one combination, all other digits can be removed from its cells, because the sum needs these
/// digits: Unique Combination.
pub(super) fn unique_combination(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = unique(&rest).filter(|_| rest.placed.is_empty())?;
    Some(found(UNIQUE_COMBINATION, run, rest.beyond(|_| left.possible)?))
}

/// If the rest of a run has one combination without the digits already placed, all other digits can be removed from its
/// open cells, because the sum needs these digits: Unique Rest.
pub(super) fn unique_rest(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = unique(&rest)?;
    Some(found(UNIQUE_REST, run, rest.beyond(|_| left.possible)?))
}

/// If a run has one combination left, and one of its digits fits in only one open cell, the digit is there, because the
/// run needs it: Hidden Single.
pub(super) fn hidden_single(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = unique(&rest)?;
    Some(found(HIDDEN_SINGLE, run, rest.lone_place(left.required)?))
}

/// If no combination of the rest of a run contains a digit, that digit can be removed from the open cells:
/// Combinations.
pub(super) fn all_combinations(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = combinations(&rest, false);
    Some(found(COMBINATIONS, run, rest.beyond(|_| left.possible)?))
}

/// If every combination of the rest of a run contains a digit that fits in only one open cell, the digit is there,
/// because the run needs it: Required Digit.
pub(super) fn required_digit(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = combinations(&rest, false);
    Some(found(REQUIRED_DIGIT, run, rest.lone_place(left.required)?))
}

/// If two cells of a run are open, and a candidate of one has no partner for the sum in the other, the candidate can be
/// removed: Partners.
pub(super) fn partner(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let &[first, second] = rest.cells() else { return None };
    let left = [partners(second, rest.sum), partners(first, rest.sum)];
    Some(found(PARTNERS, run, rest.beyond(|at| left[at])?))
}

/// A combination fits if every open cell has a candidate in it and every digit of it has a cell. If no fitting
/// combination contains a digit, it can be removed from the open cells: Fitting Combinations.
pub(super) fn fitting_combinations(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = combinations(&rest, true);
    Some(found(FITTING_COMBINATIONS, run, rest.beyond(|_| left.possible)?))
}

/// If every fitting combination contains a digit that fits in only one open cell, the digit is there: Required Digit,
/// of Fitting Combinations.
pub(super) fn fitting_digit(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let left = combinations(&rest, true);
    Some(found(FITTING_DIGIT, run, rest.lone_place(left.required)?))
}

fn found(technique: Technique, run: usize, outcome: Outcome) -> Find {
    Find { technique, pattern: Pattern::Run { run }, outcome }
}

fn combinations(rest: &Rest, fitting: bool) -> Combinations {
    // A run without a combination has no solution, so it yields no step.
    let left = Combinations::of(rest.cells(), rest.sum, rest.placed, fitting);
    if left.count == 0 { Combinations { possible: Digits::ALL, required: Digits::NONE, ..left } } else { left }
}

fn unique(rest: &Rest) -> Option<Combinations> {
    Some(combinations(rest, false)).filter(|left| left.count == 1)
}

/// If two cells of a run have the same two candidates, both digits can be removed from the rest of the run, because
/// these cells use them up: Naked Pair.
pub(super) fn naked_pair(position: &Position<'_>, run: usize) -> Option<Find> {
    naked_set(position, run, 2, NAKED_PAIR)
}

/// If three cells of a run have three candidates among them, these can be removed from the rest of the run, because the
/// three cells use them up: Naked Triplet.
pub(super) fn naked_triplet(position: &Position<'_>, run: usize) -> Option<Find> {
    naked_set(position, run, 3, NAKED_TRIPLET)
}

fn naked_set(position: &Position<'_>, run: usize, size: usize, technique: Technique) -> Option<Find> {
    let rest = position.rest(run);
    if rest.cells().len() <= size {
        return None;
    }
    let small: Vec<_> = (0..rest.cells().len()).filter(|&at| rest.cells()[at].len() <= size).collect();
    let sets = (0_usize..1 << small.len()).filter(|set| set.count_ones() as usize == size);
    sets.into_iter().find_map(|set| {
        let chosen: Vec<_> = (0..small.len()).filter(|&at| set & 1 << at != 0).map(|at| small[at]).collect();
        let digits = chosen.iter().fold(Digits::NONE, |all, &at| all.or(rest.cells()[at]));
        if digits.len() != size {
            return None;
        }
        let outcome = rest.beyond(|at| if chosen.contains(&at) { Digits::ALL } else { Digits::ALL.without(digits) })?;
        let whites = chosen.iter().map(|&at| rest.whites()[at]).collect();
        Some(Find { technique, pattern: Pattern::Set { run, whites, digits }, outcome })
    })
}

/// If no filling of a run with different digits and the right sum uses a candidate, the candidate can be removed: Run
/// Fillings.
pub(super) fn run_fillings(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let mut left = [Digits::ALL; RUN_MAX];
    let cells = &mut left[..rest.cells().len()];
    cells.copy_from_slice(rest.cells());
    if cells.is_empty() || !exact(cells, rest.sum) {
        return None;
    }
    Some(Find { technique: RUN_FILLINGS, pattern: Pattern::Run { run }, outcome: rest.beyond(|at| left[at])? })
}
