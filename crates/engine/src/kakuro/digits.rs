//! Sets of digits 1–9, and a table of combinations: the sets of each size that have each sum.

use std::fmt;

/// The longest run, because there are nine digits.
pub const RUN_MAX: usize = 9;

/// The largest sum of a run: 1 + 2 + … + 9.
pub const SUM_MAX: usize = 45;

/// A set of digits; bit `d - 1` of the mask stands for the digit `d`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Digits(u16);

impl Digits {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// All nine digits.
    pub const ALL: Self = Self(0x1ff);

    /// The set with this mask. Bits above the ninth are ignored.
    #[must_use]
    pub const fn from_mask(mask: u16) -> Self {
        Self(mask & 0x1ff)
    }

    /// The set of one digit, 1–9.
    #[must_use]
    pub const fn only(digit: u8) -> Self {
        Self::from_mask(1 << (digit - 1))
    }

    /// The mask.
    #[must_use]
    pub const fn mask(self) -> u16 {
        self.0
    }

    /// Number of digits.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has exactly one digit.
    #[must_use]
    pub const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// The digit, if there is exactly one.
    #[must_use]
    pub fn single(self) -> Option<u8> {
        self.is_single().then(|| self.smallest())
    }

    /// The smallest digit; 17 if there is none.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a mask has 16 bits")]
    pub fn smallest(self) -> u8 {
        self.0.trailing_zeros() as u8 + 1
    }

    /// Whether the set contains this digit, 1–9.
    #[must_use]
    pub const fn contains(self, digit: u8) -> bool {
        self.0 & Self::only(digit).0 != 0
    }

    /// Whether all its digits are in `other`.
    #[must_use]
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The intersection.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The union.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The digits that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The sum of the digits.
    #[must_use]
    pub const fn sum(self) -> usize {
        SUMS[self.0 as usize] as usize
    }

    /// The digits, in increasing order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let digit = (rest != 0).then(|| Self(rest).smallest());
            rest &= rest.wrapping_sub(1);
            digit
        })
    }
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Digits {
    /// Writes the digits next to each other: `124`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

impl FromIterator<u8> for Digits {
    fn from_iter<I: IntoIterator<Item = u8>>(digits: I) -> Self {
        digits.into_iter().map(Self::only).fold(Self::NONE, Self::or)
    }
}

/// The sets of `len` digits with this `sum`, smallest mask first. At most twelve, and none if it is impossible.
#[must_use]
pub fn combinations(len: usize, sum: usize) -> &'static [Digits] {
    if len > RUN_MAX || sum > SUM_MAX {
        return &[];
    }
    let [from, to] = COMBINATIONS.ends[len][sum];
    &COMBINATIONS.sets[from as usize..to as usize]
}

/// The digits that occur in some combination of `len` digits with this `sum`.
#[must_use]
pub fn possible(len: usize, sum: usize) -> Digits {
    if len > RUN_MAX || sum > SUM_MAX { Digits::NONE } else { COMBINATIONS.possible[len][sum] }
}

/// The smallest and the largest sum of `len` different digits, for `len` up to 9.
#[must_use]
pub const fn sum_limits(len: usize) -> (usize, usize) {
    (len * (len + 1) / 2, len * (19 - len) / 2)
}

/// The sum of every set, by mask.
const SUMS: [u8; 512] = sums();

/// All sets, ordered by size and then by sum.
static COMBINATIONS: Table = table();

struct Table {
    sets: [Digits; 512],
    /// The start and end of the sets with each size and sum.
    ends: [[[u16; 2]; SUM_MAX + 1]; RUN_MAX + 1],
    possible: [[Digits; SUM_MAX + 1]; RUN_MAX + 1],
}

const fn sums() -> [u8; 512] {
    let mut sums = [0; 512];
    let mut mask: usize = 1;
    while mask < 512 {
        let lowest = mask & (!mask + 1);
        #[expect(clippy::cast_possible_truncation, reason = "a digit is at most 9")]
        let digit = lowest.trailing_zeros() as u8 + 1;
        sums[mask] = sums[mask ^ lowest] + digit;
        mask += 1;
    }
    sums
}

const fn table() -> Table {
    let mut ends = [[[0; 2]; SUM_MAX + 1]; RUN_MAX + 1];
    let mut possible = [[Digits::NONE; SUM_MAX + 1]; RUN_MAX + 1];
    let mut mask = 0;
    while mask < 512 {
        let set = Digits(mask);
        ends[set.len()][set.sum()][1] += 1;
        possible[set.len()][set.sum()] = possible[set.len()][set.sum()].or(set);
        mask += 1;
    }
    let mut filled = 0;
    let mut at = 0;
    while at < (RUN_MAX + 1) * (SUM_MAX + 1) {
        let (len, sum) = (at / (SUM_MAX + 1), at % (SUM_MAX + 1));
        let count = ends[len][sum][1];
        ends[len][sum] = [filled, filled];
        filled += count;
        at += 1;
    }
    let mut sets = [Digits::NONE; 512];
    let mut mask = 0;
    while mask < 512 {
        let set = Digits(mask);
        let end = &mut ends[set.len()][set.sum()][1];
        sets[*end as usize] = set;
        *end += 1;
        mask += 1;
    }
    Table { sets, ends, possible }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_found_by_its_size_and_sum() {
        let mut count = 0;
        for len in 0..=RUN_MAX {
            for sum in 0..=SUM_MAX {
                let sets = combinations(len, sum);
                count += sets.len();
                assert!(sets.is_sorted_by_key(|set| set.mask()));
                assert!(sets.iter().all(|set| set.len() == len && set.iter().map(usize::from).sum::<usize>() == sum));
                let (low, high) = sum_limits(len);
                assert_eq!(!sets.is_empty(), (low..=high).contains(&sum), "{len} {sum}");
                assert_eq!(possible(len, sum), sets.iter().copied().fold(Digits::NONE, Digits::or));
            }
        }
        assert_eq!(count, 512);
    }

    #[test]
    fn well_known_combinations_are_found() {
        let cases = [(2, 3, "12"), (2, 16, "79"), (3, 7, "124"), (4, 29, "5789"), (8, 44, "23456789")];
        for (len, sum, digits) in cases {
            assert_eq!(combinations(len, sum).iter().map(ToString::to_string).collect::<Vec<_>>(), [digits]);
        }
        assert_eq!(combinations(4, 20).len(), 12);
        assert_eq!(combinations(10, 45).len(), 0);
        assert_eq!(combinations(9, 46).len(), 0);
    }
}
