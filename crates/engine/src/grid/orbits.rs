//! The orbits of a symmetry on a square board: sets of cells that it maps onto each other, which are all given or all empty.

use super::{cells::Cells, puzzle::Puzzle};
use crate::shared::{step::Cell, symmetry::Symmetry};

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
    let is_given = |cell: usize| puzzle.digits[cell] != 0;
    let size = puzzle.variant.size.into();
    (0..puzzle.digits.len())
        .all(|cell| symmetry.images(size, cell).into_iter().all(|image| is_given(image) == is_given(cell)))
}

/// Whether some of these orbits have this many cells together. The sizes of orbits are 1, 2, 4, and 8, so taking the largest first
/// finds the number if there is a way.
pub(crate) fn reach<'a>(orbits: impl Iterator<Item = &'a Cells>, number: usize) -> bool {
    let mut counts = [0; 4];
    orbits.for_each(|orbit| counts[orbit.len().ilog2() as usize] += 1);
    let left = (0..4).rev().fold(number, |left, power| left - (left >> power).min(counts[power]) * (1 << power));
    left == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_lies_in_exactly_one_orbit() {
        for size in [4, 6, 9, 16] {
            for symmetry in Symmetry::ALL {
                let mut cells: Vec<_> = orbits(size, symmetry).into_iter().flat_map(Cells::list).collect();
                cells.sort_unstable();
                assert!(cells.into_iter().eq(0..u16::from(size) * u16::from(size)), "{size} {symmetry:?}");
            }
        }
    }

    #[test]
    fn numbers_that_orbits_reach_are_sums_of_their_sizes() {
        for (size, symmetry, reached) in [
            (4, Symmetry::Rotation180, vec![0, 2, 4, 6, 8, 10, 12, 14, 16]),
            (4, Symmetry::Full, vec![0, 4, 8, 12, 16]),
            (3, Symmetry::Rotation90, vec![0, 1, 4, 5, 8, 9]),
            (3, Symmetry::Horizontal, (0..=9).collect()),
        ] {
            let orbits = orbits(size, symmetry);
            let found: Vec<_> = (0..=17).filter(|&number| reach(orbits.iter(), number)).collect();
            assert_eq!(found, reached, "{size} {symmetry:?}");
        }
    }
}
