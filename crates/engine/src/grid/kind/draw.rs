//! Draws a puzzle in plain text for people: lines separate the boxes or regions, and `.` is an empty cell.

use crate::grid::{puzzle::Puzzle, text::symbol};

pub(super) fn draw(puzzle: &Puzzle) -> String {
    (puzzle.variant.clues.form().draw)(puzzle)
}

/// The drawing of a board without cages and signs. A row has two characters for each cell, and two for each line between columns: at most 41 for 16
/// columns with boxes, and 65 with regions. Diagonals and windows are not drawn.
pub(crate) fn draw_areas(puzzle: &Puzzle) -> String {
    let (size, areas) = (usize::from(puzzle.variant.size), puzzle.areas());
    let area = |row: usize, column: usize| areas.get(row * size + column).filter(|_| row < size && column < size);
    // Whether a line separates a cell from the one to its left, or from the one above it. The border of the board is a line, too.
    let is_cut = |row: usize, column: usize| row < size && (column == 0 || area(row, column - 1) != area(row, column));
    let is_ruled =
        |row: usize, column: usize| column < size && (row == 0 || area(row - 1, column) != area(row, column));
    // The character at the upper left corner of a cell.
    let corner = |row: usize, column: usize| match column.wrapping_sub(1) {
        _ if is_cut(row.wrapping_sub(1), column) || is_cut(row, column) => '+',
        left if is_ruled(row, left) && is_ruled(row, column) => '-',
        _ => ' ',
    };
    let has_bar: Vec<_> = (0..size).map(|column| (0..size).any(|row| is_cut(row, column))).collect();
    let mut drawing = String::new();
    for row in 0..=size {
        if (0..size).any(|column| is_ruled(row, column)) {
            for (column, has_bar) in has_bar.iter().enumerate() {
                let line = if is_ruled(row, column) { "-" } else { " " };
                if *has_bar {
                    drawing.push(corner(row, column));
                    drawing += line;
                }
                drawing += &line.repeat(2);
            }
            drawing.extend([corner(row, size), '\n']);
        }
        for (column, has_bar) in has_bar.iter().enumerate().filter(|_| row < size) {
            if *has_bar {
                drawing += if is_cut(row, column) { "| " } else { "  " };
            }
            drawing.extend([symbol(puzzle.variant, puzzle.digits[row * size + column]), ' ']);
        }
        drawing += if row < size { "|\n" } else { "" };
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{
        samples::{KIND, SIGHTLINES, SIGNS},
        text::parse,
    };

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

    #[test]
    fn clues_stand_beside_the_grid() {
        let puzzle = parse(&SIGHTLINES, "", "4x4: 1..............3 north=4..1 east=..2. south=..3. west=...2").unwrap();
        let drawing = "    4     1
  +---------+
  | 1 . . . |
  | . . . . |
  | . . . . | 2
2 | . . . 3 |
  +---------+
        3
";
        assert_eq!(draw(&puzzle), drawing);
    }

    #[test]
    fn signs_stand_between_their_cells() {
        let puzzle = parse(&SIGNS, "", "3x3: 1.......3 right=<->x=- down=-<>x-=").unwrap();
        let drawing = "\
+-----------+
| 1 < .   . |
|     ^   v |
| . > . x . |
| x       = |
| . = .   3 |
+-----------+
";
        assert_eq!(draw(&puzzle), drawing);
    }
}
