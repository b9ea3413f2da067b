//! The puzzles of files, one a line or one a paragraph, as their kind has it, read as they are needed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _, stdin},
    path::{Path, PathBuf},
};

use super::paragraphs::next_paragraph;
use puzzled_engine::text::TextForm;

/// Longest line, in bytes: many times the largest puzzle. What is longer is no puzzle, and is not kept in memory.
pub(super) const LINE_BYTES_MAX: u64 = 65_536;

/// A puzzle as somebody wrote it down.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PuzzleLine {
    /// File and number of the line where it begins, for messages: `line 3 of puzzles.txt`.
    pub place: String,
    /// Number of that line in its file, from 1.
    pub number: u64,
    /// The text, of a line up to its first comma or blank, or what is wrong with the line.
    pub text: Result<String, String>,
}

/// A file that cannot be opened or read to its end.
#[derive(Debug)]
pub(super) struct ReadError {
    /// Its name.
    pub name: String,
    /// What went wrong.
    pub source: io::Error,
}

/// The puzzles of these files, one after the other; standard input where the name is `-`, or where there is none at all.
/// Empty lines, comments after `#`, and the header of our own CSV are passed over; among paragraphs, those of nothing but
/// lines `# word: …`.
pub(super) fn puzzle_lines(
    mut files: Vec<PathBuf>,
    form: TextForm,
) -> impl Iterator<Item = Result<PuzzleLine, ReadError>> + Send {
    if files.is_empty() {
        files.push(PathBuf::from("-"));
    }
    files.into_iter().flat_map(move |path| {
        let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
        let (lines, failed) = match open(&path) {
            Ok(reader) => (Some(Lines { reader, name, form, number: 0, failed: false }), None),
            Err(source) => (None, Some(Err(ReadError { name, source }))),
        };
        failed.into_iter().chain(lines.into_iter().flatten())
    })
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(stdin())));
    }
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

/// The puzzles of one file.
struct Lines<R> {
    reader: R,
    name: String,
    form: TextForm,
    /// Lines read so far.
    number: u64,
    failed: bool,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<PuzzleLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let found = match self.form {
            TextForm::Line => self.puzzle_line(),
            TextForm::Paragraph => next_paragraph(&mut self.reader, &mut self.number),
        };
        match found {
            Ok(found) => found.map(|(number, text)| {
                let place = format!("line {number} of {}", self.name);
                Ok(PuzzleLine { place, number, text })
            }),
            Err(source) => {
                self.failed = true;
                Some(Err(ReadError { name: self.name.clone(), source }))
            }
        }
    }
}

/// A text, or why it cannot be one, with the number of the line where it begins.
pub(super) type Numbered = (u64, Result<String, String>);

impl<R: BufRead> Lines<R> {
    fn puzzle_line(&mut self) -> io::Result<Option<Numbered>> {
        while let Some(line) = next_line(&mut self.reader)? {
            self.number += 1;
            match line {
                Ok(line) => {
                    if let Some(text) = puzzle_of(&line, self.number) {
                        return Ok(Some((self.number, Ok(text))));
                    }
                }
                Err(fault) => return Ok(Some((self.number, Err(fault)))),
            }
        }
        Ok(None)
    }
}

fn puzzle_of(line: &str, number: u64) -> Option<String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let text = line.split(|c: char| c == ',' || c.is_whitespace()).next().unwrap_or_default();
    let passed_over = line.is_empty() || line.starts_with('#') || (number == 1 && text == "puzzle");
    (!passed_over).then(|| text.to_owned())
}

/// The next line, or why it cannot be one; none at the end.
pub(super) fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    reader.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 > LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
        return Ok(Some(Err(format!("longer than {LINE_BYTES_MAX} bytes"))));
    }
    // What is not text is no puzzle either, and is told so by the kind.
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(reader: &[u8]) -> Lines<&[u8]> {
        Lines { reader, name: "test".to_owned(), form: TextForm::Line, number: 0, failed: false }
    }

    fn read(text: &str) -> Vec<(u64, Result<String, String>)> {
        lines(text.as_bytes()).map(Result::unwrap).map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn a_puzzle_is_the_first_word_of_a_line_that_has_one() {
        let cases = [
            ("12\n34\n", vec![(1, "12"), (2, "34")]),
            ("12", vec![(1, "12")]),
            ("12\r\n34\r\n", vec![(1, "12"), (2, "34")]),
            ("# of the week\n\n12 # hard\n   \n34,1.5,easy\n", vec![(3, "12"), (5, "34")]),
            ("puzzle,er,ep\n12,1.5,1.2\n", vec![(2, "12")]),
            ("12\npuzzle\n", vec![(1, "12"), (2, "puzzle")]),
            ("\u{feff}12\t34\n", vec![(1, "12")]),
            (",12\n", vec![(1, "")]),
            ("", vec![]),
        ];
        for (text, wanted) in cases {
            let wanted: Vec<_> = wanted.into_iter().map(|(number, text)| (number, Ok(text.to_owned()))).collect();
            assert_eq!(read(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_line_beyond_all_puzzles_is_a_fault_and_the_next_one_is_read() {
        let longest = usize::try_from(LINE_BYTES_MAX).unwrap();
        let fits = "1".repeat(longest);
        let lines = read(&format!("{fits}\n{fits}1\n12\n"));
        assert_eq!(lines[0], (1, Ok(fits)));
        assert_eq!(lines[1], (2, Err("longer than 65536 bytes".to_owned())));
        assert_eq!(lines[2], (3, Ok("12".to_owned())));
    }

    #[test]
    fn bytes_that_are_no_text_are_left_to_the_kind_to_refuse() {
        let texts: Vec<_> = lines(b"1\xff2\n34\n").map(|line| line.unwrap().text.unwrap()).collect();
        assert_eq!(texts, ["1\u{fffd}2", "34"]);
    }

    #[test]
    fn a_file_that_is_not_there_is_an_error_with_its_name() {
        let mut lines = puzzle_lines(vec![PathBuf::from("no/such/file")], TextForm::Line);
        assert_eq!(lines.next().unwrap().unwrap_err().name, "no/such/file");
        assert!(lines.next().is_none());
    }
}
