//! Reads and writes Sudoku: texts, drawings, addresses, and lines and cells of other programs. [`read`] reads
//! every text from outside. If a text states a rule that this kind lacks, the text is refused, and the rule is never ignored.

pub mod draw;
pub mod fpuzzles;
pub mod puzz_link;
pub mod sudokupad;

mod address;
mod fields;
mod grid;
mod json;
mod rulings;
mod zipped;

use super::{VARIANT, board::Grid};
use crate::shared::{
    kind::{FileForm, WebLink},
    text::{TextError, malformed, uniform::uniform},
};

/// What a reader finds in a text: `None` if the text is not in its notation.
type Found = Result<Option<Grid>, TextError>;

/// A reader of one notation, with the name of the notation for messages.
type Reader = (&'static str, fn(&str) -> Found);

/// The readers in the order in which they are asked.
const READERS: [Reader; 5] = [
    ("an address", address::read),
    ("a JSON array", json::read),
    ("a library line", fields::read_library),
    ("a CSV line", fields::read_csv),
    ("a grid", grid::read),
];

/// The beginning of an address of sudokuwiki, before 81 digits.
const SUDOKUWIKI: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";

/// The forms of files in which a Sudoku of a variant can be written; if the name is empty, one of any variant.
#[must_use]
pub fn file_forms(variant: &str) -> &'static [FileForm] {
    match variant {
        "" | VARIANT => &[FileForm::Sdm, FileForm::Fpuzzles],
        _ if fpuzzles::states(variant) => &[FileForm::Fpuzzles],
        _ => &[],
    }
}

/// Reads one puzzle in any notation of `docs/notations.md`.
///
/// # Errors
/// [`TextError`] names the notation, the place of the fault, and what is allowed.
pub fn read(text: &str) -> Result<Grid, TextError> {
    match Grid::of_81(text.as_bytes()) {
        Some(grid) => Ok(grid),
        None => agreed(&READERS, &uniform(text)),
    }
}

/// The text of a puzzle, with its variant, if a text in another notation states the rule of one. [`read`] refuses other variants than `9x9`.
///
/// # Errors
/// [`TextError`] if the text states a rule that no variant has.
pub fn stated(text: &str) -> Result<Option<String>, TextError> {
    address::stated(text)
}

/// The solution that a text in another notation states beside its puzzle. `None` if it states none.
///
/// # Errors
/// [`TextError`] if it has something else than 81 digits.
pub fn solution(text: &str) -> Result<Option<String>, TextError> {
    let stated = address::solution(text)?;
    let in_line = || fields::solution(&uniform(text)).map(|solution| solution.dotted());
    Ok(if stated.is_empty() { in_line() } else { Some(stated) })
}

/// The grid of the first reader that knows the notation. The readers after it must not find another grid.
fn agreed(readers: &[Reader], text: &str) -> Result<Grid, TextError> {
    let mut first: Option<(&str, Grid)> = None;
    for (name, reader) in readers {
        match (first, reader(text)) {
            (None, found) => first = found?.map(|grid| (*name, grid)),
            (Some((known, grid)), Ok(Some(other))) if grid != other => {
                return Err(malformed(format!(
                    "the text is {known} and {name} of different puzzles; use one of the two notations"
                )));
            }
            _ => {}
        }
    }
    first.map(|(_, grid)| grid).ok_or(TextError::Length { len: 0, wanted: super::board::CELLS })
}

/// The addresses that open a puzzle in programs on the web.
#[must_use]
pub fn links(puzzle: &Grid) -> Vec<WebLink> {
    vec![
        WebLink { name: "SudokuPad", url: sudokupad::write(puzzle) },
        WebLink { name: "sudokuwiki", url: format!("{SUDOKUWIKI}{}", puzzle.line()) },
        WebLink { name: "puzz.link", url: puzz_link::write(puzzle) },
    ]
}

/// A puzzle of a variant in a form of [`file_forms`], as one line. `None` if the variant lacks the form.
#[must_use]
pub fn write_as(form: FileForm, variant: &str, puzzle: &Grid) -> Option<String> {
    match form {
        FileForm::Sdm => (variant == VARIANT).then(|| puzzle.line()),
        FileForm::Fpuzzles => fpuzzles::write(variant, puzzle),
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
    fn text_that_two_readers_read_differently_is_refused() {
        let one: Reader = ("a list", |_| Ok(Some(Grid::EMPTY)));
        let other: Reader = ("a table", |_| Ok(Some(Grid::parse(PUZZLE).unwrap())));
        let unknown: Reader = ("a song", |_| Ok(None));
        let refused: Reader = ("a verse", |_| Err(malformed("it ends early".to_owned())));
        let fault = |reason: &str| Err(malformed(reason.to_owned()));
        let differ = fault("the text is a list and a table of different puzzles; use one of the two notations");
        assert_eq!(agreed(&[unknown, one, other], ""), differ);
        assert_eq!(agreed(&[unknown, one, refused, one], ""), Ok(Grid::EMPTY));
        assert_eq!(agreed(&[unknown, refused, one], ""), fault("it ends early"));
    }

    #[test]
    fn lines_of_files_are_those_that_other_programs_read() {
        let puzzle = Grid::parse(PUZZLE).unwrap();
        assert_eq!(write_as(FileForm::Sdm, VARIANT, &puzzle), Some(PUZZLE.replace('.', "0")));
        let address = "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSQA3AQwBsBXOeADlTQgpgDsEAXDBkmSGVaD\
                       BAHZW7Lr34xBI%2BowDMUjt3h8BpQUQC6yQgupKEANjUzNc3TrugTYpJY1b55R4wCML2duGeCCzo0q42BkYeooySIep%2B7kK2\
                       AdHmvtb%2BxqnwAEzpbvqGDtl5cVYF9slZpvAWZWH%2Bik4ALPk2lREpNcFs8RmJyU2MAKxtmZU6nVX2Qwg%2B9QnTSVNRNa0L%\
                       2FdVOsb3l7UkTxTUoGxXEK11OpbsNAzOB8Kqn%2B4MPdTeLF7Pwo8%2BNb2M7gcjk4eqFFh09EQgA%3D%3D%3D";
        assert_eq!(write_as(FileForm::Fpuzzles, VARIANT, &puzzle).as_deref(), Some(address));
    }
}
