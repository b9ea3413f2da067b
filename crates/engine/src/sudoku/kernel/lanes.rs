//! [`Lanes`]: the vector operations that the kernel needs from a processor, on vectors of 27 sets of digits.
//!
//! The board is three such vectors. Vector `r` has row `r` of each band: the cell of a band and a column is at
//! position `9 * band + column`. A set has bit `d - 1` for digit `d`. So a move to another row of the band selects another
//! vector. Each other move (to another column of the minirow, box of the band, or band of the stack) is one fixed permutation.

use std::fmt::Debug;

/// The nine digits.
pub(super) const DIGITS: u16 = 0x1FF;

/// The content of register positions that belong to no cell: one candidate that is not a digit. Rounds do not change
/// it.
pub(super) const NO_CELL: u16 = 0x200;

/// The number of cells in one vector.
pub(super) const LANES: usize = 27;

/// A set of cells: 27 bits for each row of a band, starting at bit 0.
pub(super) type CellBits = u128;

pub(super) const fn bit_of(cell: usize) -> CellBits {
    1 << (cell / 9 % 3 * LANES + cell / 27 * 9 + cell % 9)
}

/// The bits of one row. Bits of other rows may be above them.
#[expect(clippy::cast_possible_truncation, reason = "27 bits are wanted")]
pub(super) const fn bits_of_row(cells: CellBits, row: usize) -> u32 {
    (cells >> (LANES * row)) as u32
}

/// 27 sets of digits, one third of a board.
pub(super) trait Lanes: Copy + Debug {
    /// A Boolean for each cell.
    type Mask: Copy;

    /// The board with these digits, at most 9. A 0 leaves all nine candidates.
    fn load(cells: &[u8; 81]) -> [Self; 3];

    /// The sets, by position.
    fn sets(self) -> [u16; LANES];

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    fn or3(a: Self, b: Self, c: Self) -> Self;
    fn and3(a: Self, b: Self, c: Self) -> Self;

    /// `a & !b & !c`.
    fn alone(a: Self, b: Self, c: Self) -> Self;

    /// `(a & !b) | c`.
    fn and_not_or(a: Self, b: Self, c: Self) -> Self;

    /// The bits that are in at least two of the three.
    fn majority(a: Self, b: Self, c: Self) -> Self;

    /// `(a & b) | (c & d)`.
    fn either_pair(a: Self, b: Self, c: Self, d: Self) -> Self;

    /// Moves to each cell the set of the column `BY` (1 or 2) further on in its minirow, cyclically.
    fn columns_on<const BY: usize>(self) -> Self;

    /// Moves to each cell the set of the same column in the box `BY` further on in its band, cyclically.
    fn boxes_on<const BY: usize>(self) -> Self;

    /// Moves to each cell the set `BANDS` further down in its stack and `COLUMNS` further on in the minirow there,
    /// cyclically.
    fn bands_on<const BANDS: usize, const COLUMNS: usize>(self) -> Self;

    /// Removes the lowest digit from each set.
    fn without_lowest(self) -> Self;

    /// Whether a set is not empty.
    fn some(self) -> Self::Mask;

    /// `yes` where the mask is true, otherwise `self`.
    fn replace(self, mask: Self::Mask, yes: Self) -> Self;

    /// `self` where the mask is true, otherwise the empty set.
    fn keep(self, mask: Self::Mask) -> Self;

    /// `self` where the mask is false, otherwise the empty set.
    fn clear(self, mask: Self::Mask) -> Self;

    /// The mask that is true where a bit is set, with bit 0 for position 0. Bits from [`LANES`] on are ignored.
    fn mask(bits: u32) -> Self::Mask;

    /// The positions at which two vectors differ, as bits.
    fn differ(self, other: Self) -> u32;

    fn mask_and_not(mask: Self::Mask, not: Self::Mask) -> Self::Mask;

    /// Whether none of the masks is true anywhere.
    fn masks_are_empty(masks: [Self::Mask; 3]) -> bool;

    /// Whether some cell has no digit left.
    fn any_empty(board: &[Self; 3]) -> bool;

    /// Whether some cell has one of the nine digits.
    fn has_digits(self) -> bool;

    /// Whether each set has all nine digits.
    fn all_full(self) -> bool;

    /// Whether two boards are the same.
    fn equal(a: &[Self; 3], b: &[Self; 3]) -> bool;

    /// For each set of `pairs`, which has at most two digits: the number of digits that it shares with each of the four others, summed.
    fn tally(pairs: Self, others: [Self; 4]) -> Self;

    /// Keys for comparing cells: one tally plus twice another, followed by the rank.
    fn key(once: Self, twice: Self, ranks: Self) -> Self;

    /// [`super::choose::RANKS`] of a row.
    fn ranks<const ROW: usize>() -> Self;

    /// The highest of all keys.
    fn highest(keys: [Self; 3]) -> u16;
}

/// An array of the values of an expression for each row of a band. This is a macro, because a closure might be compiled
/// for another processor than the code around it.
macro_rules! each_row {
    ($row:ident => $what:expr) => {
        [
            {
                const $row: usize = 0;
                $what
            },
            {
                const $row: usize = 1;
                $what
            },
            {
                const $row: usize = 2;
                $what
            },
        ]
    };
}
pub(super) use each_row;
