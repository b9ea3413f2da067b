//! Reads boards that were filled in, one JSON object a line.

use std::path::Path;

use serde::Deserialize;

use super::{
    lines::{ReadError, name_of, next_line, open},
    spec::{self, Kind},
};
use puzzled_api::words;
use puzzled_engine::shared::{kind::PuzzleKind, text::TextError};

/// A puzzle and a board of it. Other fields of the line are ignored.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct BoardRecord {
    /// The kind, as the API or the command line names it; the first one by default.
    #[serde(default)]
    kind: String,
    /// Empty if the text shows it.
    #[serde(default)]
    variant: String,
    /// The puzzle.
    text: String,
    /// The puzzle with all cells filled in.
    pub(crate) board: String,
    /// The solution, if the line states it.
    pub(crate) solution: Option<String>,
}

impl BoardRecord {
    /// The kind of the puzzle.
    ///
    /// # Errors
    /// The field, its value, and what is allowed.
    pub(crate) fn kind(&self) -> Result<Kind, String> {
        if self.kind.is_empty() {
            return spec::or_first(None).map_err(|error| error.to_string());
        }
        let of_api = words::named_kind(&self.kind).and_then(|kind| words::kind_of(kind.into()));
        of_api.map_or_else(|| spec::kind(&self.kind).map_err(|fault| format!("kind: {fault}")), Ok)
    }

    /// The variant and the text in its stored form.
    ///
    /// # Errors
    /// The field, and what is wrong with it.
    pub(crate) fn puzzle(&self, kind: &dyn PuzzleKind) -> Result<(String, String), String> {
        let named = if self.variant.is_empty() { kind.text_variant() } else { &self.variant };
        let fault = |error| match error {
            TextError::Variant { reason } => format!("variant: {reason}"),
            of_text => format!("text: {of_text}"),
        };
        let text = kind.normalize(named, &self.text).map_err(fault)?;
        let variant = kind.variant_of(named, &text).map_err(fault)?;
        Ok((variant, text))
    }
}

/// One line of the input.
#[derive(Debug)]
pub(crate) struct BoardLine {
    /// From 1.
    pub(crate) number: u64,
    /// The record, or why the line has none.
    pub(crate) record: Result<BoardRecord, String>,
}

/// Reads the boards of a file; `-` is standard input. Empty lines are skipped.
///
/// # Errors
/// [`ReadError`] if the file cannot be opened. Each item is one if it cannot be read to its end.
pub(crate) fn board_lines(
    path: &Path,
) -> Result<impl Iterator<Item = Result<BoardLine, ReadError>> + Send + use<>, ReadError> {
    let name = name_of(path);
    let mut reader = open(path).map_err(|source| ReadError { name: name.clone(), source })?;
    let mut number = 0;
    Ok(std::iter::from_fn(move || {
        loop {
            number += 1;
            let line = match next_line(&mut reader) {
                Ok(line) => line?,
                Err(source) => return Some(Err(ReadError { name: name.clone(), source })),
            };
            let record = line.and_then(|line| match line.trim_start_matches('\u{feff}').trim() {
                "" => Err(String::new()),
                json => serde_json::from_str(json).map_err(|error| fault(&error)),
            });
            if record.as_ref().err().is_none_or(|fault| !fault.is_empty()) {
                return Some(Ok(BoardLine { number, record }));
            }
        }
    }))
}

/// Why a line is no record. The place in the line is left out, because people count lines of the file.
fn fault(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let reason = words.split(" at line ").next().unwrap_or_default();
    format!("not a JSON object with the texts `text` and `board`: {reason}")
}
