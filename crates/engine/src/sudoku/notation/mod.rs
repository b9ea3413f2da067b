//! Reads and writes Sudoku: texts, drawings, addresses, and lines for other programs.

pub mod draw;
pub mod fpuzzles;
pub mod puzz_link;
pub mod sudokupad;

use super::board::Grid;
use crate::shared::kind::{FileForm, WebLink};

/// The beginning of an address of sudokuwiki, before 81 digits.
const SUDOKUWIKI: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";

/// The forms of files in which a Sudoku can be written.
pub const FILE_FORMS: [FileForm; 2] = [FileForm::Sdm, FileForm::Fpuzzles];

/// The addresses that open a puzzle in programs on the web.
#[must_use]
pub fn links(puzzle: &Grid) -> Vec<WebLink> {
    vec![
        WebLink { name: "SudokuPad", url: sudokupad::write(puzzle) },
        WebLink { name: "sudokuwiki", url: format!("{SUDOKUWIKI}{}", puzzle.line()) },
        WebLink { name: "puzz.link", url: puzz_link::write(puzzle) },
    ]
}

/// A puzzle in a form of [`FILE_FORMS`], as one line.
#[must_use]
pub fn write_as(form: FileForm, puzzle: &Grid) -> String {
    match form {
        FileForm::Sdm => puzzle.line(),
        FileForm::Fpuzzles => fpuzzles::write(puzzle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "..8..73...6...91.8.7....6.22....64...8..5........1.....47....9...2..3..6.56...8..";

    #[test]
    fn links_are_those_that_other_programs_read() {
        let found: Vec<_> = links(&Grid::parse(PUZZLE).unwrap()).into_iter().map(|link| link.url).collect();
        assert_eq!(
            found,
            [
                "https://sudokupad.app/scfAS7Xa9BIlG2g6YStKp4ldMNG5aS",
                "https://www.sudokuwiki.org/sudoku.htm?bd=\
                 008007300060009108070000602200006400080050000000010000047000090002003006056000800",
                "https://puzz.link/p?sudoku/9/9/h8h73i6i91g8g7j6g22j64i8h5n1k47j9i2h3h6g56i8h",
            ]
        );
    }

    #[test]
    fn lines_of_files_are_those_that_other_programs_read() {
        let puzzle = Grid::parse(PUZZLE).unwrap();
        assert_eq!(write_as(FileForm::Sdm, &puzzle), PUZZLE.replace('.', "0"));
        let address = "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSQA3AQwBsBXOeADlTQgpgDsEAXDBkmSGVaD\
                       BAHZW7Lr34xBI%2BowDMUjt3h8BpQUQC6yQgupKEANjUzNc3TrugTYpJY1b55R4wCML2duGeCCzo0q42BkYeooySIep%2B7kK2\
                       AdHmvtb%2BxqnwAEzpbvqGDtl5cVYF9slZpvAWZWH%2Bik4ALPk2lREpNcFs8RmJyU2MAKxtmZU6nVX2Qwg%2B9QnTSVNRNa0L%\
                       2FdVOsb3l7UkTxTUoGxXEK11OpbsNAzOB8Kqn%2B4MPdTeLF7Pwo8%2BNb2M7gcjk4eqFFh09EQgA%3D%3D%3D";
        assert_eq!(write_as(FileForm::Fpuzzles, &puzzle), address);
    }
}
