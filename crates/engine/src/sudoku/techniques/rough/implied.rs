//! Implications by chains without branches: what follows from a candidate, and which candidates contradict themselves.

use super::remove;
use crate::sudoku::{
    board::CELLS,
    techniques::{
        candidates::Candidates,
        geometry::{Cells, HOMES, HOUSE_CELLS, SEEN, bits, cells, one},
    },
};

/// Removes every candidate that contradicts itself by a chain. Returns whether there was one.
pub(in crate::sudoku) fn refute_each(position: &mut Candidates) -> bool {
    let strong = Strong::of(position);
    let (mut has_refuted, mut sound) = (false, [0; 10]);
    for digit in 1..10 {
        for cell in cells(position.of_digit(digit)) {
            // A candidate that follows from another one without a contradiction leads to no contradiction either.
            if sound[digit] & one(cell) != 0 {
                continue;
            }
            if let Some(led) = Led::by(position, &strong, cell, digit, |_, _, _| ()) {
                sound.iter_mut().zip(led.on).for_each(|(sound, on)| *sound |= on);
                continue;
            }
            remove(position, digit, one(cell));
            has_refuted = true;
            if shows_single(position, cell, digit) {
                return true;
            }
        }
    }
    has_refuted
}

/// Whether removing the digit from the cell left a single in its houses.
fn shows_single(position: &Candidates, cell: usize, digit: usize) -> bool {
    let is_only_place = |(house, _): (usize, _)| position.hidden_singles(house) >> digit & 1 == 1;
    position.naked_singles() & one(cell) != 0 || HOMES[cell].into_iter().any(is_only_place)
}

/// The strong links: pairs of candidates such that ruling one out makes the other true.
pub(super) struct Strong {
    /// The cells with two candidates.
    pairs: Cells,
    /// For each digit, its places in houses that have two places for it.
    places: [Cells; 10],
    /// For each digit and place, the other places in such houses.
    partners: [[Cells; CELLS]; 10],
}

impl Strong {
    pub(super) fn of(position: &Candidates) -> Self {
        let pairs = cells(position.empty()).filter(|&cell| position.of_cell(cell).count_ones() == 2);
        let pairs = pairs.fold(0, |pairs, cell| pairs | one(cell));
        let mut strong = Self { pairs, places: [0; 10], partners: [[0; CELLS]; 10] };
        for (house, of_house) in HOUSE_CELLS.iter().enumerate() {
            for digit in 1..10 {
                if position.places(house)[digit].count_ones() == 2 {
                    let two = of_house & position.of_digit(digit);
                    strong.places[digit] |= two;
                    cells(two).for_each(|cell| strong.partners[digit][cell] |= two & !one(cell));
                }
            }
        }
        strong
    }
}

/// What follows from a candidate: for each digit, the cells where it is true and where it is ruled out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Led {
    pub(super) on: [Cells; 10],
    pub(super) off: [Cells; 10],
}

impl Led {
    /// Follows a candidate. Returns `None` if it contradicts itself. Calls `visit` with each digit that is ruled out, its cells,
    /// and the number of links.
    pub(super) fn by(
        position: &Candidates,
        strong: &Strong,
        cell: usize,
        digit: usize,
        mut visit: impl FnMut(usize, Cells, u16),
    ) -> Option<Self> {
        let mut led = Self { on: [0; 10], off: [0; 10] };
        led.on[digit] = one(cell);
        let mut set = Vec::with_capacity(64);
        set.push((cell, digit, 0));
        let mut at = 0;
        while let Some(&(cell, digit, links)) = set.get(at) {
            at += 1;
            for other in bits(position.of_cell(cell) & !(1 << digit)) {
                let fallen = one(cell) & !led.off[other];
                visit(other, fallen, links + 1);
                led.fall(position, strong, other, fallen, links, &mut set)?;
            }
            let fallen = position.of_digit(digit) & SEEN[cell] & !led.off[digit];
            visit(digit, fallen, links + 1);
            led.fall(position, strong, digit, fallen, links, &mut set)?;
        }
        Some(led)
    }

    /// Rules out a digit in these cells, except where it is already ruled out.
    fn fall(
        &mut self,
        position: &Candidates,
        strong: &Strong,
        digit: usize,
        fallen: Cells,
        links: u16,
        set: &mut Vec<(usize, usize, u16)>,
    ) -> Option<()> {
        if fallen & self.on[digit] != 0 {
            return None;
        }
        self.off[digit] |= fallen;
        let partners = cells(fallen & strong.places[digit]).map(|cell| strong.partners[digit][cell]);
        let partners = partners.fold(0, |all, partners| all | partners);
        self.set(partners, digit, links, set)?;
        for cell in cells(fallen & strong.pairs) {
            for other in bits(position.of_cell(cell) & !(1 << digit)) {
                self.set(one(cell), other, links, set)?;
            }
        }
        Some(())
    }

    /// Makes a digit true in some cells.
    fn set(&mut self, at: Cells, digit: usize, links: u16, set: &mut Vec<(usize, usize, u16)>) -> Option<()> {
        if self.off[digit] & at != 0 {
            return None;
        }
        let new = at & !self.on[digit];
        self.on[digit] |= new;
        set.extend(cells(new).map(|cell| (cell, digit, links + 2)));
        Some(())
    }
}
