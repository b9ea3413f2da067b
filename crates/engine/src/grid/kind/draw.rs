//! Draws a puzzle in plain text for people: lines separate the boxes or regions, and `.` is an empty cell.

use crate::grid::{puzzle::Puzzle, text::sign};

/// The drawing. Two characters for each cell, and two for each line between columns: at most 41 for 16 columns with boxes, and 65
/// with regions. Diagonals and windows are not drawn.
pub(super) fn draw(puzzle: &Puzzle) -> String {
    let (size, areas) = (usize::from(puzzle.variant.size), puzzle.areas());
    let area = |row: usize, column: usize| areas.get(row * size + column).filter(|_| row < size && column < size);
    // Whether a line separates a cell from the one to its left, or above it.
    let is_cut = |row: usize, column: usize| column == 0 || area(row, column - 1) != area(row, column);
    let is_ruled = |row: usize, column: usize| row == 0 || area(row - 1, column) != area(row, column);
    let has_bar: Vec<_> = (0..=size).map(|column| (0..size).any(|row| is_cut(row, column))).collect();
    let mut drawing = String::new();
    for row in 0..=size {
        if (0..size).any(|column| is_ruled(row, column)) {
            for column in 0..=size {
                let [left, right] = [column.checked_sub(1), Some(column).filter(|column| *column < size)]
                    .map(|side| side.is_some_and(|column| is_ruled(row, column)));
                let [above, below] = [row.checked_sub(1), Some(row).filter(|row| *row < size)]
                    .map(|side| side.is_some_and(|row| is_cut(row, column)));
                if has_bar[column] {
                    drawing.push(if above || below {
                        '+'
                    } else if left && right {
                        '-'
                    } else {
                        ' '
                    });
                    drawing += if column == size {
                        ""
                    } else if right {
                        "-"
                    } else {
                        " "
                    };
                }
                drawing += if column == size {
                    "\n"
                } else if right {
                    "--"
                } else {
                    "  "
                };
            }
        }
        if row < size {
            for column in 0..size {
                if has_bar[column] {
                    drawing += if is_cut(row, column) { "| " } else { "  " };
                }
                drawing.push(sign(puzzle.variant, puzzle.digits[row * size + column]));
                drawing.push(' ');
            }
            drawing += "|\n";
        }
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{samples::KIND, text::parse};

    fn check(text: &str, drawing: &str) {
        assert_eq!(draw(&parse(&KIND, "", text).unwrap()), drawing);
    }

    #[test]
    fn lines_separate_regions() {
        check(
            "5x5: 1...........5............ regions=aaabbacabbcccbdceeddeeedd",
            "\
+-----------+-------+
| 1   .   . | .   . |
+   +---+   +       +
| . | . | . | .   . |
+---+   +---+   +---+
| .   .   5 | . | . |
+   +-------+---+   +
| . | .   . | .   . |
+---+       +       +
| .   .   . | .   . |
+-----------+-------+
",
        );
    }
}
