//! A table in which one column has the puzzles, for kinds whose texts have several lines. The header names the column.

use std::io::{self, BufRead};

use super::lines::{LINE_BYTES_MAX, Numbered, next_line, without_end};

/// The names of the column with the puzzles: in what `puzzled export` writes, and in what `puzzled rate` writes.
pub(super) const COLUMNS: [&str; 2] = ["text", "puzzle"];

/// The number of the column with the puzzles, from 0, if an input begins with a header that names it.
///
/// # Errors
/// The error of the operating system.
pub(super) fn column(reader: &mut impl BufRead) -> io::Result<Option<usize>> {
    let head = String::from_utf8_lossy(reader.fill_buf()?);
    let header = without_end(head.lines().next().unwrap_or_default()).to_owned();
    Ok(fields(&header).iter().position(|name| COLUMNS.contains(&name.trim())))
}

/// Reads the puzzle of the next row, which may have line feeds between quotes. `number` counts the lines; the first is the header.
///
/// # Errors
/// The error of the operating system.
pub(super) fn next_row(reader: &mut impl BufRead, number: &mut u64, column: usize) -> io::Result<Option<Numbered>> {
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
            let missing = || format!("the row has no field {}", column + 1);
            let text = fields(without_end(&row)).into_iter().nth(column).ok_or_else(missing);
            return Ok(Some((first_line, fault.map_or(text, Err))));
        }
    }
    Ok((!row.is_empty()).then(|| (first_line, Err("a quote does not end".to_owned()))))
}

/// The fields of a row; none if it is not CSV.
pub(super) fn fields(row: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
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
        let column = column(&mut reader).unwrap().unwrap();
        let rows: Vec<_> = std::iter::from_fn(|| next_row(&mut reader, &mut number, column).unwrap()).collect();
        let fault = |fault: &str| Err(fault.to_owned());
        let expected = [
            (2, Ok("# \\4\n3\\ .".to_owned())),
            (5, Ok("say \"x\"".to_owned())),
            (6, fault("the row has no field 3")),
            (7, fault("a quote does not end")),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn text_without_such_a_header_is_no_table() {
        for text in ["", "# # \\8\n", "id,kind\n", "context,puzzles\n"] {
            assert_eq!(column(&mut text.as_bytes()).unwrap(), None, "{text}");
        }
    }
}
