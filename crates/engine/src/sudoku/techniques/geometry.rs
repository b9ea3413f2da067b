//! Board tables in the form that techniques use: houses and peers as bit sets of cells, the scan order, and helpers for bit sets.

use crate::{
    shared::step::Cell,
    sudoku::board::{CELLS, HOUSES, PEERS, box_of, column_of, row_of},
};

/// A set of cells; bit n is cell n.
pub(in crate::sudoku) type Cells = u128;

/// A set of places in a house, where bit n is its n-th cell in reading order; or a set of digits, where bit n is digit n.
pub(in crate::sudoku) type Mask = u16;

/// All digits, 1–9.
pub(in crate::sudoku) const DIGITS: Mask = 0x3fe;

/// Index in [`HOUSES`] of the first box. Rows start at 0, columns at [`FIRST_COLUMN`].
pub(in crate::sudoku) const FIRST_BOX: usize = 18;

/// Index in [`HOUSES`] of the first column.
pub(in crate::sudoku) const FIRST_COLUMN: usize = 9;

/// The scan order of houses: boxes, columns, rows. EP and ED depend on it.
pub(super) const SCAN: [usize; 27] = scan();

/// The cells of each house.
pub(in crate::sudoku) const HOUSE_CELLS: [Cells; 27] = house_cells();

/// The peers of each cell.
pub(in crate::sudoku) const SEEN: [Cells; CELLS] = seen();

/// The three houses of each cell (row, column, box), each with the cell's place in it as a one-bit mask.
pub(in crate::sudoku) const HOMES: [[(usize, Mask); 3]; CELLS] = homes();

/// The members of a mask, lowest first.
pub(in crate::sudoku) fn bits(mask: Mask) -> impl Iterator<Item = usize> + Clone {
    let mut left = u32::from(mask);
    std::iter::from_fn(move || {
        let lowest = left.trailing_zeros() as usize;
        let is_there = left != 0;
        left &= left.wrapping_sub(1);
        is_there.then_some(lowest)
    })
}

/// The members of a set of cells, in reading order. It visits the set in halves of 64 bits, because most finders spend most of
/// their time here.
#[expect(clippy::cast_possible_truncation, reason = "the two halves of the set")]
pub(in crate::sudoku) fn cells(set: Cells) -> impl Iterator<Item = usize> + Clone {
    let (mut low, mut high) = (set as u64, (set >> 64) as u64);
    std::iter::from_fn(move || {
        if low != 0 {
            let cell = low.trailing_zeros() as usize;
            low &= low - 1;
            return Some(cell);
        }
        if high == 0 {
            return None;
        }
        let cell = 64 + high.trailing_zeros() as usize;
        high &= high - 1;
        Some(cell)
    })
}

/// The set of one cell.
pub(in crate::sudoku) const fn one(cell: usize) -> Cells {
    1 << cell
}

/// A digit in the type that boards and steps use.
#[expect(clippy::cast_possible_truncation, reason = "digits are at most 9")]
pub(super) const fn digit_number(digit: usize) -> u8 {
    digit as u8
}

/// A cell in the type that steps use.
#[expect(clippy::cast_possible_truncation, reason = "cells are below 81")]
pub(super) const fn cell_number(cell: usize) -> Cell {
    cell as Cell
}

/// The cells at a set of places of a house.
pub(super) fn cells_at(house: usize, places: Mask) -> Cells {
    bits(places).map(|place| one(usize::from(HOUSES[house][place]))).sum()
}

/// The cell at one place of a house, given as a one-bit mask.
pub(super) fn cell_at(house: usize, place: Mask) -> usize {
    usize::from(HOUSES[house][place.trailing_zeros() as usize])
}

/// Whether a mask has two members or more.
pub(super) const fn has_several(mask: Mask) -> bool {
    mask & mask.wrapping_sub(1) != 0
}

/// The indices of the masks, among the first ten, that pass a test. It has no branches if the test has none, because
/// the finders use most of their time for it.
pub(super) fn indices_where(masks: &[Mask], test: impl Fn(Mask) -> bool) -> Mask {
    masks.iter().enumerate().map(|(index, &mask)| Mask::from(test(mask)) << index).sum()
}

/// Whether a mask has two to `size` members.
pub(super) const fn is_small(mask: Mask, size: u32) -> bool {
    has_several(mask) & (mask.count_ones() <= size)
}

/// The items, at most `N`, in an array without an allocation, and their number.
pub(in crate::sudoku) fn gathered<T: Copy + Default, const N: usize>(
    items: impl Iterator<Item = T>,
) -> ([T; N], usize) {
    let (mut all, mut len) = ([T::default(); N], 0);
    for item in items {
        all[len] = item;
        len += 1;
    }
    (all, len)
}

/// The subsets of `of` with `size` members, as numbers in increasing order: {1,2}, {1,3}, {2,3}, {1,4} …
pub(super) fn subsets(of: Mask, size: u32) -> impl Iterator<Item = Mask> {
    let last = if of.count_ones() < size { 0 } else { of };
    let mut subset = 0;
    std::iter::from_fn(move || {
        // Subtracting the whole set steps to the next number whose members all lie in the set.
        while subset != last {
            subset = subset.wrapping_sub(of) & of;
            if u32::from(SIZES[usize::from(subset)]) == size {
                return Some(subset);
            }
        }
        None
    })
}

/// The number of members of each mask. This is a table, because not every supported processor can count bits.
const SIZES: [u8; 1024] = sizes();

#[expect(clippy::cast_possible_truncation, reason = "a mask has ten bits")]
const fn sizes() -> [u8; 1024] {
    let mut sizes = [0; 1024];
    let mut mask = 0;
    while mask < sizes.len() {
        sizes[mask] = mask.count_ones() as u8;
        mask += 1;
    }
    sizes
}

const fn scan() -> [usize; 27] {
    let mut order = [0; 27];
    let mut at = 0;
    while at < 27 {
        order[at] = (2 - at / 9) * 9 + at % 9;
        at += 1;
    }
    order
}

const fn house_cells() -> [Cells; 27] {
    let mut sets = [0; 27];
    let mut house = 0;
    while house < 27 {
        let mut place = 0;
        while place < 9 {
            sets[house] |= one(HOUSES[house][place] as usize);
            place += 1;
        }
        house += 1;
    }
    sets
}

const fn seen() -> [Cells; CELLS] {
    let mut sets = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut peer = 0;
        while peer < 20 {
            sets[cell] |= one(PEERS[cell][peer] as usize);
            peer += 1;
        }
        cell += 1;
    }
    sets
}

const fn homes() -> [[(usize, Mask); 3]; CELLS] {
    let mut homes = [[(0, 0); 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (row_of(cell), column_of(cell));
        let place_in_box = row % 3 * 3 + column % 3;
        homes[cell] =
            [(row, 1 << column), (FIRST_COLUMN + column, 1 << row), (FIRST_BOX + box_of(cell), 1 << place_in_box)];
        cell += 1;
    }
    homes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_in_increasing_order() {
        let found: Vec<_> = subsets(0b11_0110, 2).collect();
        assert_eq!(found, [0b110, 0b1_0010, 0b1_0100, 0b10_0010, 0b10_0100, 0b11_0000]);
        assert_eq!(subsets(0b1_0000, 2).count(), 0);
        assert_eq!(subsets(0x1ff, 3).count(), 84);
    }
}
