//! A puzzle as a file states it, and the check of the solution that the file states.

use super::spec::Kind;
use puzzled_engine::shared::text::answer;

/// The text of a puzzle, and where it is in the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PuzzleLine {
    /// The file and the first line, for messages: `line 3 of puzzles.txt`.
    pub place: String,
    /// The number of that line in its file, from 1.
    pub number: u64,
    /// The puzzle as text: the first word of a line or a paragraph, as it is, or the stored form of a text in another notation. An
    /// error says why the text cannot be read.
    pub text: Result<String, String>,
    /// The solution that the file states for the puzzle: a field of its record, or a board without empty cells on its line.
    pub answer: Option<String>,
}

impl PuzzleLine {
    /// The text. `named` is the variant; if empty, the text decides it.
    ///
    /// # Errors
    /// Why the text cannot be read, or how the stated solution differs from the only solution.
    pub(crate) fn checked(&self, kind: Kind, named: &str) -> Result<&str, String> {
        let text = self.text.as_deref().map_err(Clone::clone)?;
        checked(kind, named, text, self.answer.as_deref()).map(|()| text)
    }
}

/// Compares a stated solution with the only solution of a text.
///
/// # Errors
/// How they differ, or why the solution cannot be read.
pub(super) fn checked(kind: Kind, named: &str, text: &str, answer: Option<&str>) -> Result<(), String> {
    let Some(answer) = answer else { return Ok(()) };
    let named = if named.is_empty() { kind.text_variant() } else { named };
    answer::check_beside(kind, named, text, answer).map_err(|error| error.to_string())
}

/// A puzzle as a file states it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) text: String,
    /// See [`PuzzleLine::answer`].
    pub(super) answer: Option<String>,
}

impl From<String> for Stated {
    fn from(text: String) -> Self {
        Self { text, answer: None }
    }
}

/// The number of the first line, and the puzzle or the reason why it cannot be read.
pub(super) type Numbered = (u64, Result<Stated, String>);
