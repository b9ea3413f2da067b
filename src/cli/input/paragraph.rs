//! A puzzle of several lines while it is being read.

use std::io::{self, BufRead};

use super::lines::{LINE_BYTES_MAX, Numbered, next_line};

/// Returns the next paragraph that has more than lines of the form `# word: …`; `None` at the end. `number` counts the lines.
pub(super) fn next_paragraph(reader: &mut impl BufRead, number: &mut u64) -> io::Result<Option<Numbered>> {
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
pub(super) struct Paragraph {
    first_line: u64,
    text: String,
    fault: Option<String>,
    /// Whether a line has a row of the puzzle.
    has_rows: bool,
}

impl Paragraph {
    /// Adds a line. `number` counts the lines of the file.
    pub(super) fn add(&mut self, number: u64, line: &str) {
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

    /// The paragraph with the number of its first line; `None` if it has no row.
    pub(super) fn ended(self) -> Option<Numbered> {
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
