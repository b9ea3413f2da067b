//! The orbits of a symmetry on a square board. The symmetry maps the cells of an orbit onto each other, so all of them
//! are given, or all are empty.

use super::{cells::Cells, puzzle::Puzzle};
use crate::shared::{givens::Givens, step::Cell, symmetry::Symmetry};

/// The orbits of a symmetry, ordered by their first cells. Every cell lies in exactly one.
pub(crate) fn orbits(size: u8, symmetry: Symmetry) -> Vec<Cells> {
    let cells = Cell::from(size) * Cell::from(size);
    let orbit_of = |first: Cell| -> Cells {
        let images = symmetry.images(size.into(), first.into());
        images.into_iter().map(|cell| Cell::try_from(cell).expect("a board has at most 256 cells")).collect()
    };
    (0..cells)
        .map(|first| (first, orbit_of(first)))
        .filter(|(first, orbit)| orbit.first() == Some(*first))
        .map(|(_, orbit)| orbit)
        .collect()
}

/// Whether the pattern of digits has a symmetry.
pub(crate) fn has_symmetry(puzzle: &Puzzle, symmetry: Symmetry) -> bool {
    symmetry.fits(puzzle.variant.size.into(), |cell| puzzle.digits[cell] != 0)
}

/// How many of these orbits have 1, 2, 4, and 8 cells.
pub(crate) fn sizes(orbits: &[Cells]) -> [usize; 4] {
    let mut sizes = [0; 4];
    for orbit in orbits {
        sizes[orbit.len().ilog2() as usize] += 1;
    }
    sizes
}

/// Whether some of the orbits with these sizes have this many cells together. Each size divides the next, so taking the largest first
/// finds the number if there is a way.
pub(crate) fn reach(sizes: [usize; 4], number: u16) -> bool {
    let take = |left: usize, power: usize| left - (left >> power).min(sizes[power]) * (1 << power);
    (0..4).rev().fold(usize::from(number), take) == 0
}

/// The numbers of givens, within a range, that a pattern with this symmetry can have, in increasing order.
pub(crate) fn reachable_within(range: Givens, size: u8, symmetry: Symmetry) -> Vec<u16> {
    let sizes = sizes(&orbits(size, symmetry));
    (range.min..=range.max).filter(|&number| reach(sizes, number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_orbits_reach_are_sums_of_their_sizes() {
        for (size, symmetry, reached) in [
            (4, Symmetry::Rotation180, vec![0, 2, 4, 6, 8, 10, 12, 14, 16]),
            (4, Symmetry::Full, vec![0, 4, 8, 12, 16]),
            (3, Symmetry::Rotation90, vec![0, 1, 4, 5, 8, 9]),
            (3, Symmetry::Horizontal, (0..=9).collect()),
        ] {
            let sizes = sizes(&orbits(size, symmetry));
            let found: Vec<_> = (0..=17).filter(|&number| reach(sizes, number)).collect();
            assert_eq!(found, reached, "{size} {symmetry:?}");
        }
    }
}
