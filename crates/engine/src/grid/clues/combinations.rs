//! [`Combinations`]: a bitmap with one bit for each set of the digits 1 to 9. The dynamic program of `open_sum.rs` adds
//! the cells of a cage one by one, so it need not try each way to fill the cage.

use crate::grid::cells::Digits;

/// The largest digit.
const DIGIT_MAX: u8 = 9;

/// Number of words for all combinations of the digits.
const WORDS: usize = (1 << DIGIT_MAX) / 64;

/// The largest sum of a combination.
const TOTAL_MAX: usize = 45;

/// For each of the digits 1 to 6, a mask of the combinations of a word that lack it. All combinations of a word have
/// the same digits above 6.
const LACKING: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0xffff_ffff,
];

/// The combinations of each sum.
static OF_TOTAL: [Combinations; TOTAL_MAX + 1] = of_totals();

/// A set of combinations. A combination is a number from 0 to 511, whose bit d - 1 says whether it has the digit d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Combinations([u64; WORDS]);

impl Combinations {
    pub(crate) const NONE: Self = Self([0; WORDS]);

    /// The combination without digits.
    pub(crate) const EMPTY: Self = {
        let mut words = [0; WORDS];
        words[0] = 1;
        Self(words)
    };

    /// All combinations with a sum.
    pub(crate) fn of_total(total: i32) -> Self {
        usize::try_from(total).ok().and_then(|total| OF_TOTAL.get(total)).map_or(Self::NONE, |of_total| *of_total)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The combinations that lack a digit, with the digit added to each.
    pub(crate) fn with(self, digit: u8) -> Self {
        Self(match place(digit) {
            Place::Bit(lacking, shift) => self.0.map(|word| (word & lacking) << shift),
            Place::Word(apart) => std::array::from_fn(|word| if word & apart == 0 { 0 } else { self.0[word ^ apart] }),
        })
    }

    /// The combinations that have a digit, with the digit removed from each.
    pub(crate) fn without(self, digit: u8) -> Self {
        Self(match place(digit) {
            Place::Bit(lacking, shift) => self.0.map(|word| word >> shift & lacking),
            Place::Word(apart) => std::array::from_fn(|word| if word & apart == 0 { self.0[word ^ apart] } else { 0 }),
        })
    }

    /// The digits of each combination, by increasing number.
    pub(crate) fn iter(self) -> impl Iterator<Item = Digits> {
        (0_u32..).step_by(64).zip(self.0).flat_map(|(first, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(Digits((first + bit) << 1))
            })
        })
    }
}

/// Where a combination with a digit is in the bitmap, relative to the same combination without the digit.
enum Place {
    /// In the same word, this many bits higher. The mask has the combinations without the digit.
    Bit(u64, u8),
    /// At the same bit, this many words later.
    Word(usize),
}

fn place(digit: u8) -> Place {
    let bit = digit - 1;
    match LACKING.get(usize::from(bit)) {
        Some(lacking) => Place::Bit(*lacking, 1 << bit),
        None => Place::Word(1 << (usize::from(bit) - LACKING.len())),
    }
}

const fn of_totals() -> [Combinations; TOTAL_MAX + 1] {
    let mut all = [Combinations::NONE; TOTAL_MAX + 1];
    let mut combination: usize = 0;
    while combination < 1 << DIGIT_MAX {
        let (mut total, mut digit) = (0, 1);
        while digit <= DIGIT_MAX as usize {
            total += (combination >> (digit - 1) & 1) * digit;
            digit += 1;
        }
        all[total].0[combination / 64] |= 1 << (combination % 64);
        combination += 1;
    }
    all
}
