//! A player's board: its text and its pencil marks.

use super::TextError;
use crate::shared::phrases::counted;

/// A player's board.
#[derive(Debug, Clone, Copy)]
pub struct PlayerBoard<'a> {
    /// A text of the puzzle in which empty cells may hold digits. If it lacks givens, they count as filled in. An empty text
    /// stands for the puzzle at its start.
    pub text: &'a str,
    /// The pencil marks: none, or one number for each cell of the board, row by row. In the number of a cell, bit d is set if
    /// the player still has the digit d. If no digit is left, only bit 0 is set. The number is 0 for blocks, filled cells, and
    /// cells without notes. A cell without notes has every digit that no filled cell rules out.
    pub candidates: &'a [u32],
}

impl<'a> From<&'a str> for PlayerBoard<'a> {
    /// A board without pencil marks.
    fn from(text: &'a str) -> Self {
        Self { text, candidates: &[] }
    }
}

/// The pencil marks of a cell without a candidate.
const NONE_LEFT: u32 = 1;

/// The digits that each cell of the board may hold by the pencil marks, as bits. `open` has the digits that the cell may hold
/// without pencil marks: 0 for blocks and filled cells.
///
/// # Errors
/// [`TextError::Candidates`] if there is not one number for each cell, or if a number has a bit that `open` lacks.
pub(crate) fn marked(candidates: &[u32], open: &[u32], columns: u16) -> Result<Vec<u32>, TextError> {
    if candidates.is_empty() {
        return Ok(open.to_vec());
    }
    if candidates.len() != open.len() {
        let reason =
            format!("{}; send one for each of the {} cells, or none", counted(candidates.len(), "number"), open.len());
        return Err(TextError::Candidates { reason });
    }
    let cells = candidates.iter().zip(open).enumerate();
    let digits = cells.map(|(cell, (&marks, &open))| match marks {
        0 => Ok(open),
        NONE_LEFT if open != 0 => Ok(0),
        _ if marks & !open == 0 => Ok(marks),
        _ => Err(TextError::Candidates { reason: fault(marks, open, (cell, columns)) }),
    });
    digits.collect()
}

fn fault(marks: u32, open: u32, (cell, columns): (usize, u16)) -> String {
    let columns = usize::from(columns.max(1));
    let at = format!("r{}c{}", cell / columns + 1, cell % columns + 1);
    match open {
        0 => format!("{marks} for {at}: the cell is not empty; use 0"),
        last => {
            let last = last.ilog2();
            format!("{marks} for {at}: set only bits 1 to {last}; send the number 1 if no digit is left")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_cells_without_notes_are_all_digits() {
        let open = [0x3fe, 0, 0x3fe];
        assert_eq!(marked(&[], &open, 3), Ok(open.to_vec()));
        assert_eq!(marked(&[0, 0, 0b110], &open, 3), Ok(vec![0x3fe, 0, 0b110]));
        assert_eq!(marked(&[1, 0, 0], &open, 3), Ok(vec![0, 0, 0x3fe]));
    }

    #[test]
    fn refused_marks_are_named_with_their_cell() {
        let open = [0x3fe, 0, 0x3fe];
        for (candidates, reason) in [
            (&[0, 0][..], "2 numbers; send one for each of the 3 cells, or none"),
            (&[0, 2, 0], "2 for r1c2: the cell is not empty; use 0"),
            (&[0, 1, 0], "1 for r1c2: the cell is not empty; use 0"),
            (&[0, 0, 1024], "1024 for r2c1: set only bits 1 to 9; send the number 1 if no digit is left"),
            (&[3, 0, 0], "3 for r1c1: set only bits 1 to 9; send the number 1 if no digit is left"),
        ] {
            assert_eq!(marked(candidates, &open, 2), Err(TextError::Candidates { reason: reason.to_owned() }));
        }
    }
}
