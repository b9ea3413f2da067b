//! Draws a Kakuro board in plain text for people, and reads the drawing back.

use super::text::{Board, Token, check_shape, read_clue};
use crate::shared::{
    phrases::counted,
    text::{TextError, malformed},
};

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

/// The tokens of a drawing, or `None` if the text is no drawing.
///
/// # Errors
/// [`TextError::Malformed`] names the line or the cell, the value, and the limit.
pub(super) fn tokens(text: &str) -> Result<Option<Vec<Vec<Token>>>, TextError> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).zip(1..);
    let Some((rule, _)) = lines.next().filter(|(line, _)| line.starts_with("+--")) else { return Ok(None) };
    let width = rule.len() / RULE.len();
    let mut rows = Vec::new();
    while let Some((upper, number)) = lines.next() {
        let row = rows.len() + 1;
        let (Some((lower, _)), Some((end, _))) = (lines.next(), lines.next()) else {
            return Err(malformed(format!("the drawing ends in row {row}; a row is two lines and a line of + and -")));
        };
        if end != rule || !rule.chars().all(|character| "+-".contains(character)) {
            let number = number + 2;
            return Err(malformed(format!(
                "line {number} of the drawing differs from its first line, which is of + and -"
            )));
        }
        let [upper, lower] = [halves(upper, width), halves(lower, width)];
        let (Some(upper), Some(lower)) = (upper, lower) else {
            let cells = counted(width, "cell");
            return Err(malformed(format!("row {row} of the drawing does not have {cells} of two characters each")));
        };
        let cells = upper.into_iter().zip(lower).zip(1..);
        rows.push(cells.map(|(halves, column)| token(halves, (row, column))).collect::<Result<_, _>>()?);
    }
    check_shape(&rows)?;
    Ok(Some(rows))
}

/// The part of a rule that belongs to a cell.
const RULE: &str = "+--";

/// The two characters of each cell of a line, if the line has as many cells as it should.
fn halves(line: &str, width: usize) -> Option<Vec<&str>> {
    let cells: Vec<_> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').collect();
    (cells.len() == width && cells.iter().all(|cell| cell.len() == 2)).then_some(cells)
}

/// The token of a cell: its upper line has the clue across, or the digit at the left.
fn token((upper, lower): (&str, &str), at: (usize, usize)) -> Result<Token, TextError> {
    if lower == "  " {
        return match upper.as_bytes() {
            b"  " => Ok(Token::White(0)),
            [digit @ b'1'..=b'9', b' '] => Ok(Token::White(digit - b'0')),
            _ => Err(unknown(upper, at)),
        };
    }
    let clue = |half: &str| match half {
        "##" => Ok(None),
        _ if half.trim_start().bytes().all(|character| character.is_ascii_digit()) => {
            read_clue(half.trim_start()).ok_or_else(|| unknown(half, at)).map(Some)
        }
        _ => Err(unknown(half, at)),
    };
    Ok(Token::Block([clue(upper)?, clue(lower)?]))
}

fn unknown(half: &str, (row, column): (usize, usize)) -> TextError {
    malformed(format!(
        "row {row}, column {column}: {half:?} of the drawing is not allowed; use ##, a clue, or a digit at the left"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text::parse_board;

    #[test]
    fn each_fault_of_a_drawing_is_named() {
        let drawing = draw(&parse_board("# # \\8 \\10\n# 3\\3 . 2\n15\\ 2 5 8\n3\\ 1 2 #").unwrap());
        for (old, new, reason) in [
            (
                "|2 |5 |",
                "|2 |0 |",
                "row 3, column 3: \"0 \" of the drawing is not allowed; use ##, a clue, or a digit at the left",
            ),
            (
                "|15|",
                "|1x|",
                "row 3, column 1: \"1x\" of the drawing is not allowed; use ##, a clue, or a digit at the left",
            ),
            ("| 8|10|", "| 8|99|", "r1c4: clue 99 down is impossible for 2 cells; use 3 to 17"),
            ("|15|2 |", "|15|2|", "row 3 of the drawing does not have 4 cells of two characters each"),
            (
                "+--+--+--+--+\n|15",
                "+--+--+--+\n|15",
                "line 7 of the drawing differs from its first line, which is of + and -",
            ),
        ] {
            let fault = parse_board(&drawing.replacen(old, new, 1)).unwrap_err();
            assert_eq!(fault.to_string(), reason);
        }
        let cut = &drawing[..drawing.len() - 20];
        let reason = "the drawing ends in row 4; a row is two lines and a line of + and -";
        assert_eq!(parse_board(cut).unwrap_err().to_string(), reason);
        assert_eq!(parse_board("+--+").unwrap_err().to_string(), "a height of 0 is not allowed; use 3 to 30");
    }

    #[test]
    fn drawing_has_clues_across_above_clues_down() {
        let board = parse_board("# # \\8 \\10\n# 3\\3 . 2\n15\\ 2 5 8\n3\\ 1 2 #").unwrap();
        assert_eq!(parse_board(&draw(&board)).as_ref(), Ok(&board));
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
