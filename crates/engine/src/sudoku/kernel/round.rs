//! Deductions without a guess, in rounds. A round handles all cells and digits at once.
//!
//! A round is the same sequence of vector operations for every board:
//! - Naked singles: the digit of a cell with one candidate can be removed from the rest of its box. If two cells have
//!   the same one, there is no solution.
//! - Locked candidates and more: within a band, a digit is in three minirows, one in each row and one in each box. If a
//!   minirow is in none of the six arrangements that the other minirows allow, the digit can be removed from it. The
//!   same holds for the minicolumns of a stack. This also removes a naked single from its row and its column.
//! - Hidden singles: if a digit has one cell in a minirow, and no other minirow in its box, that cell has the digit,
//!   because the box needs it. This includes the hidden singles of the row, for which the arrangements left no other
//!   minirow. The same holds for minicolumns.

use super::lanes::{Lanes, each_row};

/// The state of a board after propagation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A contradiction: some cell or box cannot be filled.
    Dead,
    /// Each cell has a digit, and every house has all nine.
    Solved,
    /// No deduction is left.
    Open,
}

/// Runs rounds until nothing changes, or until a contradiction. After a contradiction, the board has no meaning.
#[inline(always)]
pub(super) fn propagate<L: Lanes>(board: &mut [L; 3]) -> Outcome {
    let mut cells = *board;
    loop {
        let Some((next, all_single)) = round(cells) else { return Outcome::Dead };
        if L::equal(&next, &cells) {
            *board = cells;
            return if all_single { Outcome::Solved } else { Outcome::Open };
        }
        cells = next;
    }
}

/// One round. `None` if there is a contradiction. Otherwise the board after the round, and whether each cell had one
/// candidate before it.
///
/// A board of singles that a round does not change is a solution: each box has all nine digits, and no row or column
/// has a digit twice, because the arrangements exclude that.
#[inline(always)]
fn round<L: Lanes>(cells: [L; 3]) -> Option<([L; 3], bool)> {
    let several = each_row!(R => cells[R].without_lowest().some());
    let single = each_row!(R => cells[R].clear(several[R]));
    let taken = L::or3(single[0], single[1], single[2]);
    let turned = [taken.columns_on::<1>(), taken.columns_on::<2>()];
    // Digits that occur twice in a box, in different rows or in different columns.
    let twice = L::majority(single[0], single[1], single[2]).or(L::majority(taken, turned[0], turned[1]));
    if twice.has_digits() {
        return None;
    }
    let taken = L::or3(taken, turned[0], turned[1]);
    let cells = each_row!(R => L::and_not_or(cells[R], taken, single[R]));

    let second = each_row!(R => cells[R].columns_on::<1>());
    let third = each_row!(R => cells[R].columns_on::<2>());
    let minirow = each_row!(R => L::or3(cells[R], second[R], third[R]));
    if !L::or3(minirow[0], minirow[1], minirow[2]).all_full() {
        return None;
    }
    let right = each_row!(R => minirow[R].boxes_on::<1>());
    let left = each_row!(R => minirow[R].boxes_on::<2>());
    let row_allows = each_row!(R => L::either_pair(right[below(R)], left[above(R)], left[below(R)], right[above(R)]));
    let minirow = each_row!(R => minirow[R].and(row_allows[R]));

    let minicolumn = L::or3(cells[0], cells[1], cells[2]);
    let column_allows = L::either_pair(
        minicolumn.bands_on::<1, 1>(),
        minicolumn.bands_on::<2, 2>(),
        minicolumn.bands_on::<1, 2>(),
        minicolumn.bands_on::<2, 1>(),
    );
    let minicolumn = minicolumn.and(column_allows);
    let others = [minicolumn.columns_on::<1>(), minicolumn.columns_on::<2>()];

    let hidden = each_row!(R => {
        let in_minirow = L::alone(cells[R], second[R], third[R]);
        let in_minicolumn = L::alone(cells[R], cells[below(R)], cells[above(R)]);
        L::alone(in_minirow, minirow[below(R)], minirow[above(R)]).or(L::alone(in_minicolumn, others[0], others[1]))
    });
    let next = each_row!(R => {
        L::and3(cells[R].replace(hidden[R].some(), hidden[R]), row_allows[R], column_allows)
    });
    if L::any_empty(&next) { None } else { Some((next, L::masks_are_empty(several))) }
}

/// The next row of a band, cyclically.
const fn below(row: usize) -> usize {
    (row + 1) % 3
}

/// The row after the next, cyclically.
const fn above(row: usize) -> usize {
    (row + 2) % 3
}
