//! All kinds there are. Adding a kind adds a line here.

use super::{kind::PuzzleKind, sudoku::Sudoku};

static KINDS: [&dyn PuzzleKind; 1] = [&Sudoku];

/// Every kind, in the order in which they are listed to people.
#[must_use]
pub fn kinds() -> &'static [&'static dyn PuzzleKind] {
    &KINDS
}

/// The kind of this name, if there is one.
#[must_use]
pub fn kind(name: &str) -> Option<&'static dyn PuzzleKind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}
