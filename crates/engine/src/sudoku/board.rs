//! The 9×9 board that solvers and techniques share: a grid of 81 digits and its text, the 27 houses, and the peers of each cell.

use crate::shared::text::TextError;

/// Number of cells. Cells are numbered 0–80 in reading order.
pub const CELLS: usize = 81;

/// The characters that a text may have, as an error message lists them.
pub(super) const ALLOWED: &str = "1 to 9 for a given, and . or 0 for an empty cell";

/// A grid of digits, row by row. Each of its 81 cells is 0–9, where 0 is an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid(pub(crate) [u8; CELLS]);

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Grid({})", self.line())
    }
}

impl AsRef<[u8]> for Grid {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Grid {
    /// The empty grid.
    pub const EMPTY: Self = Self([0; CELLS]);

    /// Reads 81 cells. `.` and `0` are empty cells; white space is skipped. [`notation::read`](super::notation::read) reads more.
    ///
    /// # Errors
    /// [`TextError`] if a character is not a digit, `.`, or white space, or if there are not exactly 81 cells.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        match Self::of_81(text.as_bytes()) {
            Some(grid) => Ok(grid),
            None => Self::parse_leniently(text),
        }
    }

    /// Reads the usual text, exactly 81 characters, without a branch per character.
    pub(super) fn of_81(text: &[u8]) -> Option<Self> {
        let text: &[u8; CELLS] = text.try_into().ok()?;
        let mut cells = [0; CELLS];
        let mut highest = 0;
        for (cell, &character) in cells.iter_mut().zip(text) {
            *cell = if character == b'.' { 0 } else { character.wrapping_sub(b'0') };
            highest = highest.max(*cell);
        }
        (highest <= 9).then_some(Self(cells))
    }

    fn parse_leniently(text: &str) -> Result<Self, TextError> {
        let mut cells = [0; CELLS];
        let mut len = 0;
        for found in text.chars().filter(|found| !found.is_whitespace()) {
            let digit = match found {
                '.' => 0,
                '0'..='9' => found as u8 - b'0',
                _ => {
                    let (row, column) = (len / 9 + 1, len % 9 + 1);
                    return Err(TextError::Character { found, row, column, allowed: ALLOWED });
                }
            };
            if len < CELLS {
                cells[len] = digit;
            }
            len += 1;
        }
        if len == CELLS { Ok(Self(cells)) } else { Err(TextError::Length { len, wanted: CELLS }) }
    }

    /// The grid as 81 characters, with `0` for an empty cell.
    #[must_use]
    pub fn line(&self) -> String {
        self.0.iter().map(|&digit| char::from(b'0' + digit)).collect()
    }

    /// The grid as 81 characters, with `.` for an empty cell: the form in which puzzles are stored and shown.
    #[must_use]
    pub fn dotted(&self) -> String {
        self.line().replace('0', ".")
    }

    /// The digits, row by row.
    #[must_use]
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// Number of cells that are not empty.
    #[must_use]
    pub fn givens(&self) -> u16 {
        self.0.iter().map(|&digit| u16::from(digit != 0)).sum()
    }

    /// Two cells that hold the same digit, and the house that they share, as `(cell, cell, house)`; `None` if no two cells clash.
    #[must_use]
    pub fn clash(&self) -> Option<(usize, usize, usize)> {
        HOUSES.iter().enumerate().find_map(|(house, cells)| {
            let mut seen = [None; 10];
            cells.iter().find_map(|&cell| {
                let cell = usize::from(cell);
                let digit = usize::from(self.0[cell]);
                if digit == 0 {
                    return None;
                }
                seen[digit].replace(cell).map(|first| (first, cell, house))
            })
        })
    }
}

/// The 27 houses, each with its nine cells in reading order: rows 0–8, columns 9–17, boxes 18–26.
pub const HOUSES: [[u8; 9]; 27] = houses();

/// The 20 peers of each cell (the cells that share a house with it), in reading order.
pub const PEERS: [[u8; 20]; CELLS] = peers();

/// Row of a cell, 0–8.
#[must_use]
pub const fn row_of(cell: usize) -> usize {
    cell / 9
}

/// Column of a cell, 0–8.
#[must_use]
pub const fn column_of(cell: usize) -> usize {
    cell % 9
}

/// Box of a cell, 0–8, counted in reading order.
#[must_use]
pub const fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// Display name of a house: `row 1`, `column 9`, `box 5`.
#[must_use]
pub fn house_name(house: usize) -> String {
    let word = ["row", "column", "box"][house / 9];
    format!("{word} {}", house % 9 + 1)
}

/// Display name of a cell: `r1c9`.
#[must_use]
pub fn cell_name(cell: usize) -> String {
    format!("r{}c{}", row_of(cell) + 1, column_of(cell) + 1)
}

#[expect(clippy::cast_possible_truncation, reason = "cells are below 81")]
const fn houses() -> [[u8; 9]; 27] {
    let mut houses = [[0; 9]; 27];
    let mut filled = [0; 27];
    let mut cell = 0;
    while cell < CELLS {
        let of_cell = [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)];
        let mut which = 0;
        while which < 3 {
            let house = of_cell[which];
            houses[house][filled[house]] = cell as u8;
            filled[house] += 1;
            which += 1;
        }
        cell += 1;
    }
    houses
}

#[expect(clippy::cast_possible_truncation, reason = "cells are below 81")]
const fn peers() -> [[u8; 20]; CELLS] {
    let mut peers = [[0; 20]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut found = 0;
        let mut other = 0;
        while other < CELLS {
            let shares =
                row_of(cell) == row_of(other) || column_of(cell) == column_of(other) || box_of(cell) == box_of(other);
            if shares && cell != other {
                peers[cell][found] = other as u8;
                found += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    peers
}
