//! Orders the rows and columns of a board with plain boxes by color refinement. A color is a number that does not depend on the order of
//! lines and digits. At first, all rows share a color, and so do all columns, bands, stacks, and digits. Each round derives new colors: the
//! color of a line depends on its band and on its givens. The rounds end when the number of colors no longer rises. If lines still share a
//! color, the search gives each of them in turn a new color.

use super::{LINES_MAX, Order};
use crate::{
    grid::{puzzle::Puzzle, variant::Areas},
    shared::text::{TextError, malformed},
};

/// The maximum number of orders that are compared for one text.
const ORDERS_MAX: usize = 4_096;

/// Calls `take` with each order that may give the canonical form of a puzzle. All isomorphs of the puzzle have the same
/// images under their orders.
///
/// # Errors
/// [`TextError::Malformed`] if there are more than [`ORDERS_MAX`] orders.
pub(super) fn orders(puzzle: &Puzzle, take: &mut dyn FnMut(Order)) -> Result<(), TextError> {
    let size = usize::from(puzzle.variant.size);
    let Areas::Boxes { rows, columns } = puzzle.variant.areas else { return Ok(()) };
    let mut left = ORDERS_MAX;
    for transposed in [false, true].into_iter().take(if puzzle.variant.is_square() { 2 } else { 1 }) {
        let given = |(cell, digit): (usize, &u8)| {
            let (row, column) = (cell / size, cell % size);
            let lines = if transposed { [column, row] } else { [row, column] };
            (lines, usize::from(*digit))
        };
        let filled = puzzle.digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        let board =
            Board { transposed, size, together: [rows, columns].map(usize::from), givens: filled.map(given).collect() };
        let is_done = Colors::FIRST.search(&board, &mut left, take);
        if !is_done {
            return Err(malformed(format!(
                "the board is too symmetric: more than {ORDERS_MAX} orders of its rows and columns look alike; use one that \
                 is neither nearly empty nor nearly full"
            )));
        }
    }
    Ok(())
}

struct Board {
    transposed: bool,
    size: usize,
    /// The number of rows of a band, and of columns of a stack.
    together: [usize; 2],
    /// The row, the column, and the digit of each given.
    givens: Vec<([usize; 2], usize)>,
}

/// The colors of one board. Refinement has not yet distinguished the items that share a color.
#[derive(Clone, Copy)]
struct Colors {
    /// Those of rows and columns.
    lines: [[u64; LINES_MAX]; 2],
    /// Those of bands and stacks.
    groups: [[u64; LINES_MAX]; 2],
    digits: [u64; LINES_MAX + 1],
}

impl Colors {
    const FIRST: Self = Self {
        lines: [[1; LINES_MAX], [2; LINES_MAX]],
        groups: [[3; LINES_MAX], [4; LINES_MAX]],
        digits: [5; LINES_MAX + 1],
    };

    /// Calls `take` with each order that follows from these colors. Returns false if there are more than `left`.
    fn search(mut self, board: &Board, left: &mut usize, take: &mut dyn FnMut(Order)) -> bool {
        self.refine(board);
        let Some((side, color)) = self.smallest_shared(board) else {
            let Some(rest) = left.checked_sub(1) else { return false };
            *left = rest;
            take(self.order(board));
            return true;
        };
        (0..board.size).filter(|line| self.lines[side][*line] == color).all(|line| {
            let mut next = self;
            next.lines[side][line] = mixed(color ^ CHOSEN);
            next.search(board, left, take)
        })
    }

    /// Repeats rounds until the number of colors no longer rises, or no two lines share a color.
    fn refine(&mut self, board: &Board) {
        let mut known = self.count(board);
        while self.smallest_shared(board).is_some() {
            *self = self.round(board);
            let count = self.count(board);
            if count == known {
                return;
            }
            known = count;
        }
    }

    /// All colors after one round. Each follows from the colors before it.
    fn round(&self, board: &Board) -> Self {
        let mut next = *self;
        let [rows, columns] = self.lines.map(|colors| colors.map(mixed));
        let digits = self.digits.map(|color| mixed(color).rotate_left(32));
        let add = |sum: &mut u64, color: u64| *sum = sum.wrapping_add(mixed(color));
        for &([row, column], digit) in &board.givens {
            add(&mut next.lines[0][row], columns[column] ^ digits[digit]);
            add(&mut next.lines[1][column], rows[row] ^ digits[digit]);
            add(&mut next.digits[digit], rows[row] ^ columns[column].rotate_left(32));
        }
        for side in 0..2 {
            for line in 0..board.size {
                let group = line / board.together[side];
                add(&mut next.lines[side][line], self.groups[side][group]);
                add(&mut next.groups[side][group], self.lines[side][line]);
            }
            next.lines[side] = next.lines[side].map(mixed);
            next.groups[side] = next.groups[side].map(mixed);
        }
        next.digits = next.digits.map(mixed);
        next
    }

    /// The number of different colors of lines, groups, and digits.
    fn count(&self, board: &Board) -> usize {
        let lines = self.lines.iter().map(|colors| &colors[..board.size]);
        let groups = self.groups.iter().zip(board.together).map(|(colors, of)| &colors[..board.size / of]);
        let different = |colors: &[u64]| sorted(colors).chunk_by(|one, other| one == other).count();
        lines.chain(groups).chain([&self.digits[1..=board.size]]).map(different).sum()
    }

    /// The color that the fewest lines share, with its side: 0 for rows, 1 for columns. `None` if no lines share a
    /// color.
    fn smallest_shared(&self, board: &Board) -> Option<(usize, u64)> {
        let mut smallest: Option<(usize, usize, u64)> = None;
        for side in 0..2 {
            for equal in sorted(&self.lines[side][..board.size]).chunk_by(|one, other| one == other) {
                let found = (equal.len(), side, equal[0]);
                if equal.len() > 1 && smallest.is_none_or(|smallest| found < smallest) {
                    smallest = Some(found);
                }
            }
        }
        smallest.map(|(_, side, color)| (side, color))
    }

    /// The order of the lines by their colors, and of bands and stacks by their first lines.
    fn order(&self, board: &Board) -> Order {
        let lines = [0, 1].map(|side| {
            let colors = &self.lines[side][..board.size];
            let first = |group: usize| colors.chunks(board.together[side]).nth(group).and_then(|of| of.iter().min());
            let mut order: Vec<_> = (0..board.size).collect();
            order.sort_unstable_by_key(|line| (first(line / board.together[side]), colors[*line]));
            std::array::from_fn(|at| order.get(at).map_or(0, |line| u8::try_from(*line).expect("a board has 16 lines")))
        });
        Order { transposed: board.transposed, lines }
    }
}

fn sorted(colors: &[u64]) -> Vec<u64> {
    let mut sorted = colors.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Changes the color of the line that the search chooses among lines of one color.
const CHOSEN: u64 = 0x5eed_0f0a_c010_0bed;

/// The finalizer of `SplitMix64`, with its constants: each bit of the number changes about half of the bits of the
/// result.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
