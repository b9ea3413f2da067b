//! Reads the puzzles of files, or of standard input, one at a time. [`puzzle_lines`] says how a file is divided into puzzles.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _, stdin},
    path::{Path, PathBuf},
};

use puzzled_engine::shared::{names::quoted, text::TextForm};

use super::{
    json_lines::{JsonRecord, has_json},
    paragraph::Paragraph,
    role::{Role, role},
    spec::Kind,
    stated::{Numbered, PuzzleLine, Stated},
    table::{Header, header, next_row},
    texts::{answer_in, is_header, of_lines, refused, stored_if_foreign},
};
use puzzled_api::words;

/// The maximum length of a line, in bytes: many times the largest puzzle. A longer line is refused and not kept in memory.
pub(super) const LINE_BYTES_MAX: u64 = 65_536;

/// A file that cannot be opened or read to its end.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// The name of the file, or `standard input`.
    pub name: String,
    /// The error of the operating system.
    pub source: io::Error,
}

/// Reads the puzzles of these files in order. The name `-`, or an empty list, stands for standard input.
///
/// A file that begins with `{` has JSON lines with a `text`. Otherwise, the kind decides how the file is divided:
///
/// - **Paragraphs**: a [`Role::Separator`] ends a puzzle. Lines `# word: …` before a puzzle describe it. If a header names a column `text`
///   or `puzzle`, the file is a table, and this column has the puzzles.
/// - **Lines**: a line is a puzzle if the whole line, or its first word up to a comma or space, can be read as one, or if it cannot be a
///   row of a drawing. Other lines together form one puzzle, which ends at a [`Role::Separator`] or at a line that is a puzzle. A header
///   without digits in the first line is skipped.
pub(crate) fn puzzle_lines(
    mut files: Vec<PathBuf>,
    kind: Kind,
) -> impl Iterator<Item = Result<PuzzleLine, ReadError>> + Send {
    if files.is_empty() {
        files.push(PathBuf::from("-"));
    }
    files.into_iter().flat_map(move |path| {
        let name = name_of(&path);
        let (lines, failed) = match open(&path) {
            Ok(reader) => (Some(puzzles_of(reader, name, kind)), None),
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
    kind: Kind,
) -> impl Iterator<Item = Result<PuzzleLine, ReadError>> {
    Lines {
        reader,
        name,
        kind,
        form: None,
        table: None,
        number: 0,
        paragraph: Paragraph::default(),
        next: None,
        failed: false,
    }
}

/// Opens a file, or standard input if its name is `-`.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(stdin())));
    }
    Ok(Box::new(BufReader::new(File::open(path)?)))
}

/// Reads the puzzles of one file, and ends after the first error.
struct Lines<R> {
    reader: R,
    name: String,
    kind: Kind,
    /// How the file is divided; `None` before the first line is read.
    form: Option<Form>,
    /// Set if the first line is the header of a table with a puzzle on each line.
    table: Option<Header>,
    /// The number of lines read so far.
    number: u64,
    /// The lines that are no puzzles of their own, up to the last line that was read.
    paragraph: Paragraph,
    /// A puzzle that was read, and comes after the paragraph.
    next: Option<Numbered>,
    failed: bool,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<PuzzleLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.next_puzzle() {
            Ok(found) => found.map(|(number, stated)| {
                let place = format!("line {number} of {}", self.name);
                let (text, answer) = match stated {
                    Ok(Stated { text, answer }) => (Ok(text), answer),
                    Err(fault) => (Err(fault), None),
                };
                Ok(PuzzleLine { place, number, text, answer })
            }),
            Err(source) => {
                self.failed = true;
                Some(Err(ReadError { name: self.name.clone(), source }))
            }
        }
    }
}

/// How a file is divided into puzzles.
#[derive(Debug, Clone, Copy)]
enum Form {
    Json,
    /// A table with a puzzle in each row.
    Table(Header),
    /// A puzzle on each line, or on several lines up to a [`Role::Separator`].
    Text,
}

impl<R: BufRead> Lines<R> {
    fn next_puzzle(&mut self) -> io::Result<Option<Numbered>> {
        let form = match self.form {
            Some(form) => form,
            None => self.found_form()?,
        };
        self.form = Some(form);
        match form {
            Form::Json => self.json_line(),
            Form::Table(header) => next_row(&mut self.reader, &mut self.number, header),
            Form::Text => self.line_or_paragraph(),
        }
    }

    fn found_form(&mut self) -> io::Result<Form> {
        if has_json(&mut self.reader)? {
            return Ok(Form::Json);
        }
        match self.kind.text_form() {
            TextForm::Line => Ok(Form::Text),
            TextForm::Paragraph => Ok(header(&mut self.reader)?.map_or(Form::Text, Form::Table)),
        }
    }

    fn json_line(&mut self) -> io::Result<Option<Numbered>> {
        while let Some(line) = next_line(&mut self.reader)? {
            self.number += 1;
            let text = match line.as_deref().map(without_end).map(str::trim) {
                Ok("") => continue,
                Ok(json) => JsonRecord::parse(json).and_then(|record| self.text_of(record)),
                Err(fault) => Err(fault.clone()),
            };
            return Ok(Some((self.number, text)));
        }
        Ok(None)
    }

    fn text_of(&self, record: JsonRecord) -> Result<Stated, String> {
        let own = words::kind(self.kind.name());
        if record.kind.is_empty() || words::named_kind(&record.kind) == Some(own) {
            return Ok(Stated { text: record.text, answer: record.solution });
        }
        Err(format!("kind: {} is not {}; set --kind", quoted(&record.kind), self.kind.name()))
    }

    fn line_or_paragraph(&mut self) -> io::Result<Option<Numbered>> {
        if let Some(found) = self.next.take() {
            return Ok(Some(found));
        }
        while let Some(line) = next_line(&mut self.reader)? {
            self.number += 1;
            let role = match line.as_deref().map(without_end) {
                Ok(line) => self.role(line),
                Err(fault) if self.kind.text_form() == TextForm::Paragraph => {
                    self.paragraph.fail(self.number, fault.clone());
                    continue;
                }
                Err(fault) => Role::Puzzle(Err(fault.clone())),
            };
            let before = match &role {
                Role::Part => None,
                Role::Beginning if !self.paragraph.has_rows => None,
                Role::Beginning | Role::Separator | Role::Puzzle(_) => self.end_paragraph(),
            };
            match role {
                Role::Part | Role::Beginning => {
                    let line = line.unwrap_or_default();
                    self.paragraph.add(self.number, without_end(&line));
                }
                Role::Puzzle(text) => {
                    let answer = || line.ok().and_then(|line| answer_in(self.kind, without_end(&line), self.table));
                    self.next = Some((self.number, text.map(|text| Stated { text, answer: answer() })));
                }
                Role::Separator => {}
            }
            if let Some(found) = before.or_else(|| self.next.take()) {
                return Ok(Some(found));
            }
        }
        Ok(self.end_paragraph())
    }

    fn role(&mut self, line: &str) -> Role {
        if self.number == 1 && self.kind.text_form() == TextForm::Line && is_header(line) {
            self.table = Header::of(line);
            return Role::Separator;
        }
        if self.paragraph.has_solution && line.trim().starts_with(|character| !['#', '%'].contains(&character)) {
            return Role::Part;
        }
        role(self.kind, line, self.table.is_some())
    }

    /// The puzzle of the lines so far; `None` if none of them is a row.
    fn end_paragraph(&mut self) -> Option<Numbered> {
        let (number, text) = std::mem::take(&mut self.paragraph).ended()?;
        let text = text.and_then(|text| match self.kind.text_form() {
            TextForm::Paragraph => stored_if_foreign(self.kind, text),
            TextForm::Line if text.contains('\n') => of_lines(self.kind, &text),
            TextForm::Line => refused(self.kind, &text),
        });
        Some((number, text.map(Stated::from)))
    }
}

/// A line without its end, and without a byte order mark, which some programs put at the start of a file.
pub(super) fn without_end(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n'])
}

/// Reads the next line. Returns the reason if the line is too long, and `None` at the end of the file.
pub(crate) fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    reader.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 > LINE_BYTES_MAX && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
        return Ok(Some(Err(format!("longer than {LINE_BYTES_MAX} bytes"))));
    }
    // Bytes that are not UTF-8 become U+FFFD, which the kind refuses.
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::spec;

    const ONE: &str = "..8..73...6...91.8.7....6.22....64...8..5........1.....47....9...2..3..6.56...8..";
    const OTHER: &str = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";

    fn lines(reader: &[u8]) -> impl Iterator<Item = Result<PuzzleLine, ReadError>> {
        puzzles_of(reader, "test".to_owned(), spec::kind("sudoku").unwrap())
    }

    fn read(text: &str) -> Vec<(u64, Result<String, String>)> {
        lines(text.as_bytes()).map(Result::unwrap).map(|line| (line.number, line.text)).collect()
    }

    fn rows(puzzle: &str) -> String {
        puzzle.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect()
    }

    #[test]
    fn file_is_divided_into_lines_and_paragraphs() {
        let (one, other) = (rows(ONE), rows(OTHER));
        for (text, expected) in [
            (format!("{ONE}\n{OTHER}\n"), vec![(1, ONE), (2, OTHER)]),
            (format!("{ONE}\r\n{OTHER}"), vec![(1, ONE), (2, OTHER)]),
            (format!("# of the week\n\n{ONE} # hard\n   \n{OTHER},1.5,easy\n"), vec![(3, ONE), (5, OTHER)]),
            (format!("puzzle,er,ep\n{ONE},1.5,1.2\n"), vec![(2, ONE)]),
            (format!("id;level;text\n7;\"easy\";{ONE}\n8;hard;{OTHER}"), vec![(2, ONE), (3, OTHER)]),
            (format!("\u{feff}{ONE}\t34\n"), vec![(1, ONE)]),
            (format!("{one}\n{other}"), vec![(1, ONE), (11, OTHER)]),
            (format!("\n{one}{OTHER}\n{one}"), vec![(2, ONE), (11, OTHER), (12, ONE)]),
            (format!("[Puzzle]\n{one}\n\n\n#A Ruud\n{other}"), vec![(1, ONE), (15, OTHER)]),
            (format!("[Puzzle]\n{one}[puzzle]\n#A Ruud\n{other}"), vec![(1, ONE), (13, OTHER)]),
            (
                format!("\n{{\"text\":\"{ONE}\"}}\n\n{{\"kind\":\"KIND_SUDOKU\",\"text\":\"{OTHER}\"}}"),
                vec![(2, ONE), (4, OTHER)],
            ),
            // An address may have as many characters as a text.
            (
                "http://pzv.jp/p.html?sudoku/9/9/7j984h64k2i2g4i6h8i794g8i1g637i2h8i4g8i9k78h473j5".to_owned(),
                vec![(1, "7....984..64.....2...2.4...6..8...794.8...1.637...2..8...4.8...9.....78..473....5")],
            ),
            ("12".to_owned(), vec![(1, "12")]),
            (format!("12\n{ONE}\n34 easy\n\n56"), vec![(1, "12"), (2, ONE), (3, "34"), (5, "56")]),
            (format!("{ONE}\npuzzle\n"), vec![(1, ONE), (2, "puzzle")]),
            (format!("{ONE}7\n{OTHER}w\n"), vec![(1, &format!("{ONE}7")), (2, &format!("{OTHER}w"))]),
            (",12\n".to_owned(), vec![(1, "")]),
            ("puzzle\n".to_owned(), vec![]),
            (String::new(), vec![]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|(number, text)| (number, Ok(text.to_owned()))).collect();
            assert_eq!(read(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_that_are_no_puzzle_have_their_fault_and_the_first_line() {
        let fault = |fault: &str| Err(fault.to_owned());
        for (text, number, wanted) in [
            (format!("\n{}", &rows(ONE)[10..]), 2, fault("72 cells; the puzzle must have exactly 81")),
            (format!("{ONE},{OTHER}"), 1, Ok(ONE.to_owned())),
            ("https://tinyurl.com/1".to_owned(), 1, {
                fault(
                    "an address of \"tinyurl.com\" cannot be read, and the service opens no links; open it, and copy the \
                     long address of SudokuPad, f-puzzles, puzz.link, sudokuwiki, or sudokuexchange",
                )
            }),
            ("{\"kind\":\"KIND_KAKURO\",\"text\":\"#\"}".to_owned(), 1, {
                fault("kind: \"KIND_KAKURO\" is not sudoku; set --kind")
            }),
        ] {
            assert_eq!(read(&text), [(number, wanted)], "{text:?}");
        }
        let texts = read("{}\n");
        assert!(
            matches!(&texts[..], [(1, Err(fault))] if fault.starts_with("not a JSON object with a text: ")),
            "{texts:?}"
        );
    }

    #[test]
    fn paragraph_in_another_notation_becomes_the_stored_text() {
        let text = "# \\4 \\3\n3\\ . .\n4\\ . .";
        let remarks = format!("# name: x\n{text}\n# solution\nno more");
        for (file, expected) in [
            (format!("kakuro/2/2/n4334\n\n{text}"), vec![(1, text), (3, text)]),
            (format!("{remarks}\n\n1 2"), vec![(1, remarks.as_str()), (8, "1 2")]),
            (format!("id,text\n7,\"{text}\"\n8,kakuro/2/2/n4334"), vec![(2, text), (5, "kakuro/2/2/n4334")]),
        ] {
            let lines = puzzles_of(file.as_bytes(), "test".to_owned(), spec::kind("kakuro").unwrap());
            let found: Vec<_> = lines.map(Result::unwrap).map(|line| (line.number, line.text.unwrap())).collect();
            let expected: Vec<_> = expected.into_iter().map(|(number, text)| (number, text.to_owned())).collect();
            assert_eq!(found, expected, "{file}");
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
        let texts: Vec<_> = lines(b"1\xff2\n\n34\n").map(|line| line.unwrap().text.unwrap()).collect();
        assert_eq!(texts, ["1\u{fffd}2", "34"]);
    }

    #[test]
    fn missing_file_is_an_error_with_its_name() {
        let mut lines = puzzle_lines(vec![PathBuf::from("no/such/file")], spec::kind("sudoku").unwrap());
        assert_eq!(lines.next().unwrap().unwrap_err().name, "no/such/file");
        assert!(lines.next().is_none());
    }
}
