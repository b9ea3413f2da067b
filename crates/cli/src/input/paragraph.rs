//! A puzzle of several lines while it is being read.

use super::lines::LINE_BYTES_MAX;

/// A paragraph that is being read.
#[derive(Debug, Default)]
pub(super) struct Paragraph {
    first_line: u64,
    text: String,
    fault: Option<String>,
    /// Whether a line has a row of the puzzle.
    pub(super) has_rows: bool,
    /// Whether a line `# solution` ends the text of the puzzle.
    pub(super) has_solution: bool,
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
        self.has_solution |= line.trim_start_matches(['#', ' ']) == "solution";
        self.has_rows |= !is_remark(line) && !line.trim().eq_ignore_ascii_case("[puzzle]");
    }

    /// Refuses the paragraph.
    pub(super) fn fail(&mut self, number: u64, fault: String) {
        if self.first_line == 0 {
            self.first_line = number;
        }
        self.fault = Some(fault);
    }

    /// The paragraph with the number of its first line; `None` if it has no row.
    pub(super) fn ended(self) -> Option<(u64, Result<String, String>)> {
        match self.fault {
            Some(fault) => Some((self.first_line, Err(fault))),
            None => self.has_rows.then_some((self.first_line, Ok(self.text))),
        }
    }
}

/// Whether a line is of the form `# word: …`.
pub(super) fn is_remark(line: &str) -> bool {
    let word = line.strip_prefix('#').and_then(|rest| rest.split_once(':')).map(|(word, _)| word.trim());
    word.is_some_and(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use crate::input::{lines::puzzles_of, spec};

    fn paragraphs(text: &str) -> Vec<(u64, Result<String, String>)> {
        let lines = puzzles_of(text.as_bytes(), "test".to_owned(), spec::kind("kakuro").unwrap());
        lines.map(Result::unwrap).map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn puzzle_ends_at_a_line_that_is_no_part_of_it() {
        let cases = [
            ("# a\n. .\n\n# b\n. .\n", vec![(1, "# a\n. ."), (4, "# b\n. .")]),
            ("\n\n \n# a\r\n. .\r\n\r\n\r\nb", vec![(4, "# a\n. ."), (8, "b")]),
            ("# by: hand\n\n# name: 1\n. .\n", vec![(3, "# name: 1\n. .")]),
            ("\u{feff}a\n# word: 2\nb", vec![(1, "a"), (2, "# word: 2\nb")]),
            ("# 3\\ : .", vec![(1, "# 3\\ : .")]),
            ("# only: this\n\n", vec![]),
            ("% a book\na\n# the second\nb\n# solution\nc\n%\nd", vec![(2, "a"), (4, "b\n# solution\nc"), (8, "d")]),
            (
                "a\nPuzzle 2\nb\nkakuro/2/2/n4334\n",
                vec![(1, "a"), (2, "Puzzle 2"), (3, "b"), (4, "# \\4 \\3\n3\\ . .\n4\\ . .")],
            ),
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
