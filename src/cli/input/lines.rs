//! Reads the puzzles of files, or of standard input, one at a time. The kind decides whether a puzzle is a line, or a paragraph
//! that ends at an empty line.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _, stdin},
    path::{Path, PathBuf},
};

use puzzled_engine::shared::text::TextForm;

/// The maximum length of a line, in bytes: many times the largest puzzle. A longer line is refused and not kept in memory.
const LINE_BYTES_MAX: u64 = 65_536;

/// The text of a puzzle, and where it is in the input.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) struct PuzzleLine {
    /// The file and the first line, for messages: `line 3 of puzzles.txt`.
    pub place: String,
    /// The number of that line in its file, from 1.
    pub number: u64,
    /// The text of a line up to the first comma or blank, or the whole paragraph. An error says why the text cannot be read.
    pub text: Result<String, String>,
}

/// A file that cannot be opened or read to its end.
#[derive(Debug)]
pub(in crate::cli) struct ReadError {
    /// The name of the file, or `standard input`.
    pub name: String,
    /// The error of the operating system.
    pub source: io::Error,
}

/// Reads the puzzles of these files in order. The name `-`, or an empty list, stands for standard input. Ignores empty
/// lines, comments after `#`, the header of this program's CSV, and paragraphs that have only lines `# word: …`.
pub(in crate::cli) fn puzzle_lines(
    mut files: Vec<PathBuf>,
    form: TextForm,
) -> impl Iterator<Item = Result<PuzzleLine, ReadError>> + Send {
    if files.is_empty() {
        files.push(PathBuf::from("-"));
    }
    files.into_iter().flat_map(move |path| {
        let name = name_of(&path);
        let (lines, failed) = match open(&path) {
            Ok(reader) => (Some(puzzles_of(reader, name, form)), None),
            Err(source) => (None, Some(Err(ReadError { name, source }))),
        };
        failed.into_iter().chain(lines.into_iter().flatten())
    })
}

/// The name of an input in messages.
pub(super) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads the puzzles of an open input with this name.
pub(super) fn puzzles_of<R: BufRead>(
    reader: R,
    name: String,
    form: TextForm,
) -> impl Iterator<Item = Result<PuzzleLine, ReadError>> {
    Lines { reader, name, form, number: 0, failed: false }
}

/// Opens a file, or standard input if its name is `-`.
pub(in crate::cli) fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(stdin())));
    }
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

/// Reads the puzzles of one file, and ends after the first error.
struct Lines<R> {
    reader: R,
    name: String,
    form: TextForm,
    /// The number of lines read so far.
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

/// The number of the first line, and the text or the reason why it cannot be read.
type Numbered = (u64, Result<String, String>);

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

/// Reads the next line. Returns the reason if the line is too long, and `None` at the end of the file.
pub(in crate::cli) fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    reader.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 > LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
        return Ok(Some(Err(format!("longer than {LINE_BYTES_MAX} bytes"))));
    }
    // The kind refuses bytes that are not UTF-8.
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}

/// Returns the next paragraph that has more than lines of the form `# word: …`; `None` at the end. `number` counts the lines.
fn next_paragraph(reader: &mut impl BufRead, number: &mut u64) -> io::Result<Option<Numbered>> {
    let mut paragraph = Paragraph::default();
    loop {
        let line = next_line(reader)?;
        *number += u64::from(line.is_some());
        let is_last = line.is_none();
        match line {
            Some(Ok(line)) if !line.trim_matches(BLANKS).is_empty() => {
                paragraph.add(*number, line.trim_matches(BLANKS));
            }
            Some(Err(fault)) => paragraph.fail(*number, fault),
            _ => {
                let found = std::mem::take(&mut paragraph).ended();
                if found.is_some() || is_last {
                    return Ok(found);
                }
            }
        }
    }
}

/// Characters that are removed around a line: white space, and the byte order mark with which some programs begin a file.
const BLANKS: [char; 5] = [' ', '\t', '\r', '\n', '\u{feff}'];

/// A paragraph that is being read.
#[derive(Debug, Default)]
struct Paragraph {
    first_line: u64,
    text: String,
    fault: Option<String>,
    /// Whether a line has a row of the puzzle.
    has_rows: bool,
}

impl Paragraph {
    fn add(&mut self, number: u64, line: &str) {
        if self.first_line == 0 {
            self.first_line = number;
        }
        if (self.text.len() + line.len()) as u64 >= LINE_BYTES_MAX {
            self.fault = Some(format!("longer than {LINE_BYTES_MAX} bytes"));
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text += line;
        self.has_rows |= !is_remark(line);
    }

    fn fail(&mut self, number: u64, fault: String) {
        if self.first_line == 0 {
            self.first_line = number;
        }
        self.fault = Some(fault);
    }

    fn ended(self) -> Option<Numbered> {
        match self.fault {
            Some(fault) => Some((self.first_line, Err(fault))),
            None => self.has_rows.then_some((self.first_line, Ok(self.text))),
        }
    }
}

/// Whether a line is of the form `# word: …`.
fn is_remark(line: &str) -> bool {
    let word = line.strip_prefix('#').and_then(|rest| rest.split_once(':')).map(|(word, _)| word.trim());
    word.is_some_and(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
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
        for (text, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(number, text)| (number, Ok(text.to_owned()))).collect();
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn line_that_is_too_long_is_a_fault_and_reading_continues() {
        let longest = usize::try_from(LINE_BYTES_MAX).unwrap();
        let fits = "1".repeat(longest);
        let lines = read(&format!("{fits}\n{fits}1\n12\n"));
        assert_eq!(lines[0], (1, Ok(fits)));
        assert_eq!(lines[1], (2, Err("longer than 65536 bytes".to_owned())));
        assert_eq!(lines[2], (3, Ok("12".to_owned())));
    }

    #[test]
    fn bytes_that_are_not_utf8_reach_the_kind_as_replacements() {
        let texts: Vec<_> = lines(b"1\xff2\n34\n").map(|line| line.unwrap().text.unwrap()).collect();
        assert_eq!(texts, ["1\u{fffd}2", "34"]);
    }

    #[test]
    fn missing_file_is_an_error_with_its_name() {
        let mut lines = puzzle_lines(vec![PathBuf::from("no/such/file")], TextForm::Line);
        assert_eq!(lines.next().unwrap().unwrap_err().name, "no/such/file");
        assert!(lines.next().is_none());
    }

    fn paragraphs(text: &str) -> Vec<Numbered> {
        let (mut reader, mut number) = (text.as_bytes(), 0);
        std::iter::from_fn(|| next_paragraph(&mut reader, &mut number).unwrap()).collect()
    }

    #[test]
    fn a_puzzle_goes_to_the_next_empty_line_and_begins_where_it_is_said_to() {
        let cases = [
            ("# a\n. .\n\n# b\n. .\n", vec![(1, "# a\n. ."), (4, "# b\n. .")]),
            ("\n\n \n# a\r\n. .\r\n\r\n\r\nb", vec![(4, "# a\n. ."), (8, "b")]),
            ("# by: hand\n\n# name: 1\n. .\n", vec![(3, "# name: 1\n. .")]),
            ("\u{feff}a\n# word: 2", vec![(1, "a\n# word: 2")]),
            ("# 3\\ : .", vec![(1, "# 3\\ : .")]),
            ("# only: this\n\n", vec![]),
            ("", vec![]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(number, text)| (number, Ok(text.to_owned()))).collect();
            assert_eq!(paragraphs(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_paragraph_beyond_all_puzzles_is_a_fault_and_the_next_one_is_read() {
        let row = ". ".repeat(1_000);
        let long = format!("{}\n", row.trim()).repeat(40);
        let line = "1".repeat(70_000);
        let fault = || Err("longer than 65536 bytes".to_owned());
        let expected = vec![(1, fault()), (42, Ok("a".to_owned())), (44, fault()), (47, Ok("b".to_owned()))];
        assert_eq!(paragraphs(&format!("{long}\na\n\n{line}\n. .\n\nb")), expected);
    }
}
