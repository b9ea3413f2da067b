//! The crossings of boxes and lines.

use super::geometry::{FIRST_BOX, FIRST_COLUMN, HOUSE_CELLS, Mask, one};
use crate::sudoku::board::HOUSES;

/// The crossings of a box and a line, both ways, in scan order.
pub(super) const CROSSINGS: [Crossing; 108] = crossings();

/// A house and another that shares three cells with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// The house whose places for a digit are looked at.
    pub(super) from: usize,
    /// The house that crosses it.
    pub(super) into: usize,
    /// The shared cells, as places in `from`.
    pub(super) shared: Mask,
    /// The two houses beside `from` that `into` crosses too, each with the cells shared as its places.
    pub(super) beside: [(usize, Mask); 2],
}

/// Box and column, box and row, column and box, row and box; the first house of each pair in the outer loop.
const fn crossings() -> [Crossing; 108] {
    let mut crossings = [Crossing { from: 0, into: 0, shared: 0, beside: [(0, 0); 2] }; 108];
    let mut at = 0;
    while at < 108 {
        let (pairing, first, which) = (at / 27, at % 27 / 3, at % 3);
        let into = match pairing {
            0 => FIRST_COLUMN + first % 3 * 3 + which,
            1 => first / 3 * 3 + which,
            2 => FIRST_BOX + which * 3 + first / 3,
            _ => FIRST_BOX + first / 3 * 3 + which,
        };
        let from = [FIRST_BOX, FIRST_BOX, FIRST_COLUMN, 0][pairing] + first;
        crossings[at] = Crossing { from, into, shared: shared(from, into), beside: beside(from, into) };
        at += 1;
    }
    crossings
}

/// The places of one house that lie in another too.
const fn shared(from: usize, into: usize) -> Mask {
    let mut shared = 0;
    let mut place = 0;
    while place < 9 {
        if HOUSE_CELLS[into] & one(HOUSES[from][place] as usize) != 0 {
            shared |= 1 << place;
        }
        place += 1;
    }
    shared
}

const fn beside(from: usize, into: usize) -> [(usize, Mask); 2] {
    let mut beside = [(0, 0); 2];
    let (mut found, mut house) = (0, from / 9 * 9);
    while found < 2 {
        if house != from && shared(house, into) != 0 {
            beside[found] = (house, shared(house, into));
            found += 1;
        }
        house += 1;
    }
    beside
}

#[cfg(test)]
mod tests {
    use super::{super::geometry::cells_at, *};

    #[test]
    fn a_crossing_shares_three_cells() {
        for crossing in CROSSINGS {
            let shared = HOUSE_CELLS[crossing.from] & HOUSE_CELLS[crossing.into];
            assert_eq!(shared.count_ones(), 3, "{crossing:?}");
            assert_eq!(shared, cells_at(crossing.from, crossing.shared), "{crossing:?}");
        }
    }
}
