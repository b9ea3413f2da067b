//! Draws a puzzle in plain text for people: lines separate the boxes or regions, and `.` is an empty cell.

use crate::grid::{puzzle::Puzzle, text::sign};

/// The drawing. Two characters for each cell, and two for each line between columns: at most 41 for 16 columns with boxes, and 65
/// with regions. Diagonals and windows are not drawn.
pub(super) fn draw(puzzle: &Puzzle) -> String {
    let size = usize::from(puzzle.variant.size);
    let borders = Borders { size, areas: puzzle.areas() };
    let bars: Vec<_> = (0..=size).map(|column| (0..size).any(|row| borders.is_left_of(row, column))).collect();
    let rows = (0..=size).flat_map(|row| [borders.ruling(row, &bars), borders.cells(row, &bars, puzzle)]);
    rows.flatten().map(|row| row + "\n").collect()
}

/// The borders between the areas of a board.
struct Borders {
    size: usize,
    areas: Vec<u8>,
}

impl Borders {
    fn area(&self, row: usize, column: usize) -> Option<u8> {
        self.areas.get(row * self.size + column).copied().filter(|_| row < self.size && column < self.size)
    }

    /// Whether a border separates a cell from the one to its left.
    fn is_left_of(&self, row: usize, column: usize) -> bool {
        column == 0 || self.area(row, column - 1) != self.area(row, column)
    }

    /// Whether a border separates a cell from the one above it.
    fn is_above(&self, row: usize, column: usize) -> bool {
        row == 0 || self.area(row - 1, column) != self.area(row, column)
    }

    /// The line above a row; `None` if no border is there.
    fn ruling(&self, row: usize, bars: &[bool]) -> Option<String> {
        (0..self.size).find(|&column| self.is_above(row, column))?;
        let mut line = String::new();
        for (column, &has_bar) in bars.iter().enumerate() {
            let is_ruled = |column: usize| column < self.size && self.is_above(row, column);
            let is_barred = |row: usize| row < self.size && self.is_left_of(row, column);
            let (before, after) = (column > 0 && is_ruled(column - 1), is_ruled(column));
            if has_bar {
                let is_corner = is_barred(row) || row > 0 && is_barred(row - 1);
                line.push(if is_corner { '+' } else { dash(before && after) });
            }
            let width = if column == self.size { 0 } else { 2 + usize::from(has_bar) };
            line.extend(std::iter::repeat_n(dash(after), width));
        }
        Some(line)
    }

    /// The cells of a row; `None` below the board.
    fn cells(&self, row: usize, bars: &[bool], puzzle: &Puzzle) -> Option<String> {
        let digits = puzzle.digits.chunks(self.size).nth(row)?;
        let cells = (0..).zip(digits).zip(bars).map(|((column, &digit), &has_bar)| {
            let bar = if has_bar { format!("{} ", if self.is_left_of(row, column) { '|' } else { ' ' }) } else { String::new() };
            format!("{bar}{} ", sign(puzzle.variant, digit))
        });
        Some(cells.collect::<String>() + "|")
    }
}

fn dash(is_ruled: bool) -> char {
    if is_ruled { '-' } else { ' ' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{samples::KIND, text::parse};

    fn check(text: &str, drawing: &str) {
        assert_eq!(draw(&parse(&KIND, "", text).unwrap()), drawing);
    }

    #[test]
    fn lines_separate_boxes() {
        check(
            "6x6: 1....6..............3.......5......4",
            "\
+-------+-------+
| 1 . . | . . 6 |
| . . . | . . . |
+-------+-------+
| . . . | . . . |
| . . 3 | . . . |
+-------+-------+
| . . . | . 5 . |
| . . . | . . 4 |
+-------+-------+
",
        );
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
