//! Reads the puzzle that a command is about: the ID of a stored puzzle, or a text from an argument or standard input.

use std::{
    io::{Read as _, stdin},
    path::Path,
};

use clap::Args;

use super::spec::{self, Kind};
use crate::CliError;
use puzzled_api::words;
use puzzled_base::message::text_of;
use puzzled_engine::shared::names::quoted;

/// The maximum number of bytes of a text from standard input.
const TEXT_MAX: u64 = 1 << 20;

/// The argument that stands for standard input.
const STDIN: &str = "-";

/// The puzzle of a command.
#[derive(Debug, Args)]
pub(crate) struct PuzzleArgs {
    /// Puzzle as text, or the ID of a stored puzzle, such as puzzle-17; - is standard input [default: standard input]
    #[arg(value_name = "PUZZLE")]
    puzzle: Option<String>,

    /// Kind of puzzle; not with an ID [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9; not with an ID [default: the one that the text shows]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Seed of a scrambled view of the stored puzzle; only with an ID
    #[arg(long, value_name = "N")]
    scramble_seed: Option<u64>,
}

/// The puzzle as a request names it: by its ID, or by its kind, variant, and text.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) kind: i32,
    pub(crate) variant: String,
    pub(crate) text: String,
    pub(crate) scramble_seed: Option<u64>,
}

impl PuzzleArgs {
    /// Reads the puzzle. The server refuses fields that contradict each other.
    ///
    /// # Errors
    /// Those of [`text`].
    pub(crate) fn read(&self) -> Result<Asked, CliError> {
        let text = text(self.puzzle.as_deref())?;
        let id = id_in(&text).map(str::to_owned);
        let kind = if id.is_some() && self.kind.is_none() { None } else { Some(spec::or_first(self.kind)?) };
        let text = if id.is_some() { String::new() } else { text };
        let id = id.unwrap_or_default();
        let variant = self.variant.clone().unwrap_or_default();
        Ok(Asked {
            id,
            kind: kind.map_or(0, |kind| words::kind(kind.name()).into()),
            variant,
            text,
            scramble_seed: self.scramble_seed,
        })
    }

    /// Whether the puzzle comes from standard input.
    pub(crate) fn is_piped(&self) -> bool {
        self.puzzle.as_deref().is_none_or(|puzzle| puzzle == STDIN)
    }
}

/// The ID of a stored puzzle, if that is what a text is.
pub(crate) fn id_in(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| text.starts_with("puzzle-"))
}

/// Returns a text from the command line, or else from standard input.
///
/// # Errors
/// [`CliError::Spec`] if the text names a file and is no ID, or if standard input is empty, too long, or not UTF-8. [`CliError::Input`] if standard
/// input cannot be read.
pub(crate) fn text(given: Option<&str>) -> Result<String, CliError> {
    if let Some(given) = given.filter(|given| *given != STDIN) {
        if id_in(given).is_none() && Path::new(given).is_file() {
            return Err(CliError::Spec(format!("{} is a file; to read it, write < {given}", quoted(given))));
        }
        return Ok(given.to_owned());
    }
    let mut bytes = Vec::new();
    let fault = |source| CliError::Input("standard input".to_owned(), source);
    stdin().take(TEXT_MAX + 1).read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > TEXT_MAX {
        return Err(CliError::Spec(format!("standard input has more than {TEXT_MAX} bytes; give one puzzle")));
    }
    let text = text_of(bytes).map_err(|fault| CliError::Spec(format!("standard input: {fault}")))?;
    if text.trim().is_empty() {
        let fault = "standard input is empty; give a puzzle as an argument, or write < and the name of a file";
        return Err(CliError::Spec(fault.to_owned()));
    }
    Ok(text)
}
