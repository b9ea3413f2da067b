//! Finds almost locked sets: cells of a house that together have one more candidate digit than there are cells. Also
//! finds the bonds between two such sets: digits that only one of the sets can contain.

use super::{pace::Pace, position::Position};
use crate::sudoku::{
    board::HOUSES,
    techniques::geometry::{Cells, HOUSE_CELLS, Mask, SEEN, bits, cells, one},
};

/// The maximum number of cells of a set.
const SIZE_MAX: u32 = 8;

/// The maximum number of sets, and of bonds, in one position. Real positions have far fewer.
const SETS_MAX: usize = 2_000;
const BONDS_MAX: usize = 200_000;

#[derive(Debug, Clone)]
pub(super) struct AlmostLocked {
    /// The cells of the set.
    pub(super) cells: Cells,
    /// Their candidates.
    pub(super) digits: Mask,
    /// The places of each digit in the set.
    pub(super) places: [Cells; 10],
    /// For each digit, the cells outside the set that see all its places in the set.
    pub(super) seen: [Cells; 10],
    /// The union of `seen` over all digits.
    pub(super) seen_any: Cells,
}

/// A bond: two disjoint sets, and one or two digits that only one of them can contain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bond {
    /// The indices of the sets, the lower one first.
    pub(super) sets: [usize; 2],
    /// The digits. The second is 0 if there is only one.
    pub(super) digits: [usize; 2],
}

/// All almost locked sets of a position, and all bonds between them.
#[derive(Debug, Default)]
pub(super) struct Network {
    /// The sets, by house.
    pub(super) sets: Vec<AlmostLocked>,
    /// The bonds, ordered by set and then by the other set.
    pub(super) bonds: Vec<Bond>,
    /// The index of each set's first bond, followed by the number of bonds.
    pub(super) first_bond: Vec<usize>,
}

impl Network {
    pub(super) fn of(position: &Position, pace: &Pace<'_>) -> Self {
        let mut network = Self::default();
        for house in 0..27 {
            let start = network.sets.len();
            network.collect(position, house, start, 0, 0, 0);
        }
        for (number, set) in network.sets.iter().enumerate() {
            network.first_bond.push(network.bonds.len());
            if pace.is_cut(network.sets.len() - number) {
                return Self::default();
            }
            for (other_number, other) in network.sets.iter().enumerate().skip(number + 1) {
                if network.bonds.len() < BONDS_MAX
                    && let Some(digits) = bond(set, other)
                {
                    network.bonds.push(Bond { sets: [number, other_number], digits });
                }
            }
        }
        network.first_bond.push(network.bonds.len());
        network
    }

    /// Collects the sets of a house that extend `set` by cells from `from` on. Each set comes directly before its
    /// extensions.
    fn collect(&mut self, position: &Position, house: usize, earlier: usize, from: usize, set: Cells, digits: Mask) {
        for (at, &cell) in HOUSES[house].iter().enumerate().skip(from) {
            let cell = usize::from(cell);
            if position.of_cell(cell) == 0 {
                continue;
            }
            let (set, digits) = (set | one(cell), digits | position.of_cell(cell));
            let is_almost_locked = digits.count_ones() == set.count_ones() + 1;
            if is_almost_locked && self.sets.len() < SETS_MAX && !self.is_known(earlier, house, set) {
                self.sets.push(AlmostLocked::of(position, set, digits));
            }
            if set.count_ones() < SIZE_MAX {
                self.collect(position, house, earlier, at + 1, set, digits);
            }
        }
    }

    /// Whether an earlier house contains the set, in which case its cells lie in that house too.
    fn is_known(&self, earlier: usize, house: usize, set: Cells) -> bool {
        let shared = (0..house).any(|other| set & !HOUSE_CELLS[other] == 0);
        shared && self.sets[..earlier].iter().any(|known| known.cells == set)
    }
}

impl AlmostLocked {
    fn of(position: &Position, set: Cells, digits: Mask) -> Self {
        let mut new = Self { cells: set, digits, places: [0; 10], seen: [0; 10], seen_any: 0 };
        for digit in bits(digits) {
            new.places[digit] = set & position.of_digit(digit);
            let seen = cells(new.places[digit]).fold(Cells::MAX, |seen, cell| seen & SEEN[cell]);
            new.seen[digit] = seen & position.of_digit(digit) & !set;
            new.seen_any |= new.seen[digit];
        }
        new
    }
}

/// The digits that bind two sets: all places of the digit in one set see all its places in the other. Like HoDoKu,
/// keeps only the first and the last.
fn bond(set: &AlmostLocked, other: &AlmostLocked) -> Option<[usize; 2]> {
    if set.cells & other.cells != 0 || set.digits & other.digits == 0 || set.seen_any & other.cells == 0 {
        return None;
    }
    let mut binding = bits(set.digits & other.digits).filter(|&digit| other.places[digit] & !set.seen[digit] == 0);
    let first = binding.next()?;
    Some([first, binding.last().unwrap_or(0)])
}
