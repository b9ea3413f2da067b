//! A stored puzzle as somebody else would write it.

use super::{
    brought::{Brought, Cancel, unread},
    errors::{Invalid, ServiceError},
    parse::PuzzleText,
    settings::Limits,
};
use crate::store::puzzle::Puzzle;
use puzzled_engine::{kind::View, registry, rng::Rng};

/// The view of a puzzle that a seed draws, rated anew. It keeps everything that does not depend on the orientation: id,
/// origin, symmetry, canonical form.
///
/// # Errors
/// [`ServiceError::Invalid`] if the kind has no such views; [`ServiceError::Unrated`] if the techniques finish the stored
/// puzzle but not this view of it.
pub(super) fn view(puzzle: Puzzle, seed: u64, cancel: &Cancel) -> Result<Puzzle, ServiceError> {
    let none =
        || Invalid::one("scramble_seed", format!("{seed}: a puzzle of kind {} has no other views", puzzle.shelf.kind));
    let kind = registry::kind(&puzzle.shelf.kind).ok_or_else(none)?;
    let variant = &puzzle.shelf.variant;
    let stored = View { variant, symmetry: puzzle.shelf.symmetry, text: &puzzle.text, solution: &puzzle.solution };
    let scrambled =
        kind.scramble(&stored, &mut Rng::from_seed(seed)).map_err(|error| unread(&error))?.ok_or_else(none)?;
    // What is stored was rated within the kind's own bound, so that alone holds.
    let limits = Limits { rating_nodes_max: u64::MAX, ..Limits::default() };
    let brought = Brought::of(PuzzleText { kind, variant: variant.clone(), text: scrambled.text }, &limits)?;
    let record = brought.rated(cancel)?;
    let text = brought.text;
    let mut view = Puzzle { text, solution: scrambled.solution, ..puzzle };
    view.shelf.rating = record.rating;
    view.record = record.into();
    Ok(view)
}
