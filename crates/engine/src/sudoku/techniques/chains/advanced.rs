//! Further conclusions of a net, the consequences of one assumption, when no single is left: locked candidates, pairs,
//! X-Wings, and, from level 2 on, chains in the position that the assumption leaves. Each find names the removed
//! candidates that made it possible. A find that depends on no removal was possible before the assumption, and is
//! skipped.

use super::{
    Ground,
    nested::{Nested, Shop, nested},
    nodes::{Node, Notes},
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::{
        board::HOUSES,
        techniques::{
            geometry::{Cells, DIGITS, FIRST_COLUMN, HOUSE_CELLS, Mask, SCAN, bits, cell_at, cells, one, subsets},
            locked::CROSSINGS,
        },
    },
};

/// The candidates that a pattern removes, and the removals that it depends on.
#[derive(Debug, Clone)]
pub(super) struct Advanced {
    /// The candidates that the pattern removes.
    pub(super) removed: Vec<(usize, usize)>,
    /// The statements that the pattern depends on.
    pub(super) parents: Vec<Node>,
    /// The pattern or chain itself.
    pub(super) nested: Nested,
}

/// All finds of the easiest class that has any.
pub(super) fn advanced(
    ground: &Ground,
    left: &Notes,
    level: u8,
    inner: &mut Option<Box<Shop>>,
    budget: &mut Budget<'_>,
) -> Result<Vec<Advanced>, OutOfBudget> {
    budget.take_nodes(27)?;
    let patterns = Patterns { ground, left };
    for sort in [Patterns::locked, Patterns::hidden_pairs, Patterns::naked_pairs, Patterns::x_wings] {
        let mut found = Vec::new();
        sort(&patterns, &mut found);
        if !found.is_empty() {
            return Ok(found);
        }
    }
    if level < 2 {
        return Ok(Vec::new());
    }
    nested(ground, left, level, inner.get_or_insert_with(Box::default), budget)
}

/// Searches for patterns in what is left of a position.
struct Patterns<'a> {
    ground: &'a Ground,
    left: &'a Notes,
}

impl Patterns<'_> {
    fn locked(&self, found: &mut Vec<Advanced>) {
        for crossing in &CROSSINGS {
            let [from, into] = [HOUSE_CELLS[crossing.from], HOUSE_CELLS[crossing.into]];
            for digit in 1..10 {
                let places = self.left.of_digit[digit] & from;
                let removed = self.left.of_digit[digit] & into & !from;
                if places & !into == 0 && places & places.wrapping_sub(1) != 0 && removed != 0 {
                    let parents = self.gone(from & !into, digit).collect();
                    let pattern = self.ground.notes.of_digit[digit] & from & into;
                    keep(found, cells(removed).map(|cell| (cell, digit)), parents, pattern);
                }
            }
        }
    }

    fn hidden_pairs(&self, found: &mut Vec<Advanced>) {
        for house in SCAN.into_iter().filter(|&house| self.ground.empty_in[house].count_ones() > 4) {
            for pair in subsets(DIGITS, 2) {
                let places = |digit: usize| self.left.places(house, digit);
                let set = bits(pair).fold(0, |all, digit| all | places(digit));
                if set.count_ones() != 2 || bits(pair).any(|digit| places(digit) != set) {
                    continue;
                }
                let others = |cell: usize| bits(self.left.of_cell[cell] & !pair).map(move |digit| (cell, digit));
                let initial = |cell: usize| self.ground.notes.of_cell[cell] & pair;
                let parents = cells(HOUSE_CELLS[house] & !set);
                let parents = parents.flat_map(|cell| bits(initial(cell)).map(move |digit| Node::off(cell, digit)));
                keep(found, cells(set).flat_map(others), parents.collect(), set);
            }
        }
    }

    fn naked_pairs(&self, found: &mut Vec<Advanced>) {
        for house in SCAN.into_iter().filter(|&house| self.ground.empty_in[house].count_ones() >= 4) {
            let of = |place: usize| self.left.of_cell[usize::from(HOUSES[house][place])];
            let small = (0..9).filter(|&place| of(place).count_ones() == 2).map(|place| 1 << place).sum();
            for places in subsets(small, 2) {
                let pair: Mask = bits(places).fold(0, |all, place| all | of(place));
                if pair.count_ones() != 2 {
                    continue;
                }
                let set = bits(places).fold(0, |all, place| all | one(cell_at(house, 1 << place)));
                let removed = cells(HOUSE_CELLS[house] & !set)
                    .flat_map(|cell| bits(self.left.of_cell[cell] & pair).map(move |digit| (cell, digit)));
                let initial = |cell: usize| self.ground.notes.of_cell[cell] & !pair;
                let parents = cells(set).flat_map(|cell| bits(initial(cell)).map(move |digit| Node::off(cell, digit)));
                keep(found, removed, parents.collect(), set);
            }
        }
    }

    fn x_wings(&self, found: &mut Vec<Advanced>) {
        for (bases, covers) in [(FIRST_COLUMN, 0), (0, FIRST_COLUMN)] {
            for base in subsets(0x1ff, 2) {
                for digit in (1..10).filter(|&digit| self.ground.placed[digit] <= 5) {
                    self.x_wing(found, base_lines(bases, base), covers, digit);
                }
            }
        }
    }

    fn x_wing(&self, found: &mut Vec<Advanced>, bases: [Cells; 2], covers: usize, digit: usize) {
        let in_base = bases[0] | bases[1];
        let places = self.left.of_digit[digit] & in_base;
        if places.count_ones() != 4 || bases.iter().any(|base| (places & base).count_ones() != 2) {
            return;
        }
        let lines = HOUSE_CELLS[covers..covers + 9].iter().filter(|&line| line & places != 0);
        if lines.clone().count() == 2 {
            let cover = lines.fold(0, |all, line| all | line);
            let removed = self.left.of_digit[digit] & cover & !in_base;
            let parents = bases.into_iter().flat_map(|base| self.gone(base & !cover, digit)).collect();
            let pattern = self.ground.notes.of_digit[digit] & in_base & cover;
            keep(found, cells(removed).map(|cell| (cell, digit)), parents, pattern);
        }
    }

    /// The places of a digit that the assumption has removed.
    fn gone(&self, within: Cells, digit: usize) -> impl Iterator<Item = Node> {
        let gone = within & self.ground.notes.of_digit[digit] & !self.left.of_digit[digit];
        cells(gone).map(move |cell| Node::off(cell, digit))
    }
}

/// The cells of the two lines that a mask names.
fn base_lines(first: usize, lines: Mask) -> [Cells; 2] {
    let last = 15 - lines.leading_zeros() as usize;
    [HOUSE_CELLS[first + lines.trailing_zeros() as usize], HOUSE_CELLS[first + last]]
}

fn keep(found: &mut Vec<Advanced>, removed: impl Iterator<Item = (usize, usize)>, parents: Vec<Node>, pattern: Cells) {
    let removed: Vec<_> = removed.collect();
    if !parents.is_empty() && !removed.is_empty() {
        found.push(Advanced { removed, parents, nested: Nested::pattern(pattern) });
    }
}
