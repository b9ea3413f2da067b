//! Reads the records of an import: JSON lines, such as those of `puzzled export`, or the texts that `puzzled rate` reads.

use std::{
    io::{self, BufRead},
    path::Path,
};

use super::{
    json_lines::{JsonRecord, has_json},
    lines::{ReadError, name_of, next_line, open, puzzles_of},
    spec::Kind,
    stated::{PuzzleLine, checked},
};
use puzzled_api::{v1 as pb, words};
use puzzled_engine::shared::names::quoted;

/// A record, or a line that cannot be read.
#[derive(Debug, PartialEq)]
pub(crate) enum Read {
    /// The record of a line.
    Record(pb::ImportRecord),
    /// The number of the line, and why it is not a record.
    Unreadable(u32, String),
}

/// The kind and the variant of records that do not state them.
#[derive(Debug, Clone)]
pub(crate) struct Defaults {
    pub(crate) kind: Kind,
    /// If empty, the text decides the variant.
    pub(crate) variant: String,
}

/// Reads the records of a file, or of standard input (`-`). If the input begins with `{`, it has JSON lines.
///
/// # Errors
/// [`ReadError`] if the file cannot be opened. The iterator ends after an error.
pub(crate) fn records(
    path: &Path,
    defaults: Defaults,
) -> Result<Box<dyn Iterator<Item = Result<Read, ReadError>>>, ReadError> {
    let name = name_of(path);
    let failed = |source| ReadError { name: name.clone(), source };
    let mut reader = open(path).map_err(failed)?;
    if has_json(&mut reader).map_err(failed)? {
        return Ok(Box::new(JsonLines { reader, name, defaults, number: 0, failed: false }));
    }
    let lines = puzzles_of(reader, name, defaults.kind);
    Ok(Box::new(lines.map(move |line| line.map(|line| of_text(&line, &defaults)))))
}

fn of_text(read: &PuzzleLine, defaults: &Defaults) -> Read {
    let line = line_number(read.number);
    match read.checked(defaults.kind, &defaults.variant) {
        Ok(text) => Read::Record(pb::ImportRecord {
            line,
            kind: words::kind(defaults.kind.name()).into(),
            variant: defaults.variant.clone(),
            text: text.to_owned(),
            note: String::new(),
        }),
        Err(fault) => Read::Unreadable(line, fault),
    }
}

/// Converts the number of a line. Only an endless stream has more lines than `u32` can count.
fn line_number(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Reads JSON lines, and ends after the first error.
struct JsonLines<R> {
    reader: R,
    name: String,
    defaults: Defaults,
    number: u64,
    failed: bool,
}

impl<R: BufRead> Iterator for JsonLines<R> {
    type Item = Result<Read, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.next_record() {
            Ok(read) => read.map(Ok),
            Err(source) => {
                self.failed = true;
                Some(Err(ReadError { name: self.name.clone(), source }))
            }
        }
    }
}

impl<R: BufRead> JsonLines<R> {
    fn next_record(&mut self) -> io::Result<Option<Read>> {
        while let Some(line) = next_line(&mut self.reader)? {
            self.number += 1;
            let number = line_number(self.number);
            let read = line.and_then(|line| {
                let line = line.trim_start_matches('\u{feff}').trim();
                if line.is_empty() { Ok(None) } else { self.record(number, line).map(Some) }
            });
            match read {
                Ok(None) => {}
                Ok(Some(record)) => return Ok(Some(Read::Record(record))),
                Err(fault) => return Ok(Some(Read::Unreadable(number, fault))),
            }
        }
        Ok(None)
    }

    fn record(&self, line: u32, json: &str) -> Result<pb::ImportRecord, String> {
        let JsonRecord { kind, variant, text, solution, note } = JsonRecord::parse(json)?;
        let kind =
            if kind.is_empty() { Some(words::kind(self.defaults.kind.name())) } else { words::named_kind(&kind) }
                .ok_or_else(|| format!("kind: {} is unknown; use one such as KIND_SUDOKU", quoted(&kind)))?;
        let variant = if variant.is_empty() { self.defaults.variant.clone() } else { variant };
        if let Some(of_kind) = words::kind_of(kind.into()) {
            checked(of_kind, &variant, &text, solution.as_deref())?;
        }
        Ok(pb::ImportRecord { line, kind: kind.into(), variant, text, note })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::spec;

    fn read(text: &str) -> Vec<Read> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("records");
        std::fs::write(&file, text).unwrap();
        let defaults = Defaults { kind: spec::kind("sudoku").unwrap(), variant: "9x9".to_owned() };
        records(&file, defaults).unwrap().map(|read| read.map_err(|error| error.source).unwrap()).collect()
    }

    fn record(line: u32, text: &str, note: &str) -> Read {
        let (kind, variant) = (pb::Kind::Sudoku.into(), "9x9".to_owned());
        Read::Record(pb::ImportRecord { line, kind, variant, text: text.to_owned(), note: note.to_owned() })
    }

    #[test]
    fn texts_are_records_of_the_named_kind() {
        assert_eq!(read("# a book\n12,easy\n\n34"), [record(2, "12", ""), record(4, "34", "")]);
    }

    #[test]
    fn json_lines_name_their_kind_and_a_broken_line_is_told() {
        let text = concat!(
            "\n{\"id\":\"puzzle-1\",\"kind\":\"KIND_SUDOKU\",\"variant\":\"9x9\",\"text\":\"12\",\"importNote\":\"by Ada\"}\n",
            "{\"text\":\"34\",\"note\":\"x\"}\n{\"txt\":\"56\"}\n{\"kind\":\"chess\",\"text\":\"78\"}\n"
        );
        let all = read(text);
        assert_eq!(all[..2], [record(2, "12", "by Ada"), record(3, "34", "x")]);
        let fault = |read: &Read| match read {
            Read::Unreadable(line, fault) => (*line, fault.clone()),
            Read::Record(record) => panic!("{record:?}"),
        };
        let (line, missing) = fault(&all[2]);
        assert!(line == 4 && missing.starts_with("not a JSON object with a text: missing field `text`"), "{missing}");
        let unknown = "kind: \"chess\" is unknown; use one such as KIND_SUDOKU".to_owned();
        assert_eq!(fault(&all[3]), (5, unknown));
    }

    #[test]
    fn missing_file_is_an_error_with_its_name() {
        let defaults = Defaults { kind: spec::kind("sudoku").unwrap(), variant: String::new() };
        assert_eq!(records(Path::new("no/such/file"), defaults).err().unwrap().name, "no/such/file");
    }
}
