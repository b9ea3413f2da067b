//! Finds equal rows and equal bands of a grid. The search for the canonical form tries equal rows or bands in one order only,
//! because exchanging them changes nothing.

use crate::sudoku::board::Grid;

/// The nine cells of a row or column; 0 is an empty cell.
pub(super) type Line = [u8; 9];

/// A set of rows; bit n is row n.
pub(super) type Rows = u16;

/// A grid, read by rows or by columns, with its equal rows and bands.
pub(super) struct Side {
    pub(super) rows: [Line; 9],
    /// For each row, the earlier rows of its band that are equal to it.
    twins: [Rows; 9],
    /// For each band, the rows of all earlier bands that consist of the same three rows in any order.
    twin_bands: [Rows; 3],
}

impl Side {
    pub(super) fn of(grid: &Grid) -> Self {
        let rows: [Line; 9] = std::array::from_fn(|row| std::array::from_fn(|column| grid.cells()[row * 9 + column]));
        let twins = std::array::from_fn(|row| {
            (row / 3 * 3..row).filter(|&other| rows[other] == rows[row]).fold(0, |twins, other| twins | 1 << other)
        });
        let sorted = [0, 3, 6].map(|first| {
            let mut band = [rows[first], rows[first + 1], rows[first + 2]];
            band.sort_unstable();
            band
        });
        let twin_bands = std::array::from_fn(|band| {
            (0..band).filter(|&other| sorted[other] == sorted[band]).fold(0, |rows, other| rows | band_rows(other))
        });
        Self { rows, twins, twin_bands }
    }

    /// The rows that may come next: the remaining rows of an incomplete band, or else any row of an unused band. Of equal rows or
    /// bands, includes only the first unused one.
    pub(super) fn next_rows(&self, used: Rows) -> impl Iterator<Item = usize> + '_ {
        let begun = (0..3).find(|&band| ![0, band_rows(band)].contains(&(used & band_rows(band))));
        let fits = move |row: usize| {
            let band = row / 3;
            let band_is_next = match begun {
                Some(begun) => begun == band,
                None => self.twin_bands[band] & !used == 0,
            };
            band_is_next && used & 1 << row == 0 && self.twins[row] & !used == 0
        };
        (0..9).filter(move |&row| fits(row))
    }
}

const fn band_rows(band: usize) -> Rows {
    0b111 << (band * 3)
}
