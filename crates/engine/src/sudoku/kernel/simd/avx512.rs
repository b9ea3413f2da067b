//! [`Lanes`] on AVX-512. One 512-bit register has one row of all three bands, in order of position. The last five
//! positions belong to no cell.

use std::arch::x86_64::{
    __m512i, __mmask32, _mm_cvtsi128_si32, _mm_max_epu16, _mm_minpos_epu16, _mm_set1_epi16, _mm_xor_si128,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_max_epu16, _mm512_add_epi16, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_castsi512_si256, _mm512_cmplt_epu16_mask, _mm512_cmpneq_epu16_mask,
    _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_loadu_si512, _mm512_mask_mov_epi16,
    _mm512_mask_permutexvar_epi16, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi16, _mm512_max_epu16, _mm512_min_epu16,
    _mm512_or_si512, _mm512_permutex2var_epi8, _mm512_permutexvar_epi16, _mm512_popcnt_epi16, _mm512_set1_epi16,
    _mm512_slli_epi16, _mm512_store_si512, _mm512_ternarylogic_epi64, _mm512_test_epi16_mask, _mm512_test_epi64_mask,
    _mm512_testn_epi16_mask,
};

use crate::sudoku::kernel::{
    choose::{RANK_BITS, RANKS},
    lanes::{DIGITS, LANES, Lanes, NO_CELL},
};

/// A vector of 32 sets. The first 27 are cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Zmm(__m512i);

/// The mask of the positions that are cells.
const CELLS: __mmask32 = (1 << LANES) - 1;

/// The operands of a ternary operation, as bits of its truth table.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;

/// Calls one or more intrinsics.
macro_rules! x86 {
    ($e:expr) => {
        // SAFETY: the only functions that work with `Zmm` are those of `super` that enable what is used here, and they
        // are called only if the processor has it. What is loaded or stored is a live array of that size, aligned
        // where the instruction wants it.
        unsafe { $e }
    };
}

impl Zmm {
    /// Reads 32 sets.
    #[inline(always)]
    fn of(sets: &Aligned<u16, 32>) -> Self {
        x86!(Self(_mm512_load_si512(sets.0.as_ptr().cast())))
    }

    /// Moves to each cell the set that is this many bands, boxes, and columns further on.
    #[inline(always)]
    fn moved<const BANDS: usize, const BOXES: usize, const COLUMNS: usize>(self) -> Self {
        let from = Self::of(const { &sources([BANDS, BOXES, COLUMNS]) });
        x86!(Self(_mm512_permutexvar_epi16(from.0, self.0)))
    }

    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        x86!(Self(_mm512_ternarylogic_epi64::<TABLE>(a.0, b.0, c.0)))
    }

    /// The sets of a row's cells, from their digits. `bytes` is the low and the high part of the grid.
    #[inline(always)]
    fn row<const ROW: usize>(bytes: [__m512i; 2]) -> Self {
        x86!({
            let from = _mm512_load_si512(const { &bytes_of_row(ROW) }.0.as_ptr().cast());
            let digits = _mm512_permutex2var_epi8(bytes[0], from, bytes[1]);
            let digits = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(digits));
            let no_cell = _mm512_set1_epi16(NO_CELL.cast_signed());
            Self(_mm512_mask_permutexvar_epi16(no_cell, CELLS, digits, Self::of(const { &sets_of_digits() }).0))
        })
    }
}

impl Lanes for Zmm {
    type Mask = __mmask32;

    #[inline(always)]
    fn load(cells: &[u8; 81]) -> [Self; 3] {
        let bytes = x86!({
            let high = _mm512_maskz_loadu_epi8((1 << 17) - 1, cells.as_ptr().add(64).cast());
            [_mm512_loadu_si512(cells.as_ptr().cast()), high]
        });
        [Self::row::<0>(bytes), Self::row::<1>(bytes), Self::row::<2>(bytes)]
    }

    #[inline(always)]
    fn sets(self) -> [u16; LANES] {
        let mut sets = Aligned([0; 32]);
        x86!(_mm512_store_si512(sets.0.as_mut_ptr().cast(), self.0));
        std::array::from_fn(|at| sets.0[at])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        x86!(Self(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        x86!(Self(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        x86!(Self(_mm512_andnot_si512(other.0, self.0)))
    }

    #[inline(always)]
    fn or3(a: Self, b: Self, c: Self) -> Self {
        Self::ternary::<{ A | B | C }>(a, b, c)
    }

    #[inline(always)]
    fn and3(a: Self, b: Self, c: Self) -> Self {
        Self::ternary::<{ A & B & C }>(a, b, c)
    }

    #[inline(always)]
    fn alone(a: Self, b: Self, c: Self) -> Self {
        Self::ternary::<{ A & !B & !C }>(a, b, c)
    }

    #[inline(always)]
    fn and_not_or(a: Self, b: Self, c: Self) -> Self {
        Self::ternary::<{ A & !B | C }>(a, b, c)
    }

    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        Self::ternary::<{ A & B | A & C | B & C }>(a, b, c)
    }

    #[inline(always)]
    fn either_pair(a: Self, b: Self, c: Self, d: Self) -> Self {
        Self::ternary::<{ A & B | C }>(a, b, c.and(d))
    }

    #[inline(always)]
    fn columns_on<const BY: usize>(self) -> Self {
        self.moved::<0, 0, BY>()
    }

    #[inline(always)]
    fn boxes_on<const BY: usize>(self) -> Self {
        self.moved::<0, BY, 0>()
    }

    #[inline(always)]
    fn bands_on<const BANDS: usize, const COLUMNS: usize>(self) -> Self {
        self.moved::<BANDS, 0, COLUMNS>()
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        x86!(Self(_mm512_and_si512(self.0, _mm512_add_epi16(self.0, _mm512_set1_epi16(-1)))))
    }

    #[inline(always)]
    fn some(self) -> __mmask32 {
        x86!(_mm512_test_epi16_mask(self.0, self.0))
    }

    #[inline(always)]
    fn replace(self, mask: __mmask32, yes: Self) -> Self {
        x86!(Self(_mm512_mask_mov_epi16(self.0, mask, yes.0)))
    }

    #[inline(always)]
    fn keep(self, mask: __mmask32) -> Self {
        x86!(Self(_mm512_maskz_mov_epi16(mask, self.0)))
    }

    #[inline(always)]
    fn clear(self, mask: __mmask32) -> Self {
        self.keep(!mask)
    }

    #[inline(always)]
    fn mask(bits: u32) -> __mmask32 {
        bits & CELLS
    }

    #[inline(always)]
    fn differ(self, other: Self) -> u32 {
        x86!(_mm512_cmpneq_epu16_mask(self.0, other.0))
    }

    #[inline(always)]
    fn mask_and_not(mask: __mmask32, not: __mmask32) -> __mmask32 {
        mask & !not
    }

    #[inline(always)]
    fn masks_are_empty(masks: [__mmask32; 3]) -> bool {
        masks[0] | masks[1] | masks[2] == 0
    }

    #[inline(always)]
    fn any_empty(board: &[Self; 3]) -> bool {
        x86!({
            let least = _mm512_min_epu16(_mm512_min_epu16(board[0].0, board[1].0), board[2].0);
            _mm512_testn_epi16_mask(least, least) != 0
        })
    }

    #[inline(always)]
    fn has_digits(self) -> bool {
        x86!(_mm512_test_epi16_mask(self.0, _mm512_set1_epi16(DIGITS.cast_signed())) != 0)
    }

    #[inline(always)]
    fn all_full(self) -> bool {
        // A position without a cell has the value of a digit above nine, which is greater than that of all nine digits
        // together.
        x86!(_mm512_cmplt_epu16_mask(self.0, _mm512_set1_epi16(DIGITS.cast_signed())) == 0)
    }

    #[inline(always)]
    fn equal(a: &[Self; 3], b: &[Self; 3]) -> bool {
        x86!({
            let differ = Self::ternary::<{ A ^ B }>(a[0], b[0], a[0]);
            let differ = Self::ternary::<{ (A ^ B) | C }>(a[1], b[1], differ);
            let differ = Self::ternary::<{ (A ^ B) | C }>(a[2], b[2], differ);
            _mm512_test_epi64_mask(differ.0, differ.0) == 0
        })
    }

    #[inline(always)]
    fn tally(pairs: Self, others: [Self; 4]) -> Self {
        x86!({
            let first = _mm512_popcnt_epi16(_mm512_and_si512(pairs.0, others[0].0));
            let second = _mm512_popcnt_epi16(_mm512_and_si512(pairs.0, others[1].0));
            let third = _mm512_popcnt_epi16(_mm512_and_si512(pairs.0, others[2].0));
            let fourth = _mm512_popcnt_epi16(_mm512_and_si512(pairs.0, others[3].0));
            Self(_mm512_add_epi16(_mm512_add_epi16(first, second), _mm512_add_epi16(third, fourth)))
        })
    }

    #[inline(always)]
    fn key(once: Self, twice: Self, ranks: Self) -> Self {
        x86!({
            let sum = _mm512_add_epi16(_mm512_add_epi16(twice.0, twice.0), once.0);
            Self(_mm512_add_epi16(_mm512_slli_epi16::<RANK_BITS>(sum), ranks.0))
        })
    }

    #[inline(always)]
    fn ranks<const ROW: usize>() -> Self {
        Self::of(const { &padded(RANKS[ROW]) })
    }

    #[inline(always)]
    fn highest(keys: [Self; 3]) -> u16 {
        x86!({
            let keys = _mm512_max_epu16(_mm512_max_epu16(keys[0].0, keys[1].0), keys[2].0);
            let keys = _mm256_max_epu16(_mm512_castsi512_si256(keys), _mm512_extracti64x4_epi64::<1>(keys));
            let keys = _mm_max_epu16(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
            let least = _mm_minpos_epu16(_mm_xor_si128(keys, _mm_set1_epi16(-1)));
            #[expect(clippy::cast_possible_truncation, reason = "the low 16 bits are the least number")]
            !(_mm_cvtsi128_si32(least).cast_unsigned() as u16)
        })
    }
}

/// Numbers for one register, with the alignment of its loads.
#[repr(align(64))]
struct Aligned<T, const N: usize>([T; N]);

/// The source position of each set of a move. Positions without a cell stay.
#[expect(clippy::cast_possible_truncation, reason = "positions are below 32")]
const fn sources(by: [usize; 3]) -> Aligned<u16, 32> {
    let mut from = [0; 32];
    let mut at = 0;
    while at < 32 {
        let [band, of_band, column] = [(at / 9 + by[0]) % 3, (at / 3 + by[1]) % 3, (at + by[2]) % 3];
        from[at] = if at < LANES { (band * 9 + of_band * 3 + column) as u16 } else { at as u16 };
        at += 1;
    }
    Aligned(from)
}

/// The position in the grid of each digit of a row of the three bands. For positions without a cell, beyond the end of
/// the grid.
#[expect(clippy::cast_possible_truncation, reason = "cells are below 128")]
const fn bytes_of_row(row: usize) -> Aligned<u8, 64> {
    let mut from = [127; 64];
    let mut at = 0;
    while at < LANES {
        from[at] = (at / 9 * 27 + row * 9 + at % 9) as u8;
        at += 1;
    }
    Aligned(from)
}

/// The candidates that a given leaves, by digit, where 0 means no given.
const fn sets_of_digits() -> Aligned<u16, 32> {
    let mut sets = [DIGITS; 32];
    let mut digit = 1;
    while digit <= 9 {
        sets[digit] = 1 << (digit - 1);
        digit += 1;
    }
    Aligned(sets)
}

const fn padded(numbers: [u16; LANES]) -> Aligned<u16, 32> {
    let mut all = [0; 32];
    let mut at = 0;
    while at < LANES {
        all[at] = numbers[at];
        at += 1;
    }
    Aligned(all)
}
