//! The orbits of a board's inner cells under a symmetry: sets of cells that are all white or all blocks. Also tests
//! whether a layout has a symmetry.

use crate::{kakuro::layout::Layout, shared::symmetry::Symmetry};

/// Whether the symmetry exists only on square boards.
#[must_use]
pub fn needs_square(symmetry: Symmetry) -> bool {
    matches!(symmetry, Symmetry::Rotation90 | Symmetry::Diagonal | Symmetry::AntiDiagonal | Symmetry::Full)
}

/// Whether a layout has a symmetry.
#[must_use]
pub fn has_symmetry(layout: &Layout, symmetry: Symmetry) -> bool {
    let (width, height, signs) = (layout.width(), layout.height(), layout.signs());
    (!needs_square(symmetry) || width == height)
        && orbits(width, height, symmetry).iter().all(|orbit| orbit.iter().all(|&cell| signs[cell] == signs[orbit[0]]))
}

/// The orbits that partition the inner cells. Orbits and their cells are in reading order. The outer row and column are
/// excluded, because they are only on two sides of the board.
pub(super) fn orbits(width: usize, height: usize, symmetry: Symmetry) -> Vec<Vec<usize>> {
    let mut seen = vec![false; width * height];
    let mut orbits = Vec::new();
    for row in 0..height - 1 {
        for column in 0..width - 1 {
            let mut orbit = vec![(row, column)];
            let mut at = 0;
            while at < orbit.len() {
                for image in images(orbit[at], (height - 2, width - 2), symmetry) {
                    if !orbit.contains(&image) {
                        orbit.push(image);
                    }
                }
                at += 1;
            }
            let mut cells: Vec<_> = orbit.iter().map(|(row, column)| (row + 1) * width + column + 1).collect();
            cells.sort_unstable();
            if !std::mem::replace(&mut seen[cells[0]], true) {
                orbits.push(cells);
            }
        }
    }
    orbits
}

/// The cells to which the generators of a symmetry map an inner cell. `last` is the last inner row and column, from 0.
fn images((row, column): (usize, usize), last: (usize, usize), symmetry: Symmetry) -> Vec<(usize, usize)> {
    let half_turn = (last.0 - row, last.1 - column);
    match symmetry {
        Symmetry::None => vec![],
        Symmetry::Rotation180 => vec![half_turn],
        Symmetry::Rotation90 => vec![(column, last.0 - row)],
        Symmetry::Horizontal => vec![(row, last.1 - column)],
        Symmetry::Vertical => vec![(last.0 - row, column)],
        Symmetry::Diagonal => vec![(column, row)],
        Symmetry::AntiDiagonal => vec![(last.1 - column, last.0 - row)],
        Symmetry::Full => vec![(row, last.1 - column), (column, row)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_have_the_sizes_of_their_symmetry_and_cover_all_cells() {
        let cases = [
            (Symmetry::None, 5, 4, 12, 1),
            (Symmetry::Rotation180, 5, 4, 6, 2),
            (Symmetry::Horizontal, 5, 4, 6, 2),
            (Symmetry::Vertical, 4, 5, 6, 2),
            (Symmetry::Rotation90, 5, 5, 4, 4),
            (Symmetry::Diagonal, 5, 5, 10, 2),
            (Symmetry::AntiDiagonal, 5, 5, 10, 2),
            (Symmetry::Full, 5, 5, 3, 8),
        ];
        for (symmetry, width, height, count, largest) in cases {
            let orbits = orbits(width, height, symmetry);
            let mut cells = orbits.concat();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), (width - 1) * (height - 1), "{symmetry:?}");
            assert_eq!(orbits.concat().len(), cells.len(), "{symmetry:?}");
            assert_eq!(orbits.len(), count, "{symmetry:?}");
            assert!(orbits.iter().all(|orbit| orbit.len() <= largest), "{symmetry:?}");
        }
    }
}
