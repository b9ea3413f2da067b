//! Compares the answer that a text states with the solution of its puzzle. An answer that differs shows a misprint, or a rule
//! that the text does not state.

use std::sync::atomic::AtomicBool;

use super::{TextError, Verdict, compare::BoardState, malformed};
use crate::shared::{
    budget::Budget,
    kind::{HintFor, PuzzleKind},
    phrases::list,
    step::cell_name,
};

/// The maximum number of nodes of the proof. Texts are read on threads that serve other calls, too, and this many nodes take
/// about 20 ms. If a puzzle needs more, its answer is not compared.
const NODES_MAX: u64 = 20_000;

/// The maximum number of cells that a message names.
const CELLS_MAX: usize = 5;

/// Compares an answer that stands beside the text, such as a field of the same record. `named` is the variant; if empty, the text
/// decides it. If the text cannot be read, the check passes, because its reader reports that.
///
/// # Errors
/// [`TextError`] names the first cells that differ, or says why the answer cannot be read.
pub fn check_beside(kind: &dyn PuzzleKind, named: &str, text: &str, answer: &str) -> Result<(), TextError> {
    let Ok(stored) = kind.normalize(named, text) else { return Ok(()) };
    check(kind, &kind.variant_of(named, &stored)?, &stored, answer)
}

/// Refuses an answer with a digit that the solution of the puzzle does not have. Empty cells of the answer say nothing. Accepts
/// any answer if the puzzle does not have exactly one solution, which its verdict says, or if the proof needs too many nodes.
///
/// # Errors
/// [`TextError`] if the texts cannot be read, or names the first cells that differ.
pub(crate) fn check(kind: &dyn PuzzleKind, variant: &str, text: &str, answer: &str) -> Result<(), TextError> {
    let never = AtomicBool::new(false);
    let verdict = kind.validate(variant, text, &mut Budget::new(NODES_MAX, &never))?;
    let Verdict::Unique { solution } = verdict else { return Ok(()) };
    let at_cell = |error: TextError| malformed(format!("the stated solution: {error}"));
    let cells = match kind.compare(HintFor { variant, text, solution: &solution }, answer).map_err(at_cell)? {
        BoardState::CorrectSoFar | BoardState::Complete => return Ok(()),
        BoardState::GivensDiffer(cells) => cells,
        BoardState::Wrong(cells) => cells.into_iter().map(|(cell, _)| cell).collect(),
    };
    let columns = kind.size(variant, text)?.columns;
    let named = list(cells.iter().take(CELLS_MAX).map(|cell| cell_name(*cell, columns)), "and");
    let more = if cells.len() > CELLS_MAX { format!(" and {} more", cells.len() - CELLS_MAX) } else { String::new() };
    Err(malformed(format!(
        "the stated solution differs from the only solution in {named}{more}; look for a misprint, or for a rule that the text does not \
         state"
    )))
}
