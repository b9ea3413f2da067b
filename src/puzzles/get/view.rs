//! Shows a stored puzzle as a scrambled view. A view has its own rating. If it cannot be rated, or does not fit the request, the next seed is
//! tried.

use std::sync::LazyLock;

use crate::{
    calls::{Cancel, ServiceError},
    puzzles::{
        text::{CallerPuzzle, PuzzleText},
        views::scrambled,
    },
    settings::Limits,
};
use puzzled_engine::shared::kind::PuzzleKind;
use puzzled_store::stock::{filter::ShelfFilter, puzzle::Puzzle};

/// The number of seeds that are tried before the puzzle is shown as it is stored. If the techniques solve a puzzle,
/// they solve nearly every view of it, so a second seed is rarely needed.
const SEEDS_MAX: u64 = 8;

/// A puzzle in the form in which it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) puzzle: Puzzle,
    /// The seed of the view; `None` if the puzzle is shown as it is stored.
    pub(super) seed: Option<u64>,
}

/// The view for a seed, with its own rating. If it cannot be rated, or is on a shelf that does not fit, the view for the next
/// seed replaces it. After [`SEEDS_MAX`] seeds, the puzzle is shown as it is stored, because it was delivered and must not be
/// refused. A view keeps all fields that do not depend on the orientation: ID, origin, symmetry, canonical form.
///
/// # Errors
/// [`ServiceError::CallerGone`] if `cancel` is set.
pub(super) fn view(
    kind: &'static dyn PuzzleKind,
    puzzle: Puzzle,
    seed: u64,
    shelves: &ShelfFilter,
    cancel: &Cancel,
) -> Result<Shown, ServiceError> {
    for seed in (0..SEEDS_MAX).map(|further| seed.wrapping_add(further)) {
        match rated_view(kind, &puzzle, seed, cancel) {
            Ok(view) if shelves.fits(&view.shelf) => return Ok(Shown { puzzle: view, seed: Some(seed) }),
            Ok(_) | Err(ServiceError::Unrated { .. } | ServiceError::RatingOutOfBudget { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Shown { puzzle, seed: None })
}

/// The stored puzzle was rated within the limit of its kind, so only that limit applies, as by default.
static OF_THE_KIND: LazyLock<Limits> = LazyLock::new(Limits::default);

/// The view for a seed, if it can be rated.
fn rated_view(
    kind: &'static dyn PuzzleKind,
    puzzle: &Puzzle,
    seed: u64,
    cancel: &Cancel,
) -> Result<Puzzle, ServiceError> {
    let variant = &puzzle.shelf.variant;
    let scrambled = scrambled(kind, puzzle, seed)?;
    let view = CallerPuzzle::of(PuzzleText { kind, variant: variant.clone(), text: scrambled.text }, &OF_THE_KIND)?;
    let record = view.rated(cancel)?;
    let mut view = Puzzle { text: view.text, solution: scrambled.solution, ..puzzle.clone() };
    view.shelf.rating = record.rating;
    if kind.variant(variant).is_some_and(|info| info.has_technique) {
        record.technique.clone_into(&mut view.shelf.technique);
    }
    record.technique.clone_into(&mut view.technique);
    view.predicted_seconds = record.predicted_seconds;
    view.record = Some(record.into());
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::{
        shared::{kind::View, level::Tenths, rng::Rng, symmetry::Symmetry},
        toy::Toy,
    };
    use puzzled_store::stock::puzzle;

    fn toy(rated_zeros_max: usize) -> &'static Toy {
        Box::leak(Box::new(Toy { rated_zeros_max, ..Toy::default() }))
    }

    fn stored() -> Puzzle {
        puzzle::toy("24", Tenths(99))
    }

    fn text_of(seed: u64) -> String {
        let stored = stored();
        let view = View { variant: "1x1", symmetry: Symmetry::None, text: &stored.text, solution: &stored.solution };
        toy(0).scramble(&view, &mut Rng::from_seed(seed)).unwrap().unwrap().text
    }

    #[test]
    fn view_that_cannot_be_rated_is_replaced_by_that_of_the_next_seed() {
        let never = Cancel::new(false);
        let (mut replaced, mut kept) = (0, 0);
        for seed in 0..50 {
            // The test's kind rates only texts without a leading zero.
            let wanted = (seed..seed + SEEDS_MAX).find(|seed| text_of(*seed) == "24");
            let Shown { puzzle, seed: shown } = view(toy(0), stored(), seed, &ShelfFilter::ANY, &never).unwrap();
            assert_eq!((puzzle.text.as_str(), shown), ("24", wanted));
            replaced += u32::from(shown.is_some_and(|shown| shown != seed));
            kept += u32::from(shown == Some(seed));
            assert_eq!(
                view(toy(0), stored(), seed, &ShelfFilter::ANY, &never).unwrap().seed,
                shown,
                "a seed always gives one view"
            );
        }
        assert!(replaced > 0 && kept > 0, "{replaced} replaced, {kept} kept");
    }

    #[test]
    fn puzzle_is_shown_as_stored_if_no_view_can_be_rated() {
        let hopeless = (0..1_000).find(|seed| (*seed..seed + SEEDS_MAX).all(|seed| text_of(seed) != "24")).unwrap();
        let Shown { puzzle, seed } = view(toy(0), stored(), hopeless, &ShelfFilter::ANY, &Cancel::new(false)).unwrap();
        assert_eq!((puzzle, seed), (stored(), None));
    }
}
