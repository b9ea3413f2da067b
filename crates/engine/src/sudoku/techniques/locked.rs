//! Locked candidates (Pointing, Claiming): all places of a digit in one house lie in another house that crosses it. Has the table
//! of crossings: each box with each line that it shares three cells with.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{FIRST_BOX, FIRST_COLUMN, HOUSE_CELLS, Mask, bits, cells_at, has_several, indices_where, one},
};
use crate::sudoku::board::HOUSES;

/// Locked candidates from a box into a line.
pub(super) const POINTING: Technique = Technique::new("Pointing", 26);
/// Locked candidates from a line into a box.
pub(super) const CLAIMING: Technique = Technique::new("Claiming", 28);

/// If all places of a digit in a box lie in one line, the digit can be removed from the rest of the line, because the box needs
/// it in that line: Pointing. With box and line exchanged: Claiming.
pub(super) fn locked(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let mut finds = patterns(candidates).filter_map(|(crossing, digit)| {
        let removed = HOUSE_CELLS[crossing.into] & !HOUSE_CELLS[crossing.from] & candidates.of_digit(digit);
        Some(Find {
            technique: if crossing.from < FIRST_BOX { CLAIMING } else { POINTING },
            outcome: Outcome::remove_digit(digit, removed)?,
            pattern: pattern(candidates, crossing, digit, None),
        })
    });
    finds.any(take)
}

/// Every digit whose places in a house, at least two, all lie in one crossing, whether or not this removes anything.
pub(super) fn patterns(candidates: &Candidates) -> impl Iterator<Item = (&'static Crossing, usize)> {
    CROSSINGS.iter().flat_map(|crossing| {
        let places = candidates.places(crossing.from);
        let digits = indices_where(places, |places| (places & !crossing.shared == 0) & has_several(places));
        bits(digits).map(move |digit| (crossing, digit))
    })
}

/// The pattern of a digit locked in a crossing. `single_in` is the house where that leaves a hidden single.
pub(super) fn pattern(candidates: &Candidates, crossing: &Crossing, digit: usize, single_in: Option<usize>) -> Pattern {
    let &Crossing { from, into, .. } = crossing;
    Pattern::Locked { from, into, digit, cells: cells_at(from, candidates.places(from)[digit]), single_in }
}

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
