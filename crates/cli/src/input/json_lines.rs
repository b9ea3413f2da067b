//! Reads a puzzle from a line of JSON, such as those of `puzzled export --format json`.

use std::io::{self, BufRead};

use serde::Deserialize;

/// The fields of a JSON line that are read; `export` writes others too.
#[derive(Debug, Deserialize)]
pub(super) struct JsonRecord {
    /// The kind as the API names it; empty if the line does not state it.
    #[serde(default)]
    pub(super) kind: String,
    /// Empty if the line does not state it.
    #[serde(default)]
    pub(super) variant: String,
    /// The puzzle.
    pub(super) text: String,
    /// The solution, if the line states it.
    pub(super) solution: Option<String>,
    /// What an import says of the puzzle.
    #[serde(default, alias = "importNote")]
    pub(super) note: String,
}

impl JsonRecord {
    /// Parses a line.
    ///
    /// # Errors
    /// The reason why the line is not a record.
    pub(super) fn parse(json: &str) -> Result<Self, String> {
        let record: Self =
            serde_json::from_str(json).map_err(|error| format!("not a JSON object with a text: {error}"))?;
        Ok(Self { solution: record.solution.filter(|solution| !solution.is_empty()), ..record })
    }
}

/// Whether an input has JSON lines: its first character is `{`.
///
/// # Errors
/// The error of the operating system.
pub(super) fn has_json(reader: &mut impl BufRead) -> io::Result<bool> {
    let head = reader.fill_buf()?;
    Ok(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start().starts_with(b"{"))
}
