//! A grid as a drawing for a terminal.

use super::board::Grid;

/// Lines between rows of boxes, and above and below.
const RULE: &str = "+-------+-------+-------+\n";

/// Thirteen lines of 25 characters, plain ASCII: boxes parted by lines, `.` for an empty cell.
#[must_use]
pub fn draw(grid: &Grid) -> String {
    let bands = grid.cells().chunks(27).map(|band| band.chunks(9).map(draw_row).collect::<String>());
    bands.fold(RULE.to_owned(), |drawing, band| drawing + &band + RULE)
}

fn draw_row(row: &[u8]) -> String {
    format!("| {} |\n", row.chunks(3).map(draw_part).collect::<Vec<_>>().join(" | "))
}

fn draw_part(digits: &[u8]) -> String {
    let sign = |digit: &u8| if *digit == 0 { ".".to_owned() } else { digit.to_string() };
    digits.iter().map(sign).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_parted_and_blanks_are_dots() {
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
