//! Views: the same puzzle turned or mirrored, with other digits.

use super::{puzzle::Puzzle, turns::Turn};
use crate::shared::{rng::Rng, symmetry::Symmetry};

/// A random view of a puzzle, with its solution. The pattern of givens keeps its symmetry. The canonical form stays the same.
pub(crate) fn scramble(puzzle: &Puzzle, solution: &[u8], symmetry: Symmetry, rng: &mut Rng) -> (Puzzle, Vec<u8>) {
    let variant = puzzle.variant;
    let turns: Vec<_> = Turn::all().filter(|turn| turn.is_of(variant) && turn.keeps(symmetry)).collect();
    let turn = turns[rng.index(turns.len())];
    let mut names: Vec<u8> = (0..=variant.digits()).collect();
    rng.shuffle(&mut names[1..]);
    let view = |digits: &[u8]| {
        let renamed = digits.iter().map(|digit| names[usize::from(*digit)]).collect();
        puzzle.with(renamed).moved(|cell| turn.source(variant.size, cell))
    };
    (view(&puzzle.digits), view(solution).digits)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::grid::{
        canonical::canonical,
        cells::Cells,
        orbits::{has_symmetry, orbits},
        samples,
        text::write,
    };

    #[test]
    fn view_has_the_form_and_the_symmetry_of_its_puzzle() {
        let mut rng = Rng::from_seed(3);
        let cases = samples::KIND.variants.iter().flat_map(|variant| Symmetry::ALL.map(|symmetry| (variant, symmetry)));
        for (variant, symmetry) in cases.flat_map(|case| [case; 20]) {
            let full = samples::full(variant, &mut rng);
            let mut puzzle = full.clone();
            for cell in orbits(variant.size, symmetry).into_iter().filter(|_| rng.index(5) > 1).flat_map(Cells::list) {
                puzzle.digits[usize::from(cell)] = 0;
            }
            let (view, solved) = scramble(&puzzle, &full.digits, symmetry, &mut rng);
            assert!(has_symmetry(&view, symmetry), "{symmetry:?}: {}", write(&puzzle));
            assert_eq!(canonical(&view), canonical(&puzzle), "{}", write(&puzzle));
            assert!(view.digits.iter().zip(&solved).all(|(given, digit)| *given == 0 || given == digit));
        }
    }

    #[test]
    fn variants_have_as_many_views_as_their_shape_allows() {
        let mut rng = Rng::from_seed(4);
        for (name, count) in [("4x4", 1), ("6x6", 4), ("8x8", 4), ("9x9-x", 8), ("5x5", 8)] {
            let full = samples::full(samples::named(name), &mut rng);
            let mut puzzle = full.clone();
            puzzle.digits[1] = 0;
            let mut view = |_| scramble(&puzzle, &full.digits, Symmetry::None, &mut rng).0.digits;
            let empty: BTreeSet<_> = (0..200).map(|at| view(at).iter().position(|digit| *digit == 0)).collect();
            assert_eq!(empty.len(), count, "{name}");
        }
    }
}
