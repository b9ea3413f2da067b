//! Sets: [`Cells`] of a board with at most 256 cells, [`Digits`] from 1 to 31, and [`Houses`], at most 128.

use crate::shared::step::Cell;

/// Number of words of a set of cells.
const WORDS: usize = 4;

/// The maximum number of cells that a board has.
pub(crate) const CELLS_MAX: usize = 64 * WORDS;

/// A set of cells, numbered row by row from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Cells([u64; WORDS]);

impl Cells {
    pub(crate) const NONE: Self = Self([0; WORDS]);

    pub(crate) const fn only(cell: Cell) -> Self {
        let mut words = [0; WORDS];
        words[(cell / 64) as usize] = 1 << (cell % 64);
        Self(words)
    }

    /// The cells from 0 to `count - 1`.
    pub(crate) fn first_of_board(count: usize) -> Self {
        (0..count).map(|cell| Cell::try_from(cell).expect("a board has at most 256 cells")).collect()
    }

    pub(crate) const fn contains(self, cell: Cell) -> bool {
        self.0[(cell / 64) as usize] & (1 << (cell % 64)) != 0
    }

    pub(crate) const fn insert(&mut self, cell: Cell) {
        self.0[(cell / 64) as usize] |= 1 << (cell % 64);
    }

    pub(crate) const fn remove(&mut self, cell: Cell) {
        self.0[(cell / 64) as usize] &= !(1 << (cell % 64));
    }

    pub(crate) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The cell, if there is exactly one.
    pub(crate) fn single(self) -> Option<Cell> {
        let first = self.first()?;
        (self == Self::only(first)).then_some(first)
    }

    /// The smallest cell.
    pub(crate) fn first(self) -> Option<Cell> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Cell::try_from(64 * word + self.0[word].trailing_zeros() as usize).ok()
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    pub(crate) fn is_within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// The cells that share a side with one of these, on a board with this many rows and columns.
    pub(crate) fn beside(self, size: u8) -> Self {
        let size = Cell::from(size);
        let beside = |cell: Cell| {
            let (row, column) = (cell / size, cell % size);
            let [above, left] = [(row > 0).then(|| cell - size), (column > 0).then(|| cell - 1)];
            [above, left, (column + 1 < size).then_some(cell + 1), (row + 1 < size).then_some(cell + size)]
        };
        self.iter().flat_map(beside).flatten().collect()
    }

    /// These cells, and those of `within` that are connected with them by sides.
    pub(crate) fn connected(self, within: Self, size: u8) -> Self {
        let next = self.or(self.beside(size).and(within));
        if next == self { self } else { next.connected(within, size) }
    }

    /// The cells in reading order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Cell> {
        (0..).step_by(64).zip(self.0).flat_map(|(first, word)| bits(word).map(move |bit| first + Cell::from(bit)))
    }

    pub(crate) fn list(self) -> Vec<Cell> {
        self.iter().collect()
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::NONE;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// For each number from 0 to the largest, the cells that have it. `numbers` has the number of each cell.
pub(crate) fn sets_of(numbers: &[u8]) -> Vec<Cells> {
    let mut sets = vec![Cells::NONE; numbers.iter().max().map_or(0, |last| usize::from(*last) + 1)];
    (0..).zip(numbers).for_each(|(cell, number)| sets[usize::from(*number)].insert(cell));
    sets
}

/// A set of digits. Bit d says whether it contains the digit d, as in pencil marks of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Digits(pub(crate) u32);

impl Digits {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn only(digit: u8) -> Self {
        Self(1 << digit)
    }

    /// The digits from 1 to `last`.
    pub(crate) const fn up_to(last: u8) -> Self {
        Self(((1 << last) - 1) << 1)
    }

    pub(crate) const fn contains(self, digit: u8) -> bool {
        self.0 & (1 << digit) != 0
    }

    pub(crate) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The digit, if there is exactly one.
    pub(crate) fn single(self) -> Option<u8> {
        if self.0.is_power_of_two() { u8::try_from(self.0.trailing_zeros()).ok() } else { None }
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The digits in increasing order.
    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        bits(self.0.into())
    }
}

impl FromIterator<u8> for Digits {
    fn from_iter<I: IntoIterator<Item = u8>>(digits: I) -> Self {
        digits.into_iter().map(Self::only).fold(Self::NONE, Self::or)
    }
}

/// A set of houses: bit h stands for the house at index h of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct Houses(pub(crate) u128);

impl Houses {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn only(house: usize) -> Self {
        Self(1 << house)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn first(self) -> Option<usize> {
        self.iter().next()
    }

    /// The indices in increasing order.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let house = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(house)
        })
    }
}

impl FromIterator<usize> for Houses {
    fn from_iter<I: IntoIterator<Item = usize>>(houses: I) -> Self {
        houses.into_iter().map(Self::only).fold(Self::NONE, Self::or)
    }
}

/// The places of the bits that are set, from the lowest.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = u8::try_from(word.trailing_zeros()).ok().filter(|_| word != 0)?;
        word &= word - 1;
        Some(bit)
    })
}
