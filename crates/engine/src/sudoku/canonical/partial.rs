//! Extends partial transformations row by row in the search for a canonical form. Keeps those whose line is the smallest so far.
//!
//! A partial transformation records the rows placed so far, the part of the column order that they determine, and the new names
//! of the digits. "Settled" means that the order of two neighboring columns or stacks is determined. The search tries equal rows or
//! bands in one order only, because exchanging them changes nothing.

use crate::sudoku::board::Grid;

/// A transformation whose side and first rows are settled. The order of columns and stacks is settled only as far as these rows
/// determine it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partial {
    /// 0 for the puzzle as it is, 1 with rows and columns exchanged.
    side: u8,
    rows: Rows,
    stacks: [Stack; 3],
    /// Bit 1 if the order of the first two stacks is settled, bit 2 for the last two.
    settled: u8,
    /// The new name of each digit that has appeared, 0 for the others.
    names: [u8; 10],
    /// The highest name in use; 0 if none is.
    named: u8,
}

/// Three columns of the source that form a stack, in their new order.
#[derive(Debug, Clone, Copy)]
struct Stack {
    columns: [u8; 3],
    /// Bit 1 if the order of the first two columns is settled, bit 2 for the last two.
    settled: u8,
}

impl Stack {
    fn is_blank(self, row: &Line) -> bool {
        self.columns.iter().all(|&column| row[usize::from(column)] == 0)
    }
}

/// A row as nine names of four bits, the first in the highest bits. Comparing two numbers compares the rows lexicographically.
type Packed = u64;

/// The smallest next row found so far, and the partial transformations that produce it.
pub(super) struct Smallest {
    line: Packed,
    tied: Vec<Partial>,
}

impl Partial {
    pub(super) fn unsettled(side: u8) -> Self {
        let stack = |first: u8| Stack { columns: [first, first + 1, first + 2], settled: 0 };
        Self { side, rows: 0, stacks: [stack(0), stack(3), stack(6)], settled: 0, names: [0; 10], named: 0 }
    }

    pub(super) fn side(&self) -> usize {
        usize::from(self.side)
    }

    /// The new name of a digit. A digit without a name gets the next one; 0 stays 0.
    fn name(&mut self, digit: u8) -> u8 {
        let name = &mut self.names[usize::from(digit)];
        if *name == 0 && digit != 0 {
            self.named += 1;
            *name = self.named;
        }
        *name
    }
}

impl Smallest {
    pub(super) fn new() -> Self {
        Self { line: Packed::MAX, tied: Vec::new() }
    }

    /// The smallest row, as nine digits.
    pub(super) fn line(&self) -> String {
        (0..9).rev().map(|at| char::from(b'0' + (self.line >> (4 * at) & 0xF) as u8)).collect()
    }

    /// Moves the transformations with the smallest row into `tied`, and resets the search for the next row.
    pub(super) fn take(&mut self, tied: &mut Vec<Partial>) {
        std::mem::swap(&mut self.tied, tied);
        self.line = Packed::MAX;
    }

    /// Extends a partial transformation by each row that may come next.
    pub(super) fn offer_rows(&mut self, side: &Side, partial: &Partial) {
        for row in side.next_rows(partial.rows) {
            let next = Partial { rows: partial.rows | 1 << row, ..*partial };
            self.place(&side.rows[row], next, 0, 0);
        }
    }

    /// Writes the row from position `at` on, in each way that may give the smallest line.
    fn place(&mut self, row: &Line, mut partial: Partial, mut at: usize, mut line: Packed) {
        while at < 9 {
            if at.is_multiple_of(3) && self.branches_by_stack(row, &mut partial, at, line) {
                return;
            }
            let Some(name) = self.next_name(row, &mut partial, at, line) else { return };
            line = line << 4 | Packed::from(name);
            at += 1;
            if line > self.line >> (4 * (9 - at)) {
                return;
            }
        }
        if line < self.line {
            self.line = line;
            self.tied.clear();
        }
        self.tied.push(partial);
    }

    /// Settles which stack comes at a position. A stack that is empty in this row comes first, and the order among several such
    /// stacks stays open. If several other stacks are possible, tries each of them and returns true.
    fn branches_by_stack(&mut self, row: &Line, partial: &mut Partial, at: usize, line: Packed) -> bool {
        let slot = at / 3;
        let end = (slot + 1..3).find(|&next| partial.settled >> next & 1 == 1).unwrap_or(3);
        if end == slot + 1 {
            return false;
        }
        let blank = |partial: &Partial, from: usize| (from..end).find(|&stack| partial.stacks[stack].is_blank(row));
        if let Some(first) = blank(partial, slot) {
            partial.stacks.swap(slot, first);
            if blank(partial, slot + 1).is_none() {
                partial.settled |= 1 << (slot + 1);
            }
            return false;
        }
        for stack in slot..end {
            let mut chosen = *partial;
            chosen.stacks.swap(slot, stack);
            chosen.settled |= 1 << (slot + 1);
            self.place(row, chosen, at, line);
        }
        true
    }

    /// Settles which column comes at a position, and returns the name there. An empty cell comes first, then the lowest name, and
    /// the order among equal cells stays open. If several digits without a name are possible, tries each of them and returns
    /// `None`.
    fn next_name(&mut self, row: &Line, partial: &mut Partial, at: usize, line: Packed) -> Option<u8> {
        let [slot, first] = [at / 3, at % 3];
        let stack = partial.stacks[slot];
        let end = (first + 1..3).find(|&next| stack.settled >> next & 1 == 1).unwrap_or(3);
        let digit = |place: usize| row[usize::from(stack.columns[place])];
        if end == first + 1 {
            return Some(partial.name(digit(first)));
        }
        // A digit without a name would get the next one, which is higher than all others.
        let names = partial.names;
        let name = |digit: u8| match (digit, names[usize::from(digit)]) {
            (0, _) => 0,
            (_, 0) => u8::MAX,
            (_, name) => name,
        };
        let lowest = (first..end).min_by_key(|&place| name(digit(place))).unwrap_or(first);
        if name(digit(lowest)) != u8::MAX {
            settle(partial, slot, [first, lowest, end], row);
            return Some(partial.name(digit(lowest)));
        }
        for place in first..end {
            if (first..place).all(|before| digit(before) != digit(place)) {
                let mut chosen = *partial;
                settle(&mut chosen, slot, [first, place, end], row);
                let line = line << 4 | Packed::from(chosen.name(digit(place)));
                if line <= self.line >> (4 * (8 - at)) {
                    self.place(row, chosen, at + 1, line);
                }
            }
        }
        None
    }
}

/// Moves a column to the first of its possible places. This settles its order relative to the remaining columns, unless one of
/// them has the same digit in this row.
fn settle(partial: &mut Partial, slot: usize, [first, place, end]: [usize; 3], row: &Line) {
    let stack = &mut partial.stacks[slot];
    stack.columns.swap(first, place);
    let digit = |place: usize| row[usize::from(stack.columns[place])];
    if (first + 1..end).all(|other| digit(other) != digit(first)) {
        stack.settled |= 1 << (first + 1);
    }
}

/// The nine cells of a row or column; 0 is an empty cell.
type Line = [u8; 9];

/// A set of rows; bit n is row n.
type Rows = u16;

/// A grid, read by rows or by columns, with its equal rows and bands.
pub(super) struct Side {
    rows: [Line; 9],
    /// For each row, the earlier rows of its band that are equal to it.
    twins: [Rows; 9],
    /// For each band, the rows of all earlier bands that consist of the same three rows in any order.
    twin_bands: [Rows; 3],
}

impl Side {
    pub(super) fn of(grid: &Grid) -> Self {
        let rows: [Line; 9] = std::array::from_fn(|row| std::array::from_fn(|column| grid.cells()[row * 9 + column]));
        let twins = std::array::from_fn(|row| {
            (row / 3 * 3..row).filter(|&other| rows[other] == rows[row]).fold(0, |twins, other| twins | 1 << other)
        });
        let sorted = [0, 3, 6].map(|first| {
            let mut band = [rows[first], rows[first + 1], rows[first + 2]];
            band.sort_unstable();
            band
        });
        let twin_bands = std::array::from_fn(|band| {
            (0..band).filter(|&other| sorted[other] == sorted[band]).fold(0, |rows, other| rows | band_rows(other))
        });
        Self { rows, twins, twin_bands }
    }

    /// The rows that may come next: the remaining rows of an incomplete band, or else any row of an unused band. Of equal rows or
    /// bands, includes only the first unused one.
    fn next_rows(&self, used: Rows) -> impl Iterator<Item = usize> + '_ {
        let begun = (0..3).find(|&band| ![0, band_rows(band)].contains(&(used & band_rows(band))));
        let fits = move |row: usize| {
            let band = row / 3;
            let band_is_next = match begun {
                Some(begun) => begun == band,
                None => self.twin_bands[band] & !used == 0,
            };
            band_is_next && used & 1 << row == 0 && self.twins[row] & !used == 0
        };
        (0..9).filter(move |&row| fits(row))
    }
}

const fn band_rows(band: usize) -> Rows {
    0b111 << (band * 3)
}
