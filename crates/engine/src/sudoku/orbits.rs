//! The orbits of a symmetry: sets of cells that it maps onto each other, which are all given or all empty.

use super::board::{CELLS, Grid};
use crate::shared::symmetry::Symmetry;

/// A set of cells that a symmetry maps onto each other, in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orbit {
    cells: [u8; 8],
    len: u8,
}

impl Orbit {
    /// Its cells: 1, 2, 4, or 8 of them, in reading order.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..usize::from(self.len)]
    }

    /// Number of its cells: 1, 2, 4, or 8.
    #[must_use]
    pub fn size(&self) -> u16 {
        u16::from(self.len)
    }

    fn push(&mut self, cell: usize) {
        self.cells[usize::from(self.len)] = u8::try_from(cell).expect("a grid has 81 cells");
        self.len += 1;
    }
}

/// The orbits of a symmetry, ordered by their first cells. Every cell lies in exactly one.
#[must_use]
pub fn orbits(symmetry: Symmetry) -> Vec<Orbit> {
    let mut orbits = Vec::with_capacity(CELLS);
    for first in 0..CELLS {
        let mut images = symmetry.images(9, first);
        images.sort_unstable();
        if images[0] < first {
            continue;
        }
        let mut orbit = Orbit { cells: [0; 8], len: 0 };
        for cell in images.chunk_by(|a, b| a == b).map(|equal| equal[0]) {
            orbit.push(cell);
        }
        orbits.push(orbit);
    }
    orbits
}

/// Whether the pattern of givens has a symmetry.
#[must_use]
pub fn has_symmetry(puzzle: &Grid, symmetry: Symmetry) -> bool {
    symmetry.fits(9, |cell| puzzle.cells()[cell] != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_lies_in_exactly_one_orbit() {
        for symmetry in Symmetry::ALL {
            let mut cells: Vec<_> = orbits(symmetry).iter().flat_map(|orbit| orbit.cells().to_vec()).collect();
            cells.sort_unstable();
            assert!(cells.into_iter().eq(0..81), "{symmetry:?}");
        }
    }

    #[test]
    fn each_symmetry_has_its_orbit_sizes() {
        // Number of orbits of 1, 2, 4 and 8 cells.
        let cases = [
            (Symmetry::None, [81, 0, 0, 0]),
            (Symmetry::Rotation180, [1, 40, 0, 0]),
            (Symmetry::Rotation90, [1, 0, 20, 0]),
            (Symmetry::Horizontal, [9, 36, 0, 0]),
            (Symmetry::Vertical, [9, 36, 0, 0]),
            (Symmetry::Diagonal, [9, 36, 0, 0]),
            (Symmetry::AntiDiagonal, [9, 36, 0, 0]),
            (Symmetry::Full, [1, 0, 8, 6]),
        ];
        for (symmetry, expected) in cases {
            let orbits = orbits(symmetry);
            let sizes = [1, 2, 4, 8].map(|size| orbits.iter().filter(|orbit| orbit.size() == size).count());
            assert_eq!(sizes, expected, "{symmetry:?}");
        }
    }

    #[test]
    fn pattern_has_the_symmetries_whose_orbits_are_given_or_empty_as_a_whole() {
        for made_with in Symmetry::ALL {
            let mut cells = [0; CELLS];
            // Cells 1, 11, and 39 are neither on an axis nor each other's images, so no other symmetry fits by chance.
            for first in [1, 11, 39] {
                let orbit = orbits(made_with).into_iter().find(|orbit| orbit.cells().contains(&first)).unwrap();
                orbit.cells().iter().for_each(|&cell| cells[usize::from(cell)] = 1);
            }
            let puzzle = Grid(cells);
            assert!(has_symmetry(&puzzle, made_with), "{made_with:?}");
            assert_eq!(Symmetry::strongest(|symmetry| has_symmetry(&puzzle, symmetry)), made_with);
        }
    }

    #[test]
    fn symmetry_maps_the_second_cell_as_named() {
        let cases: [(Symmetry, &[u8]); 8] = [
            (Symmetry::None, &[1]),
            (Symmetry::Rotation180, &[1, 79]),
            (Symmetry::Rotation90, &[1, 17, 63, 79]),
            (Symmetry::Horizontal, &[1, 7]),
            (Symmetry::Vertical, &[1, 73]),
            (Symmetry::Diagonal, &[1, 9]),
            (Symmetry::AntiDiagonal, &[1, 71]),
            (Symmetry::Full, &[1, 7, 9, 17, 63, 71, 73, 79]),
        ];
        for (symmetry, expected) in cases {
            let of_cell_1 = orbits(symmetry).into_iter().find(|orbit| orbit.cells().contains(&1));
            assert_eq!(of_cell_1.map(|orbit| orbit.cells().to_vec()).as_deref(), Some(expected), "{symmetry:?}");
        }
    }
}
