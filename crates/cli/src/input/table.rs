//! Reads a table whose header names the column with the puzzles. A quoted field may have several lines.

use std::io::{self, BufRead};

use super::{
    lines::{LINE_BYTES_MAX, next_line, without_end},
    stated::{Numbered, Stated},
};

/// The names of the column with the puzzles: that of `puzzled export`, and that of `puzzled rate`.
pub(super) const COLUMNS: [&str; 2] = ["text", "puzzle"];

/// The name that `puzzled export` gives the column with the solutions.
const SOLUTION: &str = "solution";

/// The columns of a table, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    puzzle: usize,
    solution: Option<usize>,
    columns: usize,
}

impl Header {
    /// Returns the columns; `None` if a header does not name the column with the puzzles.
    pub(super) fn of(header: &str) -> Option<Self> {
        let names = fields(header);
        let column = |known: &[&str]| names.iter().position(|name| known.contains(&name.trim()));
        Some(Self { puzzle: column(&COLUMNS)?, solution: column(&[SOLUTION]), columns: names.len() })
    }

    /// The solution in a row. A row with more or fewer fields than the header states none, because a text that is not in quotes may
    /// have commas.
    pub(super) fn solution(self, row: &[String]) -> Option<String> {
        let stated = row.get(self.solution?).filter(|_| row.len() == self.columns);
        stated.filter(|solution| !solution.trim().is_empty()).cloned()
    }
}

/// Reads the header of a table, if an input begins with one.
///
/// # Errors
/// The error of the operating system.
pub(super) fn header(reader: &mut impl BufRead) -> io::Result<Option<Header>> {
    let head = String::from_utf8_lossy(reader.fill_buf()?);
    Ok(Header::of(without_end(head.lines().next().unwrap_or_default())))
}

/// Reads the puzzle of the next row, which may have line feeds between quotes. `number` counts the lines; the first is the header.
///
/// # Errors
/// The error of the operating system.
pub(super) fn next_row(reader: &mut impl BufRead, number: &mut u64, header: Header) -> io::Result<Option<Numbered>> {
    let (mut row, mut first_line, mut fault) = (String::new(), 0, None);
    while let Some(line) = next_line(reader)? {
        *number += 1;
        if *number == 1 || row.is_empty() && line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            continue;
        }
        if row.is_empty() {
            first_line = *number;
        }
        match line {
            Ok(line) if (row.len() + line.len()) as u64 <= LINE_BYTES_MAX => row += &line,
            Ok(_) => fault = Some(format!("longer than {LINE_BYTES_MAX} bytes")),
            Err(long) => fault = Some(long),
        }
        if fault.is_some() || row.matches('"').count() % 2 == 0 {
            let row = fields(without_end(&row));
            let answer = header.solution(&row);
            let missing = || format!("the row has no field {}", header.puzzle + 1);
            let stated = row.into_iter().nth(header.puzzle).map(|text| Stated { text, answer }).ok_or_else(missing);
            return Ok(Some((first_line, fault.map_or(stated, Err))));
        }
    }
    Ok((!row.is_empty()).then(|| (first_line, Err("a quote does not end".to_owned()))))
}

/// The fields of a row; none if it is not CSV. Without commas, semicolons or tabs separate them.
pub(super) fn fields(row: &str) -> Vec<String> {
    let separator = [b',', b';', b'\t'].into_iter().find(|it| row.as_bytes().contains(it)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).has_headers(false).from_reader(row.as_bytes());
    let fields = reader.records().next().and_then(Result::ok);
    fields.map(|fields| fields.iter().map(str::to_owned).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_first_line_and_the_text_of_their_puzzle() {
        let text = "id,\"level\",text\r\n1,easy,\"# \\4\n3\\ .\"\r\n\n2,hard,\"say \"\"x\"\"\"\n3\n4,,\"open\n";
        let (mut reader, mut number) = (text.as_bytes(), 0);
        let header = header(&mut reader).unwrap().unwrap();
        let rows: Vec<_> = std::iter::from_fn(|| next_row(&mut reader, &mut number, header).unwrap()).collect();
        let fault = |fault: &str| Err(fault.to_owned());
        let expected = [
            (2, Ok("# \\4\n3\\ .".to_owned().into())),
            (5, Ok("say \"x\"".to_owned().into())),
            (6, fault("the row has no field 3")),
            (7, fault("a quote does not end")),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn text_without_such_a_header_is_no_table() {
        for text in ["", "# # \\8\n", "id,kind\n", "context,puzzles\n"] {
            assert_eq!(header(&mut text.as_bytes()).unwrap(), None, "{text}");
        }
    }
}
