//! What a processor has to offer to the kernel: vectors of 27 sets of digits, and the few ways to move them about.
//!
//! The board is three such vectors. Vector `r` holds the cells of row `r` of each band; in it a cell stands at
//! `9 * band + column`. A set has bit `d - 1` for digit `d`. So the row within a band is a choice of vector, and each other
//! move (to the next column of the same minirow, box of the same band, band of the same stack) is one fixed rearrangement.

use std::fmt::Debug;

/// The nine digits.
pub(super) const DIGITS: u16 = 0x1FF;

/// What stands in positions of a register that belong to no cell: one candidate, no digit's. Rounds leave it as it is.
pub(super) const NO_CELL: u16 = 0x200;

/// Cells of one vector.
pub(super) const LANES: usize = 27;

/// A set of cells as bits: 27 for the positions of each row of a band, from bit 0.
pub(super) type CellBits = u128;

/// The bit of a cell.
pub(super) const fn bit_of(cell: usize) -> CellBits {
    1 << (cell / 9 % 3 * LANES + cell / 27 * 9 + cell % 9)
}

/// The bits of one row; others may stand above them.
#[expect(clippy::cast_possible_truncation, reason = "27 bits are wanted")]
pub(super) const fn bits_of_row(cells: CellBits, row: usize) -> u32 {
    (cells >> (LANES * row)) as u32
}

/// 27 sets of digits, one of three parts of a board.
pub(super) trait Lanes: Copy + Debug {
    /// A yes or no for each of the cells.
    type Mask: Copy;

    /// The board with these cells' digits; 0 leaves all nine open. Digits are at most 9.
    fn load(cells: &[u8; 81]) -> [Self; 3];

    /// The sets, by position.
    fn sets(self) -> [u16; LANES];

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    fn or3(a: Self, b: Self, c: Self) -> Self;
    fn and3(a: Self, b: Self, c: Self) -> Self;

    /// What is in `a` and in neither `b` nor `c`.
    fn alone(a: Self, b: Self, c: Self) -> Self;

    /// What is in `a` and not in `b`, and what is in `c`.
    fn and_not_or(a: Self, b: Self, c: Self) -> Self;

    /// What is in at least two of the three.
    fn majority(a: Self, b: Self, c: Self) -> Self;

    /// What is in both `a` and `b`, or in both `c` and `d`.
    fn either_pair(a: Self, b: Self, c: Self, d: Self) -> Self;

    /// Each cell gets what the column `BY` (1 or 2) further on in its minirow has; after the last comes the first.
    fn columns_on<const BY: usize>(self) -> Self;

    /// Each cell gets what the same column of the box `BY` further on in its band has.
    fn boxes_on<const BY: usize>(self) -> Self;

    /// Each cell gets what is `BANDS` further down in its stack and `COLUMNS` further on in the minirow there.
    fn bands_on<const BANDS: usize, const COLUMNS: usize>(self) -> Self;

    /// Takes the lowest digit out of each set.
    fn without_lowest(self) -> Self;

    /// Whether a set is not empty.
    fn some(self) -> Self::Mask;

    /// `yes` where the mask holds, else `self`.
    fn replace(self, mask: Self::Mask, yes: Self) -> Self;

    /// `self` where the mask holds, else nothing.
    fn keep(self, mask: Self::Mask) -> Self;

    /// `self` where the mask does not hold, else nothing.
    fn clear(self, mask: Self::Mask) -> Self;

    /// The mask that holds where a bit is set, bit 0 for position 0; bits from [`LANES`] on are ignored.
    fn mask(bits: u32) -> Self::Mask;

    /// The positions at which two vectors differ, as bits.
    fn differ(self, other: Self) -> u32;

    fn mask_and_not(mask: Self::Mask, not: Self::Mask) -> Self::Mask;

    /// Whether none of the masks holds anywhere.
    fn masks_are_empty(masks: [Self::Mask; 3]) -> bool;

    /// Whether some cell has no digit left.
    fn any_empty(board: &[Self; 3]) -> bool;

    /// Whether some cell has one of the nine digits.
    fn has_digits(self) -> bool;

    /// Whether each set has all nine digits.
    fn all_full(self) -> bool;

    /// Whether two boards are the same.
    fn equal(a: &[Self; 3], b: &[Self; 3]) -> bool;

    /// For each set of at most two digits, how many it has in common with each of the others, all told.
    fn tally(pairs: Self, others: [Self; 4]) -> Self;

    /// Numbers by which cells are compared: one tally and twice another, and then the rank.
    fn key(once: Self, twice: Self, ranks: Self) -> Self;

    /// [`super::choose::RANKS`] of a row.
    fn ranks<const ROW: usize>() -> Self;

    /// The highest of the keys.
    fn highest(keys: [Self; 3]) -> u16;
}

/// An array of what an expression is for each row of a band. A closure would do, were it sure to be compiled for the same
/// processor as what surrounds it.
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
