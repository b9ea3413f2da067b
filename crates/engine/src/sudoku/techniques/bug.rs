//! The Bivalue Universal Grave (BUG). In a grave, every empty cell has two candidates, and every digit that a house lacks
//! has two places in it. The techniques find positions that a few *surplus* candidates keep from being graves.

use super::{
    candidates::Candidates,
    find::{CandidateSet, Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, FIRST_BOX, HOUSE_CELLS, Mask, SEEN, bits, cells, one},
};
use crate::sudoku::board::CELLS;

/// One cell has surplus candidates.
pub(super) const BUG_1: Technique = Technique::new("Bivalue Universal Grave 1", 56);
/// Several cells have the same surplus digit.
pub(super) const BUG_2: Technique = Technique::new("Bivalue Universal Grave 2", 57);
/// Several cells of a house have surplus digits, which are part of a naked set of the house. Each digit of the set beyond
/// the second adds a tenth to the rating.
pub(super) const BUG_3: Technique = Technique::new("Bivalue Universal Grave 3", 58);
/// Two cells of a house have surplus digits and share another digit.
pub(super) const BUG_4: Technique = Technique::new("Bivalue Universal Grave 4", 57);

/// The order in which houses are searched for surplus candidates: boxes, rows, columns.
const ORDER: [usize; 3] = [FIRST_BOX, 0, 9];

/// If a position without its surplus candidates is a grave, one of the surplus candidates is true, because a grave has two
/// solutions or none: Bivalue Universal Grave. In type 1, one cell has surplus candidates. In type 2, all of them are of one
/// digit. Type 3 uses a naked set. In type 4, the two cells with surplus candidates share another digit.
pub(super) fn bug(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let Some(grave) = Grave::of(candidates) else { return false };
    let mut offer = |find: Option<Find>| find.is_some_and(&mut *take);
    let single_digit = grave.digits.is_power_of_two();
    match grave.cells().count_ones() {
        0 => false,
        1 => offer(one_cell(candidates, &grave)),
        2 if single_digit => offer(same_digit(candidates, &grave)) || offer(two_cells(candidates, &grave)),
        _ if single_digit => offer(same_digit(candidates, &grave)),
        2 if grave.seen_by_all != 0 => offer(two_cells(candidates, &grave)) || offer(with_a_set(candidates, &grave)),
        _ if grave.seen_by_all != 0 => offer(with_a_set(candidates, &grave)),
        _ => false,
    }
}

/// The surplus candidates of a position: without them, it is a grave.
struct Grave {
    /// The surplus digits of each cell.
    surplus: [Mask; CELLS],
    /// All surplus digits.
    digits: Mask,
    /// The cells that see every cell with a surplus.
    seen_by_all: Cells,
}

impl Grave {
    fn of(candidates: &Candidates) -> Option<Self> {
        let full = cells(candidates.empty()).filter(|&cell| candidates.of_cell(cell).count_ones() > 2);
        let full = full.fold(0, |all, cell| all | one(cell));
        let mut grave = Self { surplus: [0; CELLS], digits: 0, seen_by_all: Cells::MAX };
        for house in ORDER.into_iter().flat_map(|first| first..first + 9) {
            for digit in 1..10 {
                let places = HOUSE_CELLS[house] & candidates.of_digit(digit);
                if !matches!(places.count_ones(), 0 | 2) {
                    grave.add(places & full, digit)?;
                }
            }
        }
        grave.leaves_two_of_everything(candidates).then_some(grave)
    }

    /// Handles a digit that has one place in a house, or more than two. `places` are those of its places whose cells have more
    /// than two candidates. If there is one such place, the digit is surplus there. If there are several, another house
    /// decides. If there is none, no surplus candidates make the position a grave, and the result is `None`.
    fn add(&mut self, places: Cells, digit: usize) -> Option<()> {
        if places == 0 {
            return None;
        }
        if places.is_power_of_two() {
            let cell = places.trailing_zeros() as usize;
            self.surplus[cell] |= 1 << digit;
            self.digits |= 1 << digit;
            self.seen_by_all &= SEEN[cell];
            self.seen_by_all &= !self.cells();
            let is_apart = self.cells().count_ones() > 1 && self.digits.count_ones() > 1 && self.seen_by_all == 0;
            return (!is_apart).then_some(());
        }
        Some(())
    }

    fn cells(&self) -> Cells {
        (0..CELLS).filter(|&cell| self.surplus[cell] != 0).fold(0, |all, cell| all | one(cell))
    }

    fn leaves_two_of_everything(&self, candidates: &Candidates) -> bool {
        let left = |cell: usize| candidates.of_cell(cell) & !self.surplus[cell];
        let surplus_of = |digit: usize| {
            (0..CELLS).filter(|&cell| self.surplus[cell] & 1 << digit != 0).fold(0, |all, cell| all | one(cell))
        };
        cells(candidates.empty()).all(|cell| left(cell).count_ones() == 2)
            && (1..10).all(|digit| {
                let places = candidates.of_digit(digit) & !surplus_of(digit);
                HOUSE_CELLS.iter().all(|house| matches!((house & places).count_ones(), 0 | 2))
            })
    }

    fn find(&self, technique: Technique, set: (Cells, Mask), removed: CandidateSet) -> Option<Find> {
        let pattern = Pattern::Grave { cells: self.cells(), digits: self.digits, set_cells: set.0, set_digits: set.1 };
        Some(Find { technique, pattern, outcome: Outcome::remove(removed)? })
    }
}

/// Type 1: the one cell holds one of its surplus digits, so its other candidates can be removed.
fn one_cell(candidates: &Candidates, grave: &Grave) -> Option<Find> {
    let cell = grave.cells().trailing_zeros() as usize;
    grave.find(BUG_1, (0, 0), CandidateSet::of_cell(cell, candidates.of_cell(cell) & !grave.digits))
}

/// Type 2: one of the cells holds the digit, so it can be removed from every cell that sees them all.
fn same_digit(candidates: &Candidates, grave: &Grave) -> Option<Find> {
    let digit = grave.digits.trailing_zeros() as usize;
    grave.find(BUG_2, (0, 0), CandidateSet::digit_in(digit, grave.seen_by_all & candidates.of_digit(digit)))
}

/// Type 4: one of the two cells holds a surplus digit and the other holds the digit that they share, so all other candidates can
/// be removed from both.
fn two_cells(candidates: &Candidates, grave: &Grave) -> Option<Find> {
    let [first, second] = [grave.cells().trailing_zeros() as usize, 127 - grave.cells().leading_zeros() as usize];
    let common = candidates.of_cell(first) & candidates.of_cell(second) & !grave.digits;
    if !common.is_power_of_two() || SEEN[first] & one(second) == 0 {
        return None;
    }
    let removed = [first, second].into_iter().flat_map(|cell| {
        let other = candidates.of_cell(cell) & !grave.surplus[cell] & !common;
        bits(other).map(move |digit| (digit, one(cell)))
    });
    grave.find(BUG_4, (0, common), removed.collect())
}

/// Type 3: the cells count as one cell that has only the surplus digits, and a naked set of their house may include it.
fn with_a_set(candidates: &Candidates, grave: &Grave) -> Option<Find> {
    let houses = ORDER.into_iter().flat_map(|first| first..first + 9);
    let shared = houses.filter(|&house| grave.cells() & !HOUSE_CELLS[house] == 0);
    shared.into_iter().find_map(|house| {
        let others = HOUSE_CELLS[house] & grave.seen_by_all;
        (2..=6).find_map(|size| naked_set(candidates, grave, others, size))
    })
}

fn naked_set(candidates: &Candidates, grave: &Grave, others: Cells, size: u32) -> Option<Find> {
    if others.count_ones() < size {
        return None;
    }
    let members: Vec<_> = cells(others).collect();
    super::geometry::subsets((1 << members.len()) - 1, size - 1).find_map(|chosen| {
        let set = bits(chosen).fold(0, |all, at| all | one(members[at]));
        let digits = cells(set).fold(0, |all, cell| all | candidates.of_cell(cell));
        let is_naked = digits.count_ones() == size && grave.digits & !digits == 0;
        if !is_naked || cells(set).any(|cell| candidates.of_cell(cell).count_ones() < 2) {
            return None;
        }
        let removed = candidates.digits_in(digits, others & !set);
        let technique = Technique { rating: crate::shared::level::Tenths(harder(size)), ..BUG_3 };
        grave.find(technique, (set, digits), removed)
    })
}

/// 5.8 for a pair, and a tenth more for each further digit.
#[expect(clippy::cast_possible_truncation, reason = "sets have at most six members")]
fn harder(size: u32) -> u8 {
    BUG_3.rating.0 + size as u8 - 2
}
