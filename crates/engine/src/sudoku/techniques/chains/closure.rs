//! The consequences of an assumption as sets, without order, parents, or lengths. A net has no more consequences than
//! these. So if the sets show that branches have nothing in common, no nets are built.

use super::{
    hint::Rules,
    nodes::{Notes, WAYS},
};
use crate::sudoku::techniques::geometry::{Cells, HOMES, HOUSE_CELLS, Mask, bits, cells, has_several, one};

/// A superset of the consequences of an assumption by singles.
#[derive(Debug, Clone)]
pub(super) struct Closure {
    /// For each digit, the cells in which it is true.
    pub(super) on: [Cells; 10],
    /// For each digit, the cells in which it is ruled out.
    pub(super) off: [Cells; 10],
    /// Whether some candidate is both true and false. If so, the sets are incomplete.
    pub(super) has_clash: bool,
}

impl Closure {
    pub(super) const EMPTY: Self = Self { on: [0; 10], off: [0; 10], has_clash: false };

    /// Whether these closures, which must be complete, have a common consequence for the candidates of a position.
    pub(super) fn meet(notes: &Notes, complete: &[&Self]) -> bool {
        (1..10).any(|digit| {
            let all = notes.of_digit[digit];
            let [on, off] = complete
                .iter()
                .fold([all, all], |[on, off], closure| [on & closure.on[digit], off & closure.off[digit]]);
            on | off != 0
        })
    }

    /// Whether the removal of some candidates may add consequences.
    pub(super) fn is_moved(&self, gone: &Gone) -> bool {
        !self.has_clash
            && match gone {
                Gone::Static(ways) => ways.iter().zip(&self.off).any(|(ways, off)| ways & off != 0),
                Gone::Dynamic(spots) => spots.iter().any(|spot| self.is_moved_at(spot)),
            }
    }

    /// Whether a removal leaves a cell or house with at most one option that is not known to be true.
    fn is_moved_at(&self, spot: &Spot) -> bool {
        let (on, off) = (self.on[spot.digit], self.off[spot.digit]);
        let is_one = |places: Cells| places != 0 && places & on == 0 && has_one_at_most(places & !off);
        off & one(spot.cell) == 0 && (spot.places.into_iter().any(is_one) || self.is_cell_moved(spot))
    }

    fn is_cell_moved(&self, spot: &Spot) -> bool {
        let is_true = |of: &[Cells; 10], digit: usize| of[digit] & one(spot.cell) != 0;
        let mut left = spot.digits;
        for digit in bits(spot.digits) {
            if is_true(&self.on, digit) {
                return false;
            }
            left &= !(Mask::from(is_true(&self.off, digit)) << digit);
        }
        spot.digits != 0 && !has_several(left)
    }
}

/// The possible effects of the candidates that a position has lost.
#[derive(Debug)]
pub(super) enum Gone {
    /// For each digit, the options of the cells and houses in which two options are left.
    Static([Cells; 10]),
    /// Each lost candidate with the options around it.
    Dynamic(Vec<Spot>),
}

/// The location of a lost candidate, and the options left around it.
#[derive(Debug)]
pub(super) struct Spot {
    cell: usize,
    digit: usize,
    /// The other places of the digit in its three houses.
    places: [Cells; 3],
    /// The other digits of the cell. Empty if only one digit counts.
    digits: Mask,
}

impl Gone {
    /// The candidates lost between two positions. `None` if the second has candidates that the first does not have.
    pub(super) fn between(before: &Notes, now: &Notes, rules: Rules) -> Option<Self> {
        if before.of_digit.iter().zip(now.of_digit).any(|(before, now)| now & !before != 0) {
            return None;
        }
        let gone = |digit: usize| before.of_digit[digit] & !now.of_digit[digit];
        let spots = (1..10).flat_map(|digit| cells(gone(digit)).map(move |cell| Spot::at(now, rules, cell, digit)));
        Some(if rules.dynamic { Self::Dynamic(spots.collect()) } else { Self::Static(ways(spots)) })
    }
}

impl Spot {
    fn at(now: &Notes, rules: Rules, cell: usize, digit: usize) -> Self {
        let places = WAYS.map(|way| now.of_digit[digit] & HOUSE_CELLS[HOMES[cell][way].0]);
        Self { cell, digit, places, digits: if rules.one_digit { 0 } else { now.of_cell[cell] } }
    }
}

/// For each digit, the options of the cells and houses in which two options are left.
fn ways(spots: impl Iterator<Item = Spot>) -> [Cells; 10] {
    let mut ways = [0; 10];
    for spot in spots {
        for places in spot.places.into_iter().filter(|places| places.count_ones() == 2) {
            ways[spot.digit] |= places;
        }
        if spot.digits.count_ones() == 2 {
            bits(spot.digits).for_each(|digit| ways[digit] |= one(spot.cell));
        }
    }
    ways
}

/// Whether a set has at most one member.
const fn has_one_at_most(set: Cells) -> bool {
    set & set.wrapping_sub(1) == 0
}
