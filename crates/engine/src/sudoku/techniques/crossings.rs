//! The table of crossings: each box with each line that it shares three cells with, for locked candidates.

use super::geometry::{FIRST_BOX, FIRST_COLUMN, HOUSE_CELLS, Mask, one};
use crate::sudoku::board::HOUSES;

/// The crossings of a box and a line, in both directions, in scan order.
pub(super) const CROSSINGS: [Crossing; 108] = crossings();

/// A house, and another house that shares three cells with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// The house that is searched for the places of a digit.
    pub(super) from: usize,
    /// The house that crosses it.
    pub(super) into: usize,
    /// The shared cells, as places in `from`.
    pub(super) shared: Mask,
    /// The two other houses of the same kind as `from` that `into` also crosses, each with the shared cells as places in it.
    pub(super) beside: [(usize, Mask); 2],
}

/// All crossings: box and column, box and row, column and box, row and box. The first house of each pair is in the outer loop.
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

/// The places of a house that also lie in another house.
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
    use super::*;
    use crate::sudoku::techniques::geometry::cells_at;

    #[test]
    fn a_crossing_shares_three_cells() {
        for crossing in CROSSINGS {
            let shared = HOUSE_CELLS[crossing.from] & HOUSE_CELLS[crossing.into];
            assert_eq!(shared.count_ones(), 3, "{crossing:?}");
            assert_eq!(shared, cells_at(crossing.from, crossing.shared), "{crossing:?}");
        }
    }
}
