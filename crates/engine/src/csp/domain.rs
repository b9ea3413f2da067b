//! [`Domain`]: the set of values, 0–63, that a variable can still take.

use std::fmt;

/// The values that a variable may still take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Domain(u64);

impl Domain {
    /// No value.
    pub const EMPTY: Self = Self(0);

    /// The largest value that a domain can hold.
    pub const VALUE_MAX: u8 = 63;

    /// One value. Empty if the value is above [`Self::VALUE_MAX`].
    #[must_use]
    pub fn only(value: u8) -> Self {
        Self(1_u64.checked_shl(u32::from(value)).unwrap_or(0))
    }

    /// All values from `low` to `high`, both included, up to [`Self::VALUE_MAX`].
    #[must_use]
    pub fn range(low: u8, high: u8) -> Self {
        (low..=high.min(Self::VALUE_MAX)).map(Self::only).fold(Self::EMPTY, Self::union)
    }

    /// The set in which bit `v` of the mask says whether it contains the value `v`.
    #[must_use]
    pub const fn from_mask(mask: u64) -> Self {
        Self(mask)
    }

    /// The mask, in which bit `v` says whether the set contains the value `v`.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.0
    }

    /// Number of values.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no value is left.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether exactly one value is left.
    #[must_use]
    pub const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// The value, if there is exactly one.
    #[must_use]
    pub fn single(self) -> Option<u8> {
        if self.is_single() { self.min() } else { None }
    }

    /// The smallest value.
    #[must_use]
    pub fn min(self) -> Option<u8> {
        if self.is_empty() { None } else { u8::try_from(self.0.trailing_zeros()).ok() }
    }

    /// The largest value.
    #[must_use]
    pub fn max(self) -> Option<u8> {
        self.0.checked_ilog2().and_then(|bit| u8::try_from(bit).ok())
    }

    /// Whether the set contains this value.
    #[must_use]
    pub fn contains(self, value: u8) -> bool {
        !self.intersection(Self::only(value)).is_empty()
    }

    /// The values that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The values that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The values that `other` does not contain.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The values, in increasing order.
    pub fn values(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let value = Self(rest).min()?;
            rest &= rest - 1;
            Some(value)
        })
    }
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.values()).finish()
    }
}

impl FromIterator<u8> for Domain {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Self {
        values.into_iter().map(Self::only).fold(Self::EMPTY, Self::union)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_and_highest_value_are_stored() {
        let ends = Domain::from_iter([0, Domain::VALUE_MAX]);
        assert_eq!((ends.len(), ends.min(), ends.max()), (2, Some(0), Some(63)));
        assert_eq!(ends.values().collect::<Vec<_>>(), [0, 63]);
        assert_eq!(Domain::range(0, 255).len(), 64);
    }

    #[test]
    fn value_out_of_range_gives_the_empty_domain() {
        assert!(Domain::only(64).is_empty());
        assert_eq!(Domain::EMPTY.min(), None);
        assert_eq!(Domain::EMPTY.single(), None);
    }
}
