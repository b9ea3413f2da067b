//! Draws a Sudoku puzzle or grid in plain text for people.

use crate::sudoku::board::Grid;

/// The horizontal line above, below, and between the boxes.
const RULE: &str = "+-------+-------+-------+\n";

/// Length of a drawing in bytes: 13 lines of 25 characters, each with a line feed.
const LEN: usize = 13 * 26;

/// Thirteen lines of 25 characters in plain ASCII. Lines separate the boxes, and `.` is an empty cell. The string is written in
/// one pass, because every delivered puzzle is drawn.
#[must_use]
pub fn draw(grid: &Grid) -> String {
    let mut drawing = String::with_capacity(LEN);
    for band in grid.cells().chunks(27) {
        drawing += RULE;
        for row in band.chunks(9) {
            for part in row.chunks(3) {
                drawing += "| ";
                for &digit in part {
                    drawing.push(if digit == 0 { '.' } else { char::from(b'0' + digit) });
                    drawing.push(' ');
                }
            }
            drawing += "|\n";
        }
    }
    drawing + RULE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_separated_and_blanks_are_dots() {
        let grid =
            Grid::parse("000037001000009000004105030519000006007000090000020570920003050400000000000000604").unwrap();
        assert_eq!(
            draw(&grid),
            "\
+-------+-------+-------+
| . . . | . 3 7 | . . 1 |
| . . . | . . 9 | . . . |
| . . 4 | 1 . 5 | . 3 . |
+-------+-------+-------+
| 5 1 9 | . . . | . . 6 |
| . . 7 | . . . | . 9 . |
| . . . | . 2 . | 5 7 . |
+-------+-------+-------+
| 9 2 . | . . 3 | . 5 . |
| 4 . . | . . . | . . . |
| . . . | . . . | 6 . 4 |
+-------+-------+-------+
"
        );
    }
}
