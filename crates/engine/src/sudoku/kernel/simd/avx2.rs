//! [`Lanes`] on AVX2. Each of three 256-bit registers has one row of a band: its three minirows at positions 0, 4, and
//! 8. All other positions belong to no cell.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_max_epu16, _mm_minpos_epu16, _mm_set1_epi16, _mm_xor_si128,
    _mm256_add_epi16, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi16, _mm256_cmpgt_epi16, _mm256_extracti128_si256, _mm256_load_si256,
    _mm256_max_epu16, _mm256_min_epu16, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_store_si256,
    _mm256_sub_epi16, _mm256_testz_si256, _mm256_xor_si256, _pext_u32,
};

use crate::sudoku::kernel::{
    choose::{RANK_BITS, RANKS},
    lanes::{DIGITS, LANES, Lanes, NO_CELL, each_row},
};

/// The three bands of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ymm([__m256i; 3]);

/// Calls one or more intrinsics.
macro_rules! x86 {
    ($e:expr) => {
        // SAFETY: the only functions that work with `Ymm` are those of `super` that enable AVX2, and they are called only
        // if the processor has it. What is loaded or stored is a live array of that size, aligned where the
        // instruction wants it.
        unsafe { $e }
    };
}

/// Applies an operation to the registers of all three bands.
macro_rules! each_band {
    ($band:ident => $what:expr) => {
        x86!(Ymm(each_row!($band => $what)))
    };
}

impl Ymm {
    /// Rotates the cells of each minirow.
    #[inline(always)]
    fn turned<const BY: usize>(self) -> Self {
        let from = const { &turns(BY) };
        each_band!(BAND => _mm256_shuffle_epi8(self.0[BAND], _mm256_load_si256(from.0.as_ptr().cast())))
    }

    #[inline(always)]
    fn bits_or(self) -> __m256i {
        x86!(_mm256_or_si256(_mm256_or_si256(self.0[0], self.0[1]), self.0[2]))
    }

    #[inline(always)]
    fn least(self) -> __m256i {
        x86!(_mm256_min_epu16(_mm256_min_epu16(self.0[0], self.0[1]), self.0[2]))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each_band!(BAND => _mm256_add_epi16(self.0[BAND], other.0[BAND]))
    }

    /// The sets of nine cells of the grid, starting at `first`.
    #[inline(always)]
    fn nine_cells(cells: &[u8; 81], first: usize) -> __m256i {
        // For the last row, reading from its first cell would go beyond the end of the grid.
        let start = first.min(81 - 16);
        let from = const { &[digit_bytes(0), digit_bytes(7)] };
        let from = &from[usize::from(start != first)];
        let tables = const { &[table_of_sets(0), table_of_sets(8)] };
        x86!({
            let bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128(cells.as_ptr().add(start).cast()));
            let digits = _mm256_shuffle_epi8(bytes, _mm256_load_si256(from.0.as_ptr().cast()));
            let digits = _mm256_or_si256(digits, _mm256_set1_epi16(i16::MIN));
            let low = _mm256_shuffle_epi8(_mm256_load_si256(tables[0].0.as_ptr().cast()), digits);
            let high = _mm256_shuffle_epi8(_mm256_load_si256(tables[1].0.as_ptr().cast()), digits);
            let sets = _mm256_or_si256(low, _mm256_slli_epi16::<8>(high));
            let no_cell = _mm256_load_si256(const { &laid_out([0; 9], NO_CELL) }.0.as_ptr().cast());
            let is_cell = _mm256_cmpeq_epi16(no_cell, _mm256_setzero_si256());
            _mm256_blendv_epi8(no_cell, sets, is_cell)
        })
    }

    #[inline(always)]
    fn row(cells: &[u8; 81], row: usize) -> Self {
        Self([
            Self::nine_cells(cells, row * 9),
            Self::nine_cells(cells, row * 9 + 27),
            Self::nine_cells(cells, row * 9 + 54),
        ])
    }
}

impl Lanes for Ymm {
    type Mask = Self;

    #[inline(always)]
    fn load(cells: &[u8; 81]) -> [Self; 3] {
        [Self::row(cells, 0), Self::row(cells, 1), Self::row(cells, 2)]
    }

    #[inline(always)]
    fn sets(self) -> [u16; LANES] {
        let mut bands = [Aligned([0; 16]), Aligned([0; 16]), Aligned([0; 16])];
        for (band, sets) in bands.iter_mut().zip(self.0) {
            x86!(_mm256_store_si256(band.0.as_mut_ptr().cast(), sets));
        }
        std::array::from_fn(|at| bands[at / 9].0[slot(at % 9)])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        each_band!(BAND => _mm256_and_si256(self.0[BAND], other.0[BAND]))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        each_band!(BAND => _mm256_or_si256(self.0[BAND], other.0[BAND]))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        each_band!(BAND => _mm256_andnot_si256(other.0[BAND], self.0[BAND]))
    }

    #[inline(always)]
    fn or3(a: Self, b: Self, c: Self) -> Self {
        a.or(b).or(c)
    }

    #[inline(always)]
    fn and3(a: Self, b: Self, c: Self) -> Self {
        a.and(b).and(c)
    }

    #[inline(always)]
    fn alone(a: Self, b: Self, c: Self) -> Self {
        a.and_not(b.or(c))
    }

    #[inline(always)]
    fn and_not_or(a: Self, b: Self, c: Self) -> Self {
        a.and_not(b).or(c)
    }

    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        a.and(b).or(c.and(a.or(b)))
    }

    #[inline(always)]
    fn either_pair(a: Self, b: Self, c: Self, d: Self) -> Self {
        a.and(b).or(c.and(d))
    }

    #[inline(always)]
    fn columns_on<const BY: usize>(self) -> Self {
        self.turned::<BY>()
    }

    #[inline(always)]
    fn boxes_on<const BY: usize>(self) -> Self {
        /// The minirow that each of the four quarters gets. The last one stays.
        const ONE: i32 = 1 | 2 << 2 | 3 << 6;
        const TWO: i32 = 2 | 1 << 4 | 3 << 6;
        if BY == 1 {
            each_band!(BAND => _mm256_permute4x64_epi64::<ONE>(self.0[BAND]))
        } else {
            each_band!(BAND => _mm256_permute4x64_epi64::<TWO>(self.0[BAND]))
        }
    }

    #[inline(always)]
    fn bands_on<const BANDS: usize, const COLUMNS: usize>(self) -> Self {
        let moved = Self([self.0[BANDS % 3], self.0[(BANDS + 1) % 3], self.0[(BANDS + 2) % 3]]);
        if COLUMNS == 0 { moved } else { moved.turned::<COLUMNS>() }
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        each_band!(BAND =>
            _mm256_and_si256(self.0[BAND], _mm256_add_epi16(self.0[BAND], _mm256_set1_epi16(-1))))
    }

    #[inline(always)]
    fn some(self) -> Self {
        each_band!(BAND => _mm256_cmpgt_epi16(self.0[BAND], _mm256_setzero_si256()))
    }

    #[inline(always)]
    fn replace(self, mask: Self, yes: Self) -> Self {
        each_band!(BAND => _mm256_blendv_epi8(self.0[BAND], yes.0[BAND], mask.0[BAND]))
    }

    #[inline(always)]
    fn keep(self, mask: Self) -> Self {
        self.and(mask)
    }

    #[inline(always)]
    fn clear(self, mask: Self) -> Self {
        self.and_not(mask)
    }

    #[inline(always)]
    fn mask(bits: u32) -> Self {
        let places = const { &laid_out([1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8], 1 << 15) };
        each_band!(BAND => {
            let of_band = _mm256_set1_epi16((bits >> (9 * BAND) & 0x1FF) as i16);
            let places = _mm256_load_si256(places.0.as_ptr().cast());
            _mm256_cmpeq_epi16(_mm256_and_si256(of_band, places), places)
        })
    }

    #[inline(always)]
    fn differ(self, other: Self) -> u32 {
        /// The low bytes of the cells.
        const CELLS: u32 = 0b01_0101_0001_0101_0001_0101;
        let bits = x86!(each_row!(BAND => {
            let same = _mm256_movemask_epi8(_mm256_cmpeq_epi16(self.0[BAND], other.0[BAND]));
            _pext_u32(!same.cast_unsigned(), CELLS)
        }));
        bits[0] | bits[1] << 9 | bits[2] << 18
    }

    #[inline(always)]
    fn mask_and_not(mask: Self, not: Self) -> Self {
        mask.and_not(not)
    }

    #[inline(always)]
    fn masks_are_empty(masks: [Self; 3]) -> bool {
        let all = Self::or3(masks[0], masks[1], masks[2]).bits_or();
        x86!(_mm256_testz_si256(all, all) == 1)
    }

    #[inline(always)]
    fn any_empty(board: &[Self; 3]) -> bool {
        x86!({
            let least = _mm256_min_epu16(_mm256_min_epu16(board[0].least(), board[1].least()), board[2].least());
            _mm256_movemask_epi8(_mm256_cmpeq_epi16(least, _mm256_setzero_si256())) != 0
        })
    }

    #[inline(always)]
    fn has_digits(self) -> bool {
        x86!(_mm256_testz_si256(self.bits_or(), _mm256_set1_epi16(DIGITS.cast_signed())) == 0)
    }

    #[inline(always)]
    fn all_full(self) -> bool {
        // A position without a cell has the value of a digit above nine, which is greater than that of all nine digits
        // together.
        x86!({
            let lacking = _mm256_cmpgt_epi16(_mm256_set1_epi16(DIGITS.cast_signed()), self.least());
            _mm256_movemask_epi8(lacking) == 0
        })
    }

    #[inline(always)]
    fn equal(a: &[Self; 3], b: &[Self; 3]) -> bool {
        let differ = each_row!(R => each_band!(BAND => _mm256_xor_si256(a[R].0[BAND], b[R].0[BAND])));
        Self::masks_are_empty(differ)
    }

    #[inline(always)]
    fn tally(pairs: Self, others: [Self; 4]) -> Self {
        let mut tally = each_band!(BAND => _mm256_xor_si256(pairs.0[BAND], pairs.0[BAND]));
        for other in others {
            let common = pairs.and(other);
            // A mask is -1 where it is true.
            for counted in [common.some(), common.without_lowest().some()] {
                tally = each_band!(BAND => _mm256_sub_epi16(tally.0[BAND], counted.0[BAND]));
            }
        }
        tally
    }

    #[inline(always)]
    fn key(once: Self, twice: Self, ranks: Self) -> Self {
        #[expect(clippy::cast_possible_wrap, reason = "a few bits")]
        const BITS: i32 = RANK_BITS as i32;
        let sum = twice.add(twice).add(once);
        each_band!(BAND => _mm256_add_epi16(_mm256_slli_epi16::<BITS>(sum.0[BAND]), ranks.0[BAND]))
    }

    #[inline(always)]
    fn ranks<const ROW: usize>() -> Self {
        let bands = const { &[ranks_of(ROW, 0), ranks_of(ROW, 1), ranks_of(ROW, 2)] };
        each_band!(BAND => _mm256_load_si256(bands[BAND].0.as_ptr().cast()))
    }

    #[inline(always)]
    fn highest(keys: [Self; 3]) -> u16 {
        x86!({
            let rows = each_row!(R =>
                _mm256_max_epu16(_mm256_max_epu16(keys[R].0[0], keys[R].0[1]), keys[R].0[2]));
            let keys = _mm256_max_epu16(_mm256_max_epu16(rows[0], rows[1]), rows[2]);
            let keys = _mm_max_epu16(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
            let least = _mm_minpos_epu16(_mm_xor_si128(keys, _mm_set1_epi16(-1)));
            #[expect(clippy::cast_possible_truncation, reason = "the low 16 bits are the least number")]
            !(_mm_cvtsi128_si32(least).cast_unsigned() as u16)
        })
    }
}

/// Numbers for one register, with the alignment of its loads.
#[repr(align(32))]
struct Aligned<T, const N: usize>([T; N]);

/// The position of a column's cell in its register.
const fn slot(column: usize) -> usize {
    column / 3 * 4 + column % 3
}

/// Nine numbers at the positions of the cells, and `other` at all other positions.
const fn laid_out(numbers: [u16; 9], other: u16) -> Aligned<u16, 16> {
    let mut all = [other; 16];
    let mut column = 0;
    while column < 9 {
        all[slot(column)] = numbers[column];
        column += 1;
    }
    Aligned(all)
}

const fn ranks_of(row: usize, band: usize) -> Aligned<u16, 16> {
    let mut ranks = [0; 9];
    let mut column = 0;
    while column < 9 {
        ranks[column] = RANKS[row][band * 9 + column];
        column += 1;
    }
    laid_out(ranks, 0)
}

/// The byte shuffle that rotates the first three of each four sets.
#[expect(clippy::cast_possible_truncation, reason = "bytes of half a register are below 16")]
const fn turns(by: usize) -> Aligned<u8, 32> {
    let mut from = [0; 32];
    let mut at = 0;
    while at < 32 {
        let [quarter, set] = [at % 16 / 8 * 8, at / 2 % 4];
        let turned = if set == 3 { 3 } else { (set + by) % 3 };
        from[at] = (quarter + turned * 2 + at % 2) as u8;
        at += 1;
    }
    Aligned(from)
}

/// The byte shuffle that moves the digit of each cell, out of sixteen bytes read, to the cell's low byte. The first
/// `skipped` bytes belong to the row before.
#[expect(clippy::cast_possible_truncation, reason = "sixteen bytes are read")]
const fn digit_bytes(skipped: usize) -> Aligned<u8, 32> {
    let mut from = [0x80; 32];
    let mut column = 0;
    while column < 9 {
        from[slot(column) * 2] = (skipped + column) as u8;
        column += 1;
    }
    Aligned(from)
}

/// One byte of the candidates that a given leaves, by digit, where 0 means no given. The same in both halves of a
/// register.
#[expect(clippy::cast_possible_truncation, reason = "one byte is wanted")]
const fn table_of_sets(shift: u32) -> Aligned<u8, 32> {
    let mut table = [0; 32];
    let mut at = 0;
    while at < 32 {
        table[at] = match at % 16 {
            0 => (DIGITS >> shift) as u8,
            digit @ 1..=9 => ((1_u16 << (digit - 1)) >> shift) as u8,
            _ => 0,
        };
        at += 1;
    }
    Aligned(table)
}
