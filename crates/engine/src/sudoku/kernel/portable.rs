//! [`Lanes`] in plain integers. One number holds four sets of 16 bits and represents a minirow: three sets are cells,
//! and the fourth is unused.

use super::{
    choose::{RANK_BITS, RANKS},
    lanes::{DIGITS, LANES, Lanes, NO_CELL},
};

/// Nine minirows, by band, then by box. The highest set of each is [`NO_CELL`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Minirows([u64; 9]);

/// The same set four times.
const fn each(set: u16) -> u64 {
    set as u64 * 0x0001_0001_0001_0001
}

/// The three cells of a minirow.
const CELLS: u64 = 0xFFFF_FFFF_FFFF;
const HIGHEST: u64 = each(0x8000);

impl Minirows {
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|at| f(self.0[at], other.0[at])))
    }

    const fn from_sets(sets: [u16; LANES]) -> Self {
        let mut minirows = [0; 9];
        let mut at = 0;
        while at < LANES {
            minirows[at / 3] |= (sets[at] as u64) << (at % 3 * 16);
            at += 1;
        }
        Self(minirows)
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }
}

/// Rotates the three cells of a minirow, so that each gets the set `by` further on.
fn turn(minirow: u64, by: usize) -> u64 {
    let cells = minirow & CELLS;
    ((cells >> (16 * by)) | (cells << (16 * (3 - by)))) & CELLS | minirow & !CELLS
}

impl Lanes for Minirows {
    type Mask = Self;

    fn load(cells: &[u8; 81]) -> [Self; 3] {
        std::array::from_fn(|row| {
            Self(std::array::from_fn(|at| {
                let first = at / 3 * 27 + row * 9 + at % 3 * 3;
                let set = |cell: usize| match cells[cell] {
                    0 => u64::from(DIGITS),
                    digit => 1 << (digit - 1),
                };
                set(first) | set(first + 1) << 16 | set(first + 2) << 32 | u64::from(NO_CELL) << 48
            }))
        })
    }

    fn sets(self) -> [u16; LANES] {
        #[expect(clippy::cast_possible_truncation, reason = "one set of the four is wanted")]
        std::array::from_fn(|at| (self.0[at / 3] >> (at % 3 * 16)) as u16)
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    fn and_not(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn or3(a: Self, b: Self, c: Self) -> Self {
        a.or(b).or(c)
    }

    fn and3(a: Self, b: Self, c: Self) -> Self {
        a.and(b).and(c)
    }

    fn alone(a: Self, b: Self, c: Self) -> Self {
        a.and_not(b).and_not(c)
    }

    fn and_not_or(a: Self, b: Self, c: Self) -> Self {
        a.and_not(b).or(c)
    }

    fn majority(a: Self, b: Self, c: Self) -> Self {
        a.and(b).or(c.and(a.or(b)))
    }

    fn either_pair(a: Self, b: Self, c: Self, d: Self) -> Self {
        a.and(b).or(c.and(d))
    }

    fn columns_on<const BY: usize>(self) -> Self {
        self.map(|minirow| turn(minirow, BY))
    }

    fn boxes_on<const BY: usize>(self) -> Self {
        Self(std::array::from_fn(|at| self.0[at / 3 * 3 + (at + BY) % 3]))
    }

    fn bands_on<const BANDS: usize, const COLUMNS: usize>(self) -> Self {
        Self(std::array::from_fn(|at| turn(self.0[(at + 3 * BANDS) % 9], COLUMNS)))
    }

    fn without_lowest(self) -> Self {
        // The highest bit of each set is never used. It prevents an empty set from borrowing from its neighbor.
        self.map(|sets| sets & ((sets | HIGHEST) - each(1)))
    }

    fn some(self) -> Self {
        self.map(|sets| {
            let some = (sets + each(0x7FFF)) & HIGHEST;
            some | (some - (some >> 15))
        })
    }

    fn replace(self, mask: Self, yes: Self) -> Self {
        self.and_not(mask).or(yes.and(mask))
    }

    fn keep(self, mask: Self) -> Self {
        self.and(mask)
    }

    fn clear(self, mask: Self) -> Self {
        self.and_not(mask)
    }

    fn mask(bits: u32) -> Self {
        Self(std::array::from_fn(|at| {
            let cell = |column: usize| (u64::from(bits >> (at * 3 + column) & 1) * 0xFFFF) << (column * 16);
            cell(0) | cell(1) | cell(2)
        }))
    }

    fn differ(self, other: Self) -> u32 {
        let [mine, others] = [self.sets(), other.sets()];
        (0..LANES).fold(0, |bits, at| bits | u32::from(mine[at] != others[at]) << at)
    }

    fn mask_and_not(mask: Self, not: Self) -> Self {
        mask.and_not(not)
    }

    fn masks_are_empty(masks: [Self; 3]) -> bool {
        Self::or3(masks[0], masks[1], masks[2]).0 == [0; 9]
    }

    fn any_empty(board: &[Self; 3]) -> bool {
        Self::and3(board[0].some(), board[1].some(), board[2].some()).0 != [u64::MAX; 9]
    }

    fn has_digits(self) -> bool {
        self.0.iter().fold(0, |all, minirow| all | minirow) & CELLS != 0
    }

    fn all_full(self) -> bool {
        self.0.iter().fold(u64::MAX, |all, minirow| all & minirow) & CELLS == each(DIGITS) & CELLS
    }

    fn equal(a: &[Self; 3], b: &[Self; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| a.0 == b.0)
    }

    fn tally(pairs: Self, others: [Self; 4]) -> Self {
        others.into_iter().fold(Self([0; 9]), |tally, other| {
            let common = pairs.and(other);
            let [one, two] = [common, common.without_lowest()].map(|sets| sets.some().map(|some| some & each(1)));
            tally.add(one).add(two)
        })
    }

    fn key(once: Self, twice: Self, ranks: Self) -> Self {
        once.add(twice).add(twice).map(|tally| tally << RANK_BITS).add(ranks)
    }

    fn ranks<const ROW: usize>() -> Self {
        const { Self::from_sets(RANKS[ROW]) }
    }

    fn highest(keys: [Self; 3]) -> u16 {
        keys.into_iter().flat_map(Self::sets).max().unwrap_or(0)
    }
}
