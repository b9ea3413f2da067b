//! Extends partial transformations row by row in the search for a canonical form. Keeps those whose line is the smallest so far.
//!
//! A partial transformation records the rows placed so far, the part of the column order that they determine, and the new names
//! of the digits. "Settled" means that the order of two neighboring columns or stacks is determined.

use super::side::{Line, Rows, Side};

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
                let name = chosen.name(digit(place));
                self.place_after(row, chosen, at, line << 4 | Packed::from(name));
            }
        }
        None
    }

    /// Continues after the position just written, unless the line is already greater than the smallest.
    fn place_after(&mut self, row: &Line, partial: Partial, at: usize, line: Packed) {
        if line <= self.line >> (4 * (8 - at)) {
            self.place(row, partial, at + 1, line);
        }
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
