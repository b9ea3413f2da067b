//! [`Position`]: the digits and candidates of a board, by cell and by digit. A copy has only two kilobytes, so a trial
//! works on a copy and need not undo its changes.

use super::{
    cells::{CELLS_MAX, Cells, Digits, Houses},
    rules::{Holds, House, Rules},
};
use crate::shared::step::Cell;

/// One more than the largest digit.
const DIGITS_END: usize = 17;

/// The maximum number of houses of a board, with its cages.
const HOUSES_MAX: usize = 128;

/// The digits and candidates of a board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position<'r> {
    rules: &'r Rules,
    /// For each digit, the open cells that may hold it.
    places: [Cells; DIGITS_END],
    /// For each open cell, the digits that it may hold; none for a cell with a digit.
    candidates: [Digits; CELLS_MAX],
    digits: [u8; CELLS_MAX],
    /// For each house that must hold each digit, the digits that it lacks; none for other houses.
    left: [Digits; HOUSES_MAX],
    /// For each digit, the houses that lack it: the inverse of `left`.
    lacking: [Houses; DIGITS_END],
    /// The houses that lack several stars. They join `left` and `lacking` when they lack one, so that what holds for digits
    /// holds for them.
    several: Houses,
    /// The cells without a digit.
    open: Cells,
}

impl<'r> Position<'r> {
    /// The empty board: each cell may hold each digit.
    pub(crate) fn empty(rules: &'r Rules) -> Self {
        let mut left = [Digits::NONE; HOUSES_MAX];
        let mut lacking = [Houses::NONE; DIGITS_END];
        let lacks_several = |house: &usize| matches!(rules.houses[*house].holds, Holds::Stars(_));
        let several = (0..rules.houses.len()).filter(lacks_several).collect();
        for (index, house) in rules.houses.iter().enumerate() {
            let Holds::Each(digits) = house.holds else { continue };
            left[index] = digits;
            for digit in digits.iter().map(usize::from) {
                lacking[digit] = lacking[digit].or(Houses::only(index));
            }
        }
        let mut position = Self {
            rules,
            places: [rules.all; DIGITS_END],
            candidates: [rules.digits; CELLS_MAX],
            digits: [0; CELLS_MAX],
            left,
            lacking,
            several,
            open: rules.all,
        };
        for (house, left) in rules.houses.iter().zip(left).filter(|(_, left)| !left.is_empty()) {
            rules.digits.without(left).iter().for_each(|digit| position.remove(digit, house.cells));
        }
        position
    }

    /// The board with these digits, 0 for an empty cell. `None` if two digits exclude each other.
    pub(crate) fn of(rules: &'r Rules, digits: &[u8]) -> Option<Self> {
        let mut position = Self::empty(rules);
        for (cell, &digit) in (0..).zip(digits).filter(|(_, digit)| **digit != 0) {
            if !position.candidates(cell).contains(digit) {
                return None;
            }
            position.place(cell, digit);
        }
        Some(position)
    }

    pub(crate) fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// The cells without a digit.
    pub(crate) fn open(&self) -> Cells {
        self.open
    }

    /// The digits that an open cell may hold; none if the cell has a digit.
    pub(crate) fn candidates(&self, cell: Cell) -> Digits {
        self.candidates[usize::from(cell)]
    }

    /// The open cells that may hold a digit.
    pub(crate) fn places(&self, digit: u8) -> Cells {
        self.places[usize::from(digit)]
    }

    /// The open cells of a house that may hold a digit.
    pub(crate) fn places_in(&self, house: usize, digit: u8) -> Cells {
        self.places(digit).and(self.rules.houses[house].cells)
    }

    /// The digits that a house must hold and still lacks. A house that lacks several stars is left out.
    pub(crate) fn left(&self, house: usize) -> Digits {
        self.left[house]
    }

    /// The houses that must hold a digit and still lack it. Houses that lack several stars are left out.
    pub(crate) fn lacking(&self, digit: u8) -> Houses {
        self.lacking[usize::from(digit)]
    }

    /// The houses that lack several stars.
    pub(crate) fn several(&self) -> Houses {
        self.several
    }

    /// The number of stars that a house lacks. For boards with stars.
    pub(crate) fn missing(&self, house: usize) -> usize {
        let House { cells, holds, .. } = &self.rules.houses[house];
        match holds {
            Holds::Stars(count) => usize::from(*count).saturating_sub(cells.without(self.open).len()),
            _ => self.left(house).len(),
        }
    }

    /// The digit of a cell; 0 if it is open.
    pub(crate) fn digit(&self, cell: Cell) -> u8 {
        self.digits[usize::from(cell)]
    }

    /// The cells with at least one candidate, and those with at least two.
    pub(crate) fn cells_with_candidates(&self) -> [Cells; 2] {
        self.rules.digits.iter().fold([Cells::NONE; 2], |[some, several], digit| {
            let places = self.places(digit);
            [some.or(places), several.or(some.and(places))]
        })
    }

    /// The houses in which a digit has at least one place, and those in which it has at least two.
    pub(crate) fn houses_with_places(&self, digit: u8) -> [Houses; 2] {
        self.places(digit).iter().fold([Houses::NONE; 2], |[some, several], cell| {
            let houses = self.rules.houses_of[usize::from(cell)];
            [some.or(houses), several.or(some.and(houses))]
        })
    }

    pub(crate) fn digits(&self) -> &[u8] {
        &self.digits[..self.rules.peers.len()]
    }

    /// Whether each cell has its digit, or each house its star.
    pub(crate) fn is_solved(&self) -> bool {
        let lacks_none = || self.left[..self.rules.houses.len()].iter().all(|left| left.is_empty());
        if self.rules.fills { self.open.is_empty() } else { self.several == Houses::NONE && lacks_none() }
    }

    /// The candidates of the cell that has the fewest. If several cells have as few, the first of them counts.
    pub(crate) fn narrowest_cell(&self, cells: impl Iterator<Item = Cell>) -> Option<Vec<(Cell, u8)>> {
        let cell = cells.min_by_key(|cell| self.candidates(*cell).len())?;
        Some(self.candidates(cell).iter().map(|digit| (cell, digit)).collect())
    }

    /// The places of a missing digit in a house: of all houses and digits, the first with the fewest places. A house that lacks several
    /// stars counts as one with fewer places.
    pub(crate) fn narrowest_house(&self) -> Option<Vec<(Cell, u8)>> {
        let houses = 0..self.rules.houses.len();
        let missing = houses.flat_map(|house| self.left(house).iter().map(move |digit| (house, digit)));
        let missing = missing.chain(self.several.iter().map(|house| (house, 1)));
        let ways = |&(house, digit): &(usize, u8)| {
            let more = if self.several.and(Houses::only(house)) == Houses::NONE { 0 } else { self.missing(house) - 1 };
            self.places_in(house, digit).len().saturating_sub(more)
        };
        let (house, digit) = missing.min_by_key(ways)?;
        Some(self.places_in(house, digit).iter().map(|cell| (cell, digit)).collect())
    }

    /// Puts a candidate of an open cell into it.
    pub(crate) fn place(&mut self, cell: Cell, digit: u8) {
        self.candidates(cell).iter().for_each(|other| self.places[usize::from(other)].remove(cell));
        self.candidates[usize::from(cell)] = Digits::NONE;
        self.digits[usize::from(cell)] = digit;
        self.open.remove(cell);
        let houses = self.rules.houses_of[usize::from(cell)];
        houses.iter().for_each(|house| self.left[house] = self.left[house].without(Digits::only(digit)));
        let lacking = &mut self.lacking[usize::from(digit)];
        *lacking = lacking.without(houses);
        self.remove(digit, self.rules.peers[usize::from(cell)]);
        if self.rules.variant.stars() > 1 {
            self.count_star(cell);
        }
    }

    /// Counts a star that was placed in its houses. If a house now lacks one star, it joins `left` and `lacking`; if it lacks none, its
    /// other cells have none.
    fn count_star(&mut self, cell: Cell) {
        for house in self.rules.houses_of[usize::from(cell)].iter() {
            if self.missing(house) == 1 {
                let only = Houses::only(house);
                self.several = self.several.without(only);
                (self.left[house], self.lacking[1]) = (Digits::only(1), self.lacking[1].or(only));
            }
        }
        self.remove(1, self.rules.excluded(cell, self.rules.all.without(self.open)));
    }

    /// Removes a digit from the candidates of these cells.
    pub(crate) fn remove(&mut self, digit: u8, cells: Cells) {
        let removed = self.places(digit).and(cells);
        self.places[usize::from(digit)] = self.places(digit).without(removed);
        for cell in removed.iter() {
            self.candidates[usize::from(cell)] = self.candidates(cell).without(Digits::only(digit));
        }
    }
}
