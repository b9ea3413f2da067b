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
