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
    use crate::grid::{canonical::canonical, samples, text};

    /// Whether the pattern is its own image under the turns of a symmetry.
    fn has_symmetry(puzzle: &Puzzle, turns: &[usize]) -> bool {
        let is_kept = |turn: Turn| {
            let image = puzzle.moved(|cell| turn.source(puzzle.variant.size, cell));
            image.digits.iter().zip(&puzzle.digits).all(|(one, other)| (*one == 0) == (*other == 0))
        };
        Turn::all().enumerate().filter(|(at, _)| turns.contains(at)).all(|(_, turn)| is_kept(turn))
    }

    const SYMMETRIES: [(Symmetry, &[usize]); 8] = [
        (Symmetry::None, &[]),
        (Symmetry::Rotation180, &[3]),
        (Symmetry::Rotation90, &[3, 5, 6]),
        (Symmetry::Horizontal, &[1]),
        (Symmetry::Vertical, &[2]),
        (Symmetry::Diagonal, &[4]),
        (Symmetry::AntiDiagonal, &[7]),
        (Symmetry::Full, &[0, 1, 2, 3, 4, 5, 6, 7]),
    ];

    #[test]
    fn view_has_the_form_and_the_symmetry_of_its_puzzle() {
        let mut rng = Rng::from_seed(3);
        for variant in samples::KIND.variants {
            for (symmetry, turns) in SYMMETRIES {
                for _ in 0..20 {
                    let mut puzzle = samples::puzzle(variant, &mut rng);
                    let solution = puzzle.digits.clone();
                    for cell in 0..variant.cells() {
                        if rng.index(5) < 2 {
                            let images = Turn::all().enumerate().filter(|(at, _)| turns.contains(at));
                            images.for_each(|(_, turn)| puzzle.digits[turn.source(variant.size, cell)] = 0);
                            puzzle.digits[cell] = 0;
                        }
                    }
                    assert!(has_symmetry(&puzzle, turns), "{symmetry:?}: {}", text::write(&puzzle));
                    let (view, solved) = scramble(&puzzle, &solution, symmetry, &mut rng);
                    assert!(has_symmetry(&view, turns), "{symmetry:?}: {}", text::write(&view));
                    assert_eq!(canonical(&view), canonical(&puzzle), "{}", text::write(&puzzle));
                    let given = view.digits.iter().zip(&solved).filter(|(given, _)| **given != 0);
                    assert!(given.into_iter().all(|(given, digit)| given == digit));
                }
            }
        }
    }

    #[test]
    fn variants_have_as_many_views_as_their_shape_allows() {
        let mut rng = Rng::from_seed(4);
        let mut count = |name: &str| {
            let puzzle = samples::puzzle(samples::named(name), &mut rng);
            let pattern = |_| {
                let mut board = puzzle.clone();
                board.digits[1] = 0;
                scramble(&board, &puzzle.digits, Symmetry::None, &mut rng).0.digits.iter().position(|digit| *digit == 0)
            };
            (0..200).map(pattern).collect::<BTreeSet<_>>().len()
        };
        assert_eq!(["4x4", "6x6", "8x8", "9x9-x", "5x5"].map(|name| count(name)), [1, 4, 4, 8, 8]);
    }
}
