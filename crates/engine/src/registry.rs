//! All kinds there are. Adding a kind adds a line here.

use super::{kakuro::Kakuro, kind::PuzzleKind, spec::Spec, sudoku::Sudoku};

static KINDS: [&dyn PuzzleKind; 2] = [&Sudoku, &Kakuro];

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

/// Why this version does not generate the puzzles of a spec, in one sentence. None if it does, or if it does not know the kind.
#[must_use]
pub fn refusal(spec: &Spec) -> Option<String> {
    kind(&spec.kind)?.check_spec(spec).err().map(|error| error.to_string())
}
