//! Turns what a technique of Sudoku found into a step: the data from which `sentences.rs` writes the argument.

use super::{
    candidates::Candidates,
    chains::{Ground, proof},
    find::{CandidateSet, Find, Outcome, Pattern},
    geometry::{Cells, FIRST_BOX, FIRST_COLUMN, HOUSE_CELLS, Mask, SCAN, bits, cell_number, cells, digit_number, one},
};
use crate::shared::{
    budget::Budget,
    step::{Cell, Chain, House, HouseType, Link, Step},
};

/// Turns a find in a position into a step. Its chains are derived within the budget. If the budget ends, they have no
/// links.
pub(crate) fn write(before: &Candidates, find: &Find, budget: &mut Budget<'_>) -> Step {
    let (placed, removed) = match &find.outcome {
        Outcome::Place { cell, digit } => (vec![(cell_number(*cell), digit_number(*digit))], Vec::new()),
        Outcome::Remove(set) => (Vec::new(), listed(set)),
    };
    let chains = match &find.pattern {
        Pattern::Chain(hint) => proof(&Ground::of(before), hint, budget),
        _ => Vec::new(),
    };
    let parts = parts(before, &find.pattern);
    Step {
        technique: find.technique.name,
        rating: find.technique.rating,
        columns: 9,
        cells: numbers(parts.cells | chain_cells(&chains)),
        secondary_cells: parts.secondary_cells,
        digits: digits(parts.digits),
        secondary_digits: parts.secondary_digits,
        houses: parts.houses.into_iter().map(house).collect(),
        cover_houses: parts.cover_houses.into_iter().map(house).collect(),
        number: parts.number,
        placed,
        removed,
        chains,
    }
}

/// A house by its index in [`HOUSES`](crate::sudoku::board::HOUSES).
pub(super) fn house(index: usize) -> House {
    let house_type = match index {
        0..FIRST_COLUMN => HouseType::Row,
        FIRST_COLUMN..FIRST_BOX => HouseType::Column,
        _ => HouseType::Box,
    };
    House { house_type, number: cell_number(index % 9 + 1), cells: Vec::new(), sum: None, operator: None }
}

/// The data of a pattern. Houses are indices.
#[derive(Default)]
struct Parts {
    cells: Cells,
    secondary_cells: Vec<Cell>,
    digits: Mask,
    secondary_digits: Vec<u8>,
    houses: Vec<usize>,
    cover_houses: Vec<usize>,
    number: Option<i32>,
}

fn parts(before: &Candidates, pattern: &Pattern) -> Parts {
    match *pattern {
        Pattern::LastCell { house, cell } => {
            Parts { cells: one(cell), digits: before.of_cell(cell), houses: vec![house], ..Parts::default() }
        }
        Pattern::HiddenSingle { house, cell, digit } => {
            Parts { cells: one(cell), digits: 1 << digit, houses: vec![house], ..Parts::default() }
        }
        Pattern::NakedSingle { cell, digit } => Parts { cells: one(cell), digits: 1 << digit, ..Parts::default() },
        Pattern::Locked { from, into, digit, cells, single_in } => {
            let houses = [from].into_iter().chain(single_in).collect();
            Parts { cells, digits: 1 << digit, houses, cover_houses: vec![into], ..Parts::default() }
        }
        Pattern::NakedSet { house, cells, digits } | Pattern::HiddenSet { house, cells, digits } => {
            Parts { cells, digits, houses: vec![house], ..Parts::default() }
        }
        Pattern::Fish { digit, first_base, base, first_cover, cover, cells } => Parts {
            cells,
            digits: 1 << digit,
            houses: bits(base).map(|line| first_base + line).collect(),
            cover_houses: bits(cover).map(|line| first_cover + line).collect(),
            ..Parts::default()
        },
        Pattern::Wing { pivot, pincers, digit } => wing(before, pivot, pincers, digit),
        Pattern::Loop { kind, ring, pair, set_cells, set_digits } => Parts {
            cells: ring | set_cells,
            secondary_cells: numbers(set_cells),
            digits: pair,
            secondary_digits: digits(set_digits),
            houses: loop_house(before, kind, (ring, pair), (set_cells, set_digits)).into_iter().collect(),
            ..Parts::default()
        },
        Pattern::Grave { cells, digits: surplus, set_cells, set_digits } => Parts {
            cells: cells | set_cells,
            secondary_cells: numbers(set_cells),
            digits: surplus,
            secondary_digits: digits(set_digits),
            houses: shared_house(cells | set_cells).filter(|_| set_digits != 0).into_iter().collect(),
            number: cells.is_power_of_two().then(|| i32::try_from(before.count()).unwrap_or(i32::MAX)),
            ..Parts::default()
        },
        Pattern::Aligned { base, excluders } => {
            Parts { cells: base | excluders, secondary_cells: numbers(excluders), ..Parts::default() }
        }
        Pattern::Chain(hint) => {
            let (house, digits) = hint.options(before);
            Parts { houses: house.into_iter().collect(), digits, ..Parts::default() }
        }
    }
}

fn wing(before: &Candidates, pivot: usize, pincers: [usize; 2], digit: usize) -> Parts {
    let of_pivot = before.of_cell(pivot);
    let forcing = |pincer: usize| before.of_cell(pincer) & of_pivot & !(1 << digit);
    Parts {
        cells: one(pivot) | one(pincers[0]) | one(pincers[1]),
        secondary_cells: pincers.map(cell_number).to_vec(),
        digits: of_pivot,
        secondary_digits: pincers.into_iter().flat_map(|pincer| digits(forcing(pincer))).collect(),
        ..Parts::default()
    }
}

/// The house of the set of a loop of type 3, or of the locked digit of a loop of type 4.
fn loop_house(
    before: &Candidates,
    kind: usize,
    (ring, pair): (Cells, Mask),
    (set_cells, set_digits): (Cells, Mask),
) -> Option<usize> {
    let extra = cells(ring).filter(|&cell| before.of_cell(cell) != pair).fold(0, |all, cell| all | one(cell));
    match kind {
        3 => shared_house(extra | set_cells),
        4 => SCAN.into_iter().find(|&house| {
            let places = |digit: usize| before.of_digit(digit) & HOUSE_CELLS[house];
            bits(set_digits).all(|digit| places(digit) == set_cells)
        }),
        _ => None,
    }
}

/// A house that has all these cells.
fn shared_house(cells: Cells) -> Option<usize> {
    SCAN.into_iter().find(|&house| cells & !HOUSE_CELLS[house] == 0)
}

fn listed(set: &CandidateSet) -> Vec<(Cell, u8)> {
    let of_digit = |(digit, of_digit)| cells(of_digit).map(move |cell| (cell_number(cell), digit_number(digit)));
    let mut listed: Vec<_> = set.by_digit().flat_map(of_digit).collect();
    listed.sort_unstable();
    listed
}

fn chain_cells(chains: &[Chain]) -> Cells {
    let links = chains.iter().flat_map(|chain| &chain.links);
    let of_link =
        |link: &Link| link.pattern.iter().fold(one(link.then.cell.into()), |all, &cell| all | one(cell.into()));
    let assumed = chains.iter().fold(0, |all, chain| all | one(chain.assumption.cell.into()));
    links.fold(assumed, |all, link| all | of_link(link))
}

fn numbers(set: Cells) -> Vec<Cell> {
    cells(set).map(cell_number).collect()
}

fn digits(set: Mask) -> Vec<u8> {
    bits(set).map(digit_number).collect()
}
