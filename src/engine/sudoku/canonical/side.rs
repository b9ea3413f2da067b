//! A grid as a set of lines, and which of them are equal: of equal lines, and of equal threes of lines, only one order
//! has to be looked at.

use crate::engine::sudoku::{board::Grid, transform::transposed};

/// A row, or a column, of a grid.
pub(super) type Line = [u8; 9];

/// One of the two ways to read a grid, and which of its parts are equal.
pub(super) struct Side {
    pub(super) rows: [Line; 9],
    row_twins: Twins,
    column_twins: Twins,
}

/// For each line the first equal one of its three, and for each three the first one of the same lines.
struct Twins {
    lines: [usize; 9],
    threes: [usize; 3],
}

impl Side {
    pub(super) fn of(grid: &Grid) -> Self {
        let rows = lines_of(grid);
        Self { row_twins: Twins::of(&rows), column_twins: Twins::of(&lines_of(&transposed(grid))), rows }
    }

    /// The rows that may come after these: the rest of a band begun, else any row of another band. Of equal ones, the
    /// first.
    pub(super) fn next_rows<'a>(&'a self, placed: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        let twins = &self.row_twins;
        let used = |row: usize| placed.iter().any(|&placed| usize::from(placed) == row);
        let begun = if placed.len().is_multiple_of(3) { None } else { placed.last().map(|&row| usize::from(row) / 3) };
        let free = move |band: usize| !(band * 3..band * 3 + 3).any(used);
        let first_of_twins =
            move |band: usize| !(0..band).any(|other| twins.threes[other] == twins.threes[band] && free(other));
        let band_is_next = move |band: usize| begun.map_or(free(band) && first_of_twins(band), |begun| band == begun);
        (0..9).filter(move |&row| {
            band_is_next(row / 3)
                && !used(row)
                && !(row / 3 * 3..row).any(|other| twins.lines[other] == twins.lines[row] && !used(other))
        })
    }

    /// Numbers of givens that a row has in each stack, fewest first. Of rows without repeated digits, the one with the
    /// first numbers writes the first line: empty cells come first in each stack, the emptiest stack first.
    pub(super) fn givens_by_stack(&self, row: usize) -> [usize; 3] {
        let mut givens = [0, 1, 2].map(|stack| self.givens(row, stack));
        givens.sort_unstable();
        givens
    }

    fn givens(&self, row: usize, stack: usize) -> usize {
        self.rows[row][stack * 3..][..3].iter().filter(|&&digit| digit != 0).count()
    }
}

impl Twins {
    fn of(lines: &[Line; 9]) -> Self {
        let mut threes = [0, 1, 2].map(|three| [lines[three * 3], lines[three * 3 + 1], lines[three * 3 + 2]]);
        let twin = |line: usize| (line / 3 * 3..line).find(|&other| lines[other] == lines[line]).unwrap_or(line);
        let line_twins = std::array::from_fn(twin);
        for three in &mut threes {
            three.sort_unstable();
        }
        let twin = |three: usize| (0..three).find(|&other| threes[other] == threes[three]).unwrap_or(three);
        Self { lines: line_twins, threes: std::array::from_fn(twin) }
    }
}

fn lines_of(grid: &Grid) -> [Line; 9] {
    std::array::from_fn(|row| std::array::from_fn(|column| grid.cells()[row * 9 + column]))
}

/// The orders of columns, of equal ones only one; unless the row may hold a digit twice, only those that write its
/// empty cells as early as can be.
pub(super) fn column_orders(side: &Side, row: usize, repeats: bool) -> Vec<Line> {
    let twins = &side.column_twins;
    let inside = [0, 1, 2].map(|stack| {
        let is_given = |column: usize| side.rows[row][stack * 3 + column] != 0;
        let fits = move |order: &[usize; 3]| {
            sorted(*order, |column| twins.lines[stack * 3 + column])
                && (repeats || order.is_sorted_by_key(|&column| is_given(column)))
        };
        ORDERS.into_iter().filter(fits).collect::<Vec<_>>()
    });
    let fits = |order: &[usize; 3]| {
        sorted(*order, |stack| twins.threes[stack])
            && (repeats || order.is_sorted_by_key(|&stack| side.givens(row, stack)))
    };
    let mut found = Vec::new();
    for [a, b, c] in ORDERS.into_iter().filter(fits) {
        for first in &inside[a] {
            for second in &inside[b] {
                for third in &inside[c] {
                    let chosen = [(a, first), (b, second), (c, third)];
                    let column = |at: usize| chosen[at / 3].0 * 3 + chosen[at / 3].1[at % 3];
                    found.push(std::array::from_fn(|at| u8::try_from(column(at)).unwrap_or(0)));
                }
            }
        }
    }
    found
}

/// Whether equal parts stand in their old order.
fn sorted(order: [usize; 3], twin: impl Fn(usize) -> usize) -> bool {
    [(0, 1), (0, 2), (1, 2)].into_iter().all(|(a, b)| twin(order[a]) != twin(order[b]) || order[a] < order[b])
}

pub(super) const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
