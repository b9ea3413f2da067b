//! Chains of one digit, and through cells with two candidates: Turbot Fish, X-Chain, XY-Chain.

use super::{
    position::Position,
    search::Search,
    step::{Best, Effect, Removal},
    walks::{Walks, Ways},
};
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOMES, Mask, SEEN, bits, cells, one},
};

/// Links of the longest chain of one digit: the last that ends a chain of 20.
const LINKS_MAX: usize = 19;

/// Cells after the first in the longest XY-Chain: each takes two of 20 links.
const CELLS_MAX: usize = 9;

/// If a digit's places are bound alternately by pairs and by sight, with pairs at both ends, one of the ends is true, and
/// what sees both can go. With two pairs: Turbot Fish.
pub(super) fn turbot(search: &Search<'_>) -> Option<Effect> {
    of_one_digit(search, 3)
}

/// The same with any number of pairs, up to ten: X-Chain.
pub(super) fn x_chain(search: &Search<'_>) -> Option<Effect> {
    of_one_digit(search, LINKS_MAX)
}

/// The places of one digit: from one that is false by a pair to one that is true, from there by sight to false ones.
struct OfDigit {
    places: Cells,
    partners: [Cells; CELLS],
}

const FALSE: usize = 0;
const TRUE: usize = 1;

impl OfDigit {
    fn of(position: &Position, digit: usize) -> Self {
        let mut partners = [0; CELLS];
        for cell in cells(position.of_digit(digit)) {
            let pairs = HOMES[cell].iter().filter(|&&(house, _)| position.free(house, digit) == 2);
            partners[cell] = pairs.fold(0, |all, &(house, _)| all | position.places(house, digit)) & !one(cell);
        }
        Self { places: position.of_digit(digit), partners }
    }
}

impl Ways for OfDigit {
    fn next(&self, cell: usize, tag: usize) -> Cells {
        if tag == FALSE { self.partners[cell] } else { self.places & SEEN[cell] }
    }

    fn tag(&self, _: usize, tag_before: usize) -> usize {
        TRUE - tag_before
    }
}

fn of_one_digit(search: &Search<'_>, links_max: usize) -> Option<Effect> {
    let position = search.position;
    let by_digit: [OfDigit; 10] = std::array::from_fn(|digit| OfDigit::of(position, digit));
    let mut best = Best::default();
    for start in cells(position.empty()) {
        for digit in bits(position.of_cell(start)).filter(|&digit| by_digit[digit].partners[start] != 0) {
            let walks = Walks::new(&by_digit[digit], &search.pace, (start, FALSE), links_max);
            for end in walks.ends(TRUE) {
                let removed = position.of_digit(digit) & SEEN[start] & SEEN[end];
                best.offer_if(Removal::of(digit, removed), || walks.has_simple(end, TRUE));
            }
        }
    }
    best.effect()
}

/// Cells with two candidates: a cell takes the digit of its tag, so those that see it take their other one.
struct OfPairs<'a> {
    position: &'a Position,
    twos: Cells,
}

impl Ways for OfPairs<'_> {
    fn next(&self, cell: usize, tag: usize) -> Cells {
        self.twos & self.position.of_digit(tag) & SEEN[cell]
    }

    fn tag(&self, cell: usize, tag_before: usize) -> usize {
        other(self.position.of_cell(cell), tag_before)
    }
}

/// The other of two digits.
fn other(pair: Mask, digit: usize) -> usize {
    (pair & !(1 << digit)).trailing_zeros() as usize % 16
}

/// If cells with two candidates each follow one another by sight so that the last is x whenever the first is not, what sees
/// both cannot be x: XY-Chain.
pub(super) fn xy_chain(search: &Search<'_>) -> Option<Effect> {
    let position = search.position;
    let ways = OfPairs { position, twos: position.with_two() };
    let mut best = Best::default();
    for start in cells(ways.twos) {
        for digit in bits(position.of_cell(start)) {
            let first = (start, other(position.of_cell(start), digit));
            let walks = Walks::new(&ways, &search.pace, first, CELLS_MAX);
            for end in walks.all_ends(digit).filter(|&end| end != start) {
                let removed = position.of_digit(digit) & SEEN[start] & SEEN[end];
                best.offer_if(Removal::of(digit, removed), || walks.has_simple(end, digit));
            }
        }
    }
    best.effect()
}
