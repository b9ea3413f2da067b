//! The rules on the blocks of a layout while it is being made.

use super::grid::White;

/// Whether the first and the last inner row and column each have a white cell.
pub(super) fn outer_lines_have_white(white: &White) -> bool {
    let (width, height) = (white.width(), white.height());
    let mut rows = [1, height - 1].into_iter().map(|row| row * width..(row + 1) * width);
    let mut columns = [1, width - 1].into_iter().map(|column| (column..width * height).step_by(width));
    rows.all(|mut row| row.any(|cell| white.is_white(cell)))
        && columns.all(|mut column| column.any(|cell| white.is_white(cell)))
}

/// The number of inner blocks, and of those among them that carry no clue: the cell to the right and the cell below are no white
/// cells.
pub(super) fn count(white: &White) -> (usize, usize) {
    let (width, cells) = (white.width(), white.signs().len());
    let is_white = |cell: usize| cell < cells && white.is_white(cell);
    let inner = (width..cells).filter(|cell| cell % width > 0 && !white.is_white(*cell));
    // The cell after the last one of a row is in the outer column, so it is never white.
    let without_clue = |block: usize| !is_white(block + 1) && !is_white(block + width);
    inner.fold((0, 0), |(blocks, without), block| (blocks + 1, without + usize::from(without_clue(block))))
}

/// The number of cells in the largest rectangle of inner blocks that contains this block.
pub(super) fn rectangle_at(white: &White, block: usize) -> usize {
    let (width, column) = (white.width(), block % white.width());
    let is_block = |row: usize, column: usize| !white.is_white(row * width + column);
    // The cells in a row of blocks from this column to the left and to the right.
    let reach = |row: usize| {
        let left = (1..=column).rev().take_while(|&at| is_block(row, at)).count();
        [left, (column..width).take_while(|&at| is_block(row, at)).count()]
    };
    let row = block / width;
    let up = (1..=row).rev().take_while(|&at| is_block(at, column)).count();
    let down = (row..white.height()).take_while(|&at| is_block(at, column)).count();
    let mut largest = 0;
    for top in row + 1 - up..=row {
        let mut reaches = [usize::MAX; 2];
        for bottom in top..row + down {
            let [left, right] = reach(bottom);
            reaches = [reaches[0].min(left), reaches[1].min(right)];
            if bottom >= row {
                largest = largest.max((reaches[0] + reaches[1] - 1) * (bottom + 1 - top));
            }
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_with_and_without_clues_and_in_rectangles() {
        let rows = ["#######", "#..##..", "#...#..", "##.....", "##..#..", "##..##.", "#..##.."];
        let signs: Vec<_> = rows.concat().chars().map(|sign| sign == '.').collect();
        let white = White::of_signs(7, 7, signs);
        assert_eq!(count(&white), (11, 2));
        let at = |row: usize, column: usize| rectangle_at(&white, 7 * (row - 1) + column - 1);
        assert_eq!([at(2, 4), at(3, 5), at(4, 2), at(6, 5), at(6, 6)], [2, 2, 3, 3, 2]);
        assert!(outer_lines_have_white(&white));
        let blocked: Vec<_> = white.signs().iter().enumerate().map(|(cell, &sign)| sign && cell % 7 < 6).collect();
        assert!(!outer_lines_have_white(&White::of_signs(7, 7, blocked)));
    }
}
