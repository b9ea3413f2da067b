//! [`Givens`], a range of numbers of givens, and [`Style`], the symmetry and, where they are a criterion, the givens that a level has
//! when a request does not state them.

use std::fmt::{self, Display, Formatter};

use super::{level::Level, symmetry::Symmetry};

/// A range of numbers of givens, both ends included; `min` is at most `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Givens {
    /// The smallest number.
    pub min: u16,
    /// The largest number.
    pub max: u16,
}

impl Givens {
    /// The range with these ends.
    #[must_use]
    pub const fn new(min: u16, max: u16) -> Self {
        Self { min, max }
    }

    /// Whether a number lies in the range.
    #[must_use]
    pub fn contains(self, number: u16) -> bool {
        (self.min..=self.max).contains(&number)
    }

    /// Whether the two ranges have a number in common.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.within(other).is_some()
    }

    /// The numbers that both ranges contain; `None` if there are none.
    #[must_use]
    pub fn within(self, other: Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        (common.min <= common.max).then_some(common)
    }

    /// How far a number lies outside the range; 0 if it lies within.
    pub(crate) fn distance(self, number: u16) -> u16 {
        self.min.saturating_sub(number).max(number.saturating_sub(self.max))
    }
}

/// For people: `24` if both ends are equal, `22–28` otherwise.
impl Display for Givens {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { min, max } = self;
        if min == max { write!(f, "{min}") } else { write!(f, "{min}–{max}") }
    }
}

/// The style of a level: how its puzzles look if a request leaves this open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The level that has the style.
    pub level: Level,
    /// The symmetry with which its puzzles are made.
    pub symmetry: Symmetry,
    /// The numbers of givens with which they are made; `None` for kinds without this criterion.
    pub made: Option<Givens>,
    /// The numbers of givens with which they are delivered; contains `made`, and is `None` if that is.
    pub delivered: Option<Givens>,
}

/// The numbers of givens that a request can state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivensLimits {
    /// The numbers that can be searched for.
    pub searched: Givens,
    /// The numbers that can be made.
    pub made: Givens,
}

/// The range of givens that a search accepts, and the smallest number that the generator accepts. With that number, one core makes at
/// least one puzzle in ten seconds.
pub(crate) const fn limits([min, max]: [u16; 2], made_min: u16) -> GivensLimits {
    GivensLimits { searched: Givens::new(min, max), made: Givens::new(made_min, max) }
}

/// The styles of five levels on a board with this many rows. `least` is a low number of givens for minimal puzzles with
/// half-turn symmetry, and `median` is their median number.
pub(crate) const fn styles(size: u16, least: u16, median: u16) -> [Style; 5] {
    let minimal = [100 * least, 110 * median];
    [
        style(Level::Easy, size, [115 * median, 135 * median]),
        style(Level::Medium, size, [100 * median, 120 * median]),
        style(Level::Hard, size, minimal),
        style(Level::Expert, size, minimal),
        style(Level::Evil, size, minimal),
    ]
}

/// The style of a level. `[from, to]` is the range of givens that is made, in hundredths of a given. The delivered range is wider by
/// 4 % of the cells at each end. On boards with an even number of rows, the numbers are even, because of the symmetry.
pub(crate) const fn style(level: Level, size: u16, [from, to]: [u16; 2]) -> Style {
    const fn rounded(hundredths: u16, size: u16) -> u16 {
        let step = 2 - size % 2;
        (hundredths + 50 * step) / (100 * step) * step
    }
    let wider = 4 * size * size;
    let made = Givens::new(rounded(from, size), rounded(to, size));
    let delivered = Givens::new(rounded(from.saturating_sub(wider), size), rounded(to + wider, size));
    Style { level, symmetry: Symmetry::Rotation180, made: Some(made), delivered: Some(delivered) }
}

/// The styles of four levels without a symmetry: the ranges of givens of the easy level, of the medium level, and of the two others.
pub(crate) const fn unsymmetric_styles(size: u16, easy: [u16; 2], medium: [u16; 2], others: [u16; 2]) -> [Style; 4] {
    [
        unsymmetric(Level::Easy, size, easy),
        unsymmetric(Level::Medium, size, medium),
        unsymmetric(Level::Hard, size, others),
        unsymmetric(Level::Expert, size, others),
    ]
}

/// The style of a level without a symmetry. The delivered range is wider by 4 % of the cells of a square board at each end.
const fn unsymmetric(level: Level, size: u16, [min, max]: [u16; 2]) -> Style {
    let wider = (4 * size * size + 50) / 100;
    let delivered = Givens::new(min.saturating_sub(wider), max + wider);
    Style { level, symmetry: Symmetry::None, made: Some(Givens::new(min, max)), delivered: Some(delivered) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_meet_if_they_have_a_number_in_common() {
        let range = Givens::new(22, 28);
        for (other, common) in [
            (Givens::new(28, 30), Some(Givens::new(28, 28))),
            (Givens::new(20, 40), Some(range)),
            (Givens::new(24, 25), Some(Givens::new(24, 25))),
            (Givens::new(29, 30), None),
            (Givens::new(17, 21), None),
        ] {
            assert_eq!((range.within(other), other.within(range)), (common, common));
            assert_eq!(range.meets(other), common.is_some());
        }
    }

    #[test]
    fn distance_is_counted_from_the_nearer_end() {
        let range = Givens::new(22, 28);
        for (number, distance) in [(20, 2), (22, 0), (28, 0), (31, 3)] {
            assert_eq!(range.distance(number), distance, "{number}");
            assert_eq!(range.contains(number), distance == 0, "{number}");
        }
    }

    #[test]
    fn range_of_one_number_is_written_as_the_number() {
        assert_eq!([Givens::new(24, 24), Givens::new(22, 28)].map(|range| range.to_string()), ["24", "22–28"]);
    }
}
