//! Chains of one digit and chains of cells with two candidates: Turbot Fish, X-Chain, and XY-Chain.

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

/// The maximum number of links in a chain of one digit. HoDoKu allows 20, but such a chain has an odd number of links.
const LINKS_MAX: usize = 19;

/// The maximum number of cells after the first in an XY-Chain, because each uses two of 20 links.
const CELLS_MAX: usize = 9;

/// If pairs and shared houses alternately connect places of a digit, with pairs at both ends, one of the two ends is
/// true. So the digit can be removed from cells that see both. With two pairs: Turbot Fish.
pub(super) fn turbot(search: &Search<'_>) -> Option<Effect> {
    of_one_digit(search, 3)
}

/// The same, with up to ten pairs: X-Chain.
pub(super) fn x_chain(search: &Search<'_>) -> Option<Effect> {
    of_one_digit(search, LINKS_MAX)
}

/// The links between places of one digit: from a false place along a pair to a true one, and from there to the false
/// ones that it sees.
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

/// The links between cells with two candidates. A cell takes the digit of its tag, so cells that see it take their
/// other digit.
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

/// The other one of two digits.
fn other(pair: Mask, digit: usize) -> usize {
    (pair & !(1 << digit)).trailing_zeros() as usize % 16
}

/// If a chain of cells with two candidates shows that the last cell is x whenever the first is not, x can be removed
/// from cells that see both: XY-Chain.
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
