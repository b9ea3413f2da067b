//! Classifies a puzzle by the hardest class of reasoning that it needs, much faster than the ladder. The result is
//! approximate, because eliminations are made in bulk and in any order, and chains need not be the shortest.

mod implied;
mod multiple;

use super::{
    aligned::Triplets,
    candidates::Candidates,
    find::{CandidateSet, Outcome},
    geometry::{Cells, HOUSE_CELLS, SEEN, bits, cell_at, cells, one},
    ladder::climb,
    locked::CROSSINGS,
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
    },
    sudoku::board::Grid,
};
pub(in crate::sudoku) use implied::refute_each;
use multiple::multiple;

/// Classes of reasoning, from the easiest to the hardest in the order of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Singles, locked candidates, and chains without a branch.
    Single,
    /// A pattern other than singles and locked candidates, up to ER 6.2.
    Pattern,
    /// Aligned Triplet Exclusion. It is slow, so it is tried only if it is the hardest class to search for.
    Aligned,
    /// Contradictions within one digit: Nishio.
    Nishio,
    /// Short chains from all candidates of a cell, or from all places of a digit in a house.
    Multiple,
    /// The same with longer chains.
    Long,
    /// Anything harder, such as dynamic chains.
    Dynamic,
}

/// The rating of the hardest pattern that is tried where chains find nothing.
const PATTERNS: Tenths = Tenths(62);

/// The class of reasoning that a puzzle needs, searched up to `hardest`. A puzzle that needs more gets some harder class. The
/// search ends, because each round fills a cell or removes a candidate.
///
/// # Errors
/// [`OutOfBudget::Cancelled`], or [`OutOfBudget::Nodes`] if two givens are equal in a house.
pub fn class(puzzle: &Grid, hardest: Class, budget: &mut Budget<'_>) -> Result<Class, OutOfBudget> {
    let mut position = Candidates::of(puzzle).ok_or(OutOfBudget::Nodes)?;
    let mut class = Class::Single;
    loop {
        budget.check_cancelled()?;
        while fill_singles(&mut position) || lock(&mut position) {}
        if position.is_solved() {
            return Ok(class);
        }
        if refute_each(&mut position) {
            continue;
        }
        // Patterns come first until the puzzle has needed a class from Nishio on. From then on they come last, because they cost more.
        let next = if class < Class::Nishio && patterns(&mut position, budget) {
            Class::Pattern
        } else if hardest == Class::Aligned && exclude(&mut position) {
            Class::Aligned
        } else if hardest >= Class::Nishio && nishio(&mut position) {
            Class::Nishio
        } else if hardest >= Class::Multiple
            && let Some(multiple) = multiple(&mut position)
        {
            multiple
        } else if class >= Class::Nishio && patterns(&mut position, budget) {
            Class::Pattern
        } else {
            return Ok(hardest.harder());
        };
        if next > hardest {
            return Ok(next);
        }
        class = class.max(next);
    }
}

impl Class {
    /// The class to report for a puzzle that needs more than this one.
    fn harder(self) -> Self {
        match self {
            Self::Single | Self::Pattern | Self::Aligned => Self::Nishio,
            Self::Nishio => Self::Multiple,
            Self::Multiple | Self::Long | Self::Dynamic => Self::Dynamic,
        }
    }
}

/// Fills every single. Returns whether there was one.
pub(crate) fn fill_singles(position: &mut Candidates) -> bool {
    let before = position.empty();
    for cell in cells(position.naked_singles()) {
        // An earlier placement may have removed the last candidate of the cell. If so, the puzzle has no solution.
        if let Some(digit) = bits(position.of_cell(cell)).next() {
            position.place(cell, digit);
        }
    }
    for house in 0..HOUSE_CELLS.len() {
        for digit in bits(position.hidden_singles(house)) {
            let place = position.places(house)[digit];
            if place != 0 {
                position.place(cell_at(house, place), digit);
            }
        }
    }
    position.empty() != before
}

/// Makes every elimination by locked candidates. Returns whether there was one.
pub(in crate::sudoku) fn lock(position: &mut Candidates) -> bool {
    let mut has_removed = false;
    for digit in 1..10 {
        for crossing in &CROSSINGS {
            let of_digit = position.of_digit(digit);
            let (in_from, others) = (of_digit & HOUSE_CELLS[crossing.from], of_digit & HOUSE_CELLS[crossing.into]);
            let removed = others & !in_from;
            if in_from != 0 && in_from & !HOUSE_CELLS[crossing.into] == 0 && removed != 0 {
                remove(position, digit, removed);
                has_removed = true;
            }
        }
    }
    has_removed
}

/// Takes the steps by patterns up to the rating `PATTERNS`. Returns whether there was one.
fn patterns(position: &mut Candidates, budget: &mut Budget<'_>) -> bool {
    let before = position.count();
    climb(position, PATTERNS, budget, |_, _| ());
    position.count() < before
}

/// Takes the first Aligned Triplet Exclusion. Returns whether there was one.
fn exclude(position: &mut Candidates) -> bool {
    let mut first = None;
    Triplets::default().search(position, &mut |find| {
        first = Some(find.outcome);
        true
    });
    first.inspect(|outcome| position.change(outcome)).is_some()
}

/// Removes every candidate that would leave its digit without a place in some house. Returns whether there was one.
fn nishio(position: &mut Candidates) -> bool {
    let mut has_refuted = false;
    for digit in 1..10 {
        for cell in cells(position.of_digit(digit)) {
            if is_without_place(position, digit, cell) {
                remove(position, digit, one(cell));
                has_refuted = true;
            }
        }
    }
    has_refuted
}

/// Whether placing a digit in a cell, and then wherever it has only one place left, leaves some house without a place for it.
fn is_without_place(position: &Candidates, digit: usize, cell: usize) -> bool {
    let (mut left, mut set) = (position.of_digit(digit), one(cell));
    let (mut next, open) = (Some(cell), left);
    while let Some(cell) = next {
        left &= !SEEN[cell];
        set |= one(cell);
        next = None;
        for house in HOUSE_CELLS.iter().filter(|house| **house & open != 0) {
            let places = house & left;
            if places == 0 {
                return true;
            }
            if places.is_power_of_two() && places & set == 0 {
                next = Some(places.trailing_zeros() as usize);
            }
        }
    }
    false
}

pub(in crate::sudoku) fn remove(position: &mut Candidates, digit: usize, cells: Cells) {
    position.change(&Outcome::Remove(CandidateSet::digit_in(digit, cells)));
}

#[cfg(test)]
mod tests {
    use std::{ops::RangeInclusive, sync::atomic::AtomicBool};

    use super::*;
    use crate::sudoku::{make::steering::classes, techniques::ALIGNED_TRIPLET};

    /// Each line: puzzle, solution, number of givens, ER, and more.
    const REFERENCE: &str = include_str!("../../../../tests/data/sudoku_ratings.csv");

    fn class_of(line: &str, hardest: Class) -> Class {
        class(&Grid::parse(line).unwrap(), hardest, &mut Budget::of_nodes(u64::MAX)).unwrap()
    }

    /// The maximum number of reference puzzles that are tested per range of ratings.
    const SAMPLE: usize = 60;

    fn rated(ratings: RangeInclusive<u8>) -> Vec<&'static str> {
        let rows = REFERENCE.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let fits = |row: &Vec<&str>| ratings.contains(&row[3].replace('.', "").parse::<u8>().unwrap());
        let puzzles: Vec<_> = rows.filter(fits).map(|row| row[0]).collect();
        puzzles.iter().copied().step_by(puzzles.len().div_ceil(SAMPLE)).collect()
    }

    #[test]
    fn nearly_all_puzzles_of_a_hard_rating_need_its_classes() {
        for ratings in [75..=79, 80..=84, 85..=89, 90..=94] {
            let expected = Tenths(*ratings.start())..=Tenths(*ratings.end());
            let classes = classes(&expected, None).unwrap();
            let puzzles = rated(ratings.clone());
            let right = puzzles.iter().filter(|puzzle| classes.contains(&class_of(puzzle, *classes.end()))).count();
            assert!(right * 4 > puzzles.len() * 3, "{ratings:?}: {right} of {}", puzzles.len());
        }
    }

    #[test]
    fn hardly_any_easier_puzzle_needs_them() {
        let puzzles = rated(0..=74);
        let wrong = puzzles.iter().filter(|puzzle| class_of(puzzle, Class::Nishio) > Class::Pattern).count();
        assert!(wrong * 50 < puzzles.len(), "{wrong} of {}", puzzles.len());
        assert_eq!(classes(&(Tenths(74)..=Tenths(94)), None), None);
    }

    #[test]
    fn puzzles_that_need_an_aligned_triplet_are_told_from_most_others() {
        let is_told = |row: &&str| class_of(row.split(',').next().unwrap(), Class::Aligned) == Class::Aligned;
        let is_hardest = |row: &&str| row.split(',').nth(6) == Some(ALIGNED_TRIPLET.name);
        let (with, without): (Vec<_>, Vec<_>) = REFERENCE.lines().skip(1).partition(is_hardest);
        let right = with.iter().copied().filter(is_told).count();
        let wrong = without.iter().copied().step_by(10).filter(is_told).count();
        assert!(right * 4 > with.len() * 3, "{right} of {}", with.len());
        assert!(wrong * 500 < without.len(), "{wrong} of {}", without.len() / 10);
    }

    #[test]
    fn puzzles_above_the_hardest_class_asked_for_are_only_called_harder() {
        let dynamic = rated(90..=94).into_iter().find(|puzzle| class_of(puzzle, Class::Dynamic) == Class::Dynamic);
        let dynamic = dynamic.unwrap();
        let harder =
            [Class::Pattern, Class::Nishio, Class::Multiple].map(|hardest| class_of(dynamic, hardest) > hardest);
        assert_eq!(harder, [true; 3]);
    }

    #[test]
    fn a_raised_flag_ends_the_search() {
        let raised = AtomicBool::new(true);
        let puzzle = Grid::parse(rated(90..=94)[0]).unwrap();
        assert_eq!(class(&puzzle, Class::Dynamic, &mut Budget::new(1, &raised)), Err(OutOfBudget::Cancelled));
    }
}
