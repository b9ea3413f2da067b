//! The solver's state: for each digit the cells that may hold it, one bit a cell, 27 bits a band.

use crate::engine::sudoku::board::{CELLS, Grid, PEERS};

/// Nine cells times three rows in each of three bands. The fourth lane is always 0; it makes the whole one vector
/// register.
pub(super) type Bands = [u32; 4];

/// All 27 bits of each band.
pub(super) const ALL: Bands = [0x07FF_FFFF, 0x07FF_FFFF, 0x07FF_FFFF, 0];

/// For each cell, everything but its peers.
const NOT_PEERS: [Bands; CELLS] = not_peers();

/// What each cell may still hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidates {
    /// For each digit, counted from 0, the cells that may hold it.
    pub(super) digits: [Bands; 9],
    /// The cells that are not yet settled. A settled cell has one candidate, which its peers no longer have.
    pub(super) open: Bands,
}

impl Candidates {
    /// The state that a puzzle's givens leave, or none if two of them clash.
    pub(super) fn of(puzzle: &Grid) -> Option<Self> {
        let mut state = Self { digits: [ALL; 9], open: ALL };
        for (cell, &given) in puzzle.cells().iter().enumerate() {
            if let Some(digit) = usize::from(given).checked_sub(1) {
                if !state.has(cell, digit) {
                    return None;
                }
                state.place(cell, digit);
            }
        }
        Some(state)
    }

    pub(super) fn has(&self, cell: usize, digit: usize) -> bool {
        self.digits[digit][cell / 27] & bit(cell) != 0
    }

    /// Settles a cell that has this candidate.
    #[inline]
    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        let (band, not_cell) = (cell / 27, !bit(cell));
        self.open[band] &= not_cell;
        for other in &mut self.digits {
            other[band] &= not_cell;
        }
        let kept = &mut self.digits[digit];
        kept[band] |= bit(cell);
        *kept = zip(*kept, NOT_PEERS[cell], |cells, mask| cells & mask);
    }

    pub(super) fn remove(&mut self, cell: usize, digit: usize) {
        self.digits[digit][cell / 27] &= !bit(cell);
    }

    pub(super) fn is_solved(&self) -> bool {
        self.open == [0; 4]
    }

    /// The digits of the settled cells.
    pub(super) fn grid(&self) -> Grid {
        let mut cells = [0; CELLS];
        for (bands, digit) in self.digits.iter().zip(1..) {
            for cell in cells_of(zip(*bands, self.open, |found, open| found & !open)) {
                cells[cell] = digit;
            }
        }
        Grid(cells)
    }
}

/// A cell's bit within its band.
pub(super) const fn bit(cell: usize) -> u32 {
    1 << (cell % 27)
}

/// Lane by lane.
#[inline]
pub(super) fn zip(left: Bands, right: Bands, f: impl Fn(u32, u32) -> u32) -> Bands {
    std::array::from_fn(|lane| f(left[lane], right[lane]))
}

/// The cells of a set, in reading order.
#[inline]
pub(super) fn cells_of(bands: Bands) -> impl Iterator<Item = usize> {
    bands.into_iter().zip([0, 27, 54, 81]).flat_map(|(mut band, first)| {
        std::iter::from_fn(move || {
            let low = band.trailing_zeros();
            band &= band.checked_sub(1)?;
            Some(first + low as usize)
        })
    })
}

const fn not_peers() -> [Bands; CELLS] {
    let mut masks = [ALL; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut at = 0;
        while at < PEERS[cell].len() {
            let peer = PEERS[cell][at] as usize;
            masks[cell][peer / 27] &= !bit(peer);
            at += 1;
        }
        cell += 1;
    }
    masks
}
