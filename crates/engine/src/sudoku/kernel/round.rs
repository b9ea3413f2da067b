//! What follows without a guess, for all cells and digits at once, round by round.
//!
//! A round is the same straight line of vector operations for every board:
//! - what a cell with one candidate holds can go from the rest of its box ("naked single"); if two hold the same, there is no
//!   solution;
//! - in a band a digit stands in three minirows, one in each row and one in each box. If a minirow is in none of the six
//!   arrangements that the other minirows allow, then the digit can go from it ("locked candidates" and more); the same
//!   with the minicolumns of a stack. So a naked single is taken from its row and its column too;
//! - a digit that has one cell in a minirow, and no other minirow in its box, is settled there, because the box needs it
//!   ("hidden single"; those of the row too, since the arrangements left the row no other minirow then). The same with
//!   minicolumns.

use super::lanes::{Lanes, each_row};

/// How far a board came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Some cell or box cannot be filled.
    Dead,
    /// Each cell has its digit, and every house all nine.
    Solved,
    /// Nothing follows any more.
    Open,
}

/// Takes rounds until nothing changes, or a contradiction shows. Then the board is worth nothing.
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

/// One round. None if a contradiction shows; else the board after it, and whether each cell had one candidate before it.
///
/// A board of singles that a round leaves as it is, is a solution: each box has all nine digits, and the arrangements left
/// no row or column with a digit twice.
#[inline(always)]
fn round<L: Lanes>(cells: [L; 3]) -> Option<([L; 3], bool)> {
    let several = each_row!(R => cells[R].without_lowest().some());
    let single = each_row!(R => cells[R].clear(several[R]));
    let taken = L::or3(single[0], single[1], single[2]);
    let turned = [taken.columns_on::<1>(), taken.columns_on::<2>()];
    // Two in different rows, or in different columns, of a box.
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

/// The next row of a band; after the last, the first.
const fn below(row: usize) -> usize {
    (row + 1) % 3
}

/// The row after the next.
const fn above(row: usize) -> usize {
    (row + 2) % 3
}
