//! Multiple forcing chains: what all candidates of a cell, or all places of a digit in a house, lead to.

use super::{
    Class,
    implied::{Led, Strong},
    remove,
};
use crate::sudoku::{
    board::CELLS,
    techniques::{
        candidates::Candidates,
        geometry::{Cells, HOUSE_CELLS, bits, cell_at, cells, has_several, one},
    },
};

/// The maximum number of nodes, in all branches together, of chains that count as short. Such chains are rated at most 8.4.
const SHORT: u16 = 18;

/// What a candidate rules out, and after how many links.
struct Fall {
    off: [Cells; 10],
    links: [[u16; CELLS]; 10],
}

/// Removes the candidates that are ruled out by every candidate of a cell, or by every place of a digit in a house. Uses
/// short chains, and longer ones only if these find nothing.
pub(super) fn multiple(position: &mut Candidates) -> Option<Class> {
    let strong = Strong::of(position);
    let (mut falls, mut index) = (Vec::with_capacity(256), [[0; CELLS]; 10]);
    for (digit, index) in index.iter_mut().enumerate().skip(1) {
        for cell in cells(position.of_digit(digit)) {
            let mut fall = Fall { off: [0; 10], links: [[0; CELLS]; 10] };
            let seen = |digit: usize, fallen, links| cells(fallen).for_each(|cell| fall.links[digit][cell] = links);
            if let Some(led) = Led::by(position, &strong, cell, digit, seen) {
                fall.off = led.off;
            }
            index[cell] = falls.len();
            falls.push(fall);
        }
    }
    // Eliminations by short chains, and those by longer ones.
    let [mut by_short, mut by_long] = [[0; 10]; 2];
    let mut common = |of: &[&Fall]| {
        for (digit, (by_short, by_long)) in by_short.iter_mut().zip(&mut by_long).enumerate() {
            for cell in cells(of.iter().fold(Cells::MAX, |all, fall| all & fall.off[digit])) {
                let nodes: u16 = of.iter().map(|fall| fall.links[digit][cell] + 1).sum();
                *(if nodes > SHORT { &mut *by_long } else { &mut *by_short }) |= one(cell);
            }
        }
    };
    for cell in cells(position.empty()) {
        let of: Vec<_> = bits(position.of_cell(cell)).map(|digit| &falls[index[digit][cell]]).collect();
        common(&of);
    }
    for house in 0..HOUSE_CELLS.len() {
        for (digit, &places) in position.places(house).iter().enumerate().filter(|(_, places)| has_several(**places)) {
            let of: Vec<_> = bits(places).map(|at| &falls[index[digit][cell_at(house, 1 << at)]]).collect();
            common(&of);
        }
    }
    for (class, fallen) in [(Class::Multiple, by_short), (Class::Long, by_long)] {
        let before = position.count();
        for (digit, &fallen) in fallen.iter().enumerate() {
            remove(position, digit, fallen & position.of_digit(digit));
        }
        if position.count() < before {
            return Some(class);
        }
    }
    None
}
