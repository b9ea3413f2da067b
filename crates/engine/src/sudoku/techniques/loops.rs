//! Unique Rectangles and Unique Loops: rings of cells that two digits alone could fill in two ways. This file finds the rings and
//! chooses the easiest use. `loop_types.rs` has the four types of use.

use super::{
    candidates::Candidates,
    find::{Find, Take, Technique},
    geometry::{Cells, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells, one},
    loop_types::{Ring, find_all},
};
use crate::shared::level::Tenths;

/// The maximum number of cells of a ring: each of the nine rows has at most two of them.
const RING_MAX: usize = 18;

/// A ring of cells has two cells in each house that it meets. If two digits alone filled it, they could be swapped, and the
/// puzzle would have two solutions. So some cell of the ring holds another digit: Unique Rectangle for four cells, Unique Loop
/// for more. The easiest use is taken; of equal uses, the lowest type.
pub(super) fn unique_loop(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let mut finds = Vec::new();
    let mut keep = |find| finds.push(find);
    for start in cells(candidates.empty()).filter(|&cell| candidates.of_cell(cell).count_ones() == 2) {
        let pair = candidates.of_cell(start);
        let with_pair = bits(pair).fold(Cells::MAX, |all, digit| all & candidates.of_digit(digit));
        let mut walk =
            Walk { candidates, pair, with_pair, path: [start; RING_MAX], turns: [0; 2], len: 0, keep: &mut keep };
        walk.extend(start, 2, 0, None);
    }
    // The sort is stable, so of equal finds, the first one stays first.
    finds.sort_by_key(|find| (find.technique.rating, find.pattern.loop_type()));
    finds.into_iter().any(take)
}

/// A walk from cell to cell, each with both digits of the pair as candidates, until it returns to its start.
struct Walk<'a> {
    candidates: &'a Candidates,
    pair: Mask,
    /// The cells that have both digits as candidates.
    with_pair: Cells,
    path: [usize; RING_MAX],
    /// The cells at even positions of the path, and those at odd ones.
    turns: [Cells; 2],
    len: usize,
    keep: &'a mut dyn FnMut(Find),
}

impl Walk<'_> {
    /// Continues a walk from a cell. At most two cells may have further candidates, unless all have the same one. `extra` holds
    /// the further candidates met so far. `came_by` is the kind of house (box, row, or column) of the last move, which the next
    /// move must not repeat.
    fn extend(&mut self, cell: usize, extra_cells_left: i32, mut extra: Mask, came_by: Option<usize>) {
        if self.len == RING_MAX {
            return;
        }
        self.path[self.len] = cell;
        self.turns[self.len % 2] |= one(cell);
        self.len += 1;
        let start = if self.len >= 4 { one(self.path[0]) } else { 0 };
        let open = self.with_pair & !(self.turns[0] | self.turns[1]) | start;
        for way in [2, 0, 1].into_iter().filter(|&way| Some(way) != came_by) {
            for next in cells(HOUSE_CELLS[HOMES[cell][way].0] & open) {
                if next == self.path[0] {
                    self.close();
                    continue;
                }
                let digits = self.candidates.of_cell(next);
                extra |= digits & !self.pair;
                let has_extra = digits != self.pair;
                let may_continue = !has_extra || extra.is_power_of_two() || extra_cells_left > 0;
                // If a house has two cells at even positions, or two at odd ones, the ring is not deadly.
                if may_continue && SEEN[next] & self.turns[self.len % 2] == 0 {
                    self.extend(next, extra_cells_left - i32::from(has_extra), extra, Some(way));
                }
            }
        }
        self.len -= 1;
        self.turns[self.len % 2] &= !one(cell);
    }

    fn close(&mut self) {
        let path = &self.path[..self.len];
        if is_deadly(path) {
            let cells = path.iter().fold(0, |all, &cell| all | one(cell));
            find_all(self.candidates, &Ring { cells, pair: self.pair }, path, self.keep);
        }
    }
}

/// Whether each house that a ring meets has one cell at an even position and one at an odd one. Only then can two digits fill the
/// ring in two ways without a change elsewhere.
fn is_deadly(path: &[usize]) -> bool {
    let mut met = [0_u32; 2];
    for (at, &cell) in path.iter().enumerate() {
        for (house, _) in HOMES[cell] {
            if met[at % 2] & 1 << house != 0 {
                return false;
            }
            met[at % 2] |= 1 << house;
        }
    }
    met[0] == met[1]
}

/// The technique of a ring with these cells, by type; `harder` is what a set adds to the rating, in tenths.
pub(super) fn technique(ring: Cells, kind: usize, harder: u8) -> Technique {
    let (first, rating) = match ring.count_ones() {
        4 => (0, 45),
        6 => (4, 46),
        8 => (4, 47),
        _ => (4, 50),
    };
    Technique { rating: Tenths(rating + harder), ..LOOPS[first + kind - 1] }
}

/// The number of tenths by which the longest ring is rated above the shortest Unique Loop.
pub(super) const LONGER_LOOP_TENTHS: u8 = 4;

/// The four types for a rectangle, then for a longer ring, each with its easiest rating.
pub(super) const LOOPS: [Technique; 8] = [
    Technique::new("Unique Rectangle 1", 45),
    Technique::new("Unique Rectangle 2", 45),
    Technique::new("Unique Rectangle 3", 45),
    Technique::new("Unique Rectangle 4", 45),
    Technique::new("Unique Loop 1", 46),
    Technique::new("Unique Loop 2", 46),
    Technique::new("Unique Loop 3", 46),
    Technique::new("Unique Loop 4", 46),
];
