//! Draws a Kakuro board in plain text for people.

use super::text::Board;

/// Each row of cells takes two lines and each cell three columns, in plain ASCII: at most 91 columns and 91 lines. The
/// upper line has the clues across, and the lower line the clues down. `##` stands for a missing clue of a block. A
/// white cell is blank or has its digit at the left.
#[must_use]
pub fn draw(board: &Board) -> String {
    let layout = board.puzzle.layout();
    let half = |clue: Option<u8>| clue.map_or_else(|| "##".to_owned(), |sum| format!("{sum:2}"));
    let mut cells: Vec<[String; 2]> = board.puzzle.clues().into_iter().map(|clues| clues.map(half)).collect();
    for (&cell, &digit) in layout.cells().iter().zip(&board.digits) {
        let shown = if digit == 0 { "  ".to_owned() } else { format!("{digit} ") };
        cells[usize::from(cell)] = [shown, "  ".to_owned()];
    }
    let rule = format!("{}+\n", "+--".repeat(layout.width()));
    let line = |row: &[[String; 2]], which: usize| {
        let halves = row.iter().map(|halves| format!("|{}", halves[which]));
        halves.collect::<String>() + "|\n"
    };
    let rows = cells.chunks(layout.width()).map(|row| line(row, 0) + &line(row, 1) + &rule);
    rows.fold(rule.clone(), |drawing, row| drawing + &row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text::parse_board;

    #[test]
    fn drawing_has_clues_across_above_clues_down() {
        let board = parse_board("# # \\8 \\10\n# 3\\3 . 2\n15\\ 2 5 8\n3\\ 1 2 #").unwrap();
        assert_eq!(
            draw(&board),
            "\
+--+--+--+--+
|##|##|##|##|
|##|##| 8|10|
+--+--+--+--+
|##| 3|  |2 |
|##| 3|  |  |
+--+--+--+--+
|15|2 |5 |8 |
|##|  |  |  |
+--+--+--+--+
| 3|1 |2 |##|
|##|  |  |##|
+--+--+--+--+
"
        );
    }
}
