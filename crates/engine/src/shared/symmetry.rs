//! The symmetries that a spec can require of a pattern of givens or of a layout.

use std::str::FromStr;

use super::names::{hint, quoted};

/// A symmetry of the pattern of givens (Sudoku) or of white cells (Kakuro).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// No symmetry is required.
    None,
    /// A rotation by 180 degrees keeps the pattern.
    Rotation180,
    /// A rotation by 90 degrees keeps the pattern, and so does one by 180.
    Rotation90,
    /// The left and the right half mirror each other at the middle column.
    Horizontal,
    /// The upper and the lower half mirror each other at the middle row.
    Vertical,
    /// The halves mirror each other at the diagonal from top left to bottom right.
    Diagonal,
    /// The halves mirror each other at the diagonal from top right to bottom left.
    AntiDiagonal,
    /// The pattern has all of these symmetries at once.
    Full,
}

impl Symmetry {
    /// All symmetries, in the order of the enum in the API.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Rotation180,
        Self::Rotation90,
        Self::Horizontal,
        Self::Vertical,
        Self::Diagonal,
        Self::AntiDiagonal,
        Self::Full,
    ];

    /// All symmetries, those with the most orbits last. If two keep equally many cells together, the more usual one comes first.
    pub const STRONGEST_FIRST: [Self; 8] = [
        Self::Full,
        Self::Rotation90,
        Self::Rotation180,
        Self::Horizontal,
        Self::Vertical,
        Self::Diagonal,
        Self::AntiDiagonal,
        Self::None,
    ];

    /// The strongest symmetry of a pattern. `has` says whether the pattern has a symmetry; every pattern has [`Self::None`].
    pub(crate) fn strongest(has: impl Fn(Self) -> bool) -> Self {
        Self::STRONGEST_FIRST.into_iter().find(|symmetry| has(*symmetry)).unwrap_or(Self::None)
    }

    /// The eight images of a cell of a board with this many rows and columns; some may coincide. The symmetry maps them onto each other.
    pub(crate) fn images(self, size: usize, cell: usize) -> [usize; 8] {
        let (row, column, last) = (cell / size, cell % size, size - 1);
        let at = |row: usize, column: usize| row * size + column;
        let turned = [at(row, column), at(column, last - row), at(last - row, last - column), at(last - column, row)];
        let mirrored = [at(row, last - column), at(last - row, column), at(column, row), at(last - column, last - row)];
        let pair = |image: usize| [cell, image, cell, image, cell, image, cell, image];
        match self {
            Self::None => [cell; 8],
            Self::Rotation180 => pair(turned[2]),
            Self::Rotation90 => std::array::from_fn(|at| turned[at % 4]),
            Self::Horizontal => pair(mirrored[0]),
            Self::Vertical => pair(mirrored[1]),
            Self::Diagonal => pair(mirrored[2]),
            Self::AntiDiagonal => pair(mirrored[3]),
            Self::Full => std::array::from_fn(|at| if at < 4 { turned[at] } else { mirrored[at - 4] }),
        }
    }

    /// Whether a pattern of given cells on a board with this many rows and columns has the symmetry.
    pub(crate) fn fits(self, size: usize, is_given: impl Fn(usize) -> bool) -> bool {
        let is_alike = |cell: usize| self.images(size, cell).into_iter().all(|image| is_given(image) == is_given(cell));
        (0..size * size).all(is_alike)
    }

    /// The lower-case word that the command line and the database use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rotation180 => "rotation180",
            Self::Rotation90 => "rotation90",
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
            Self::Diagonal => "diagonal",
            Self::AntiDiagonal => "anti-diagonal",
            Self::Full => "full",
        }
    }
}

/// A symmetry with which puzzles of a variant are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetryInfo {
    /// The symmetry.
    pub symmetry: Symmetry,
    /// The first [`ENGINE_VERSION`](crate::ENGINE_VERSION) that makes puzzles of the variant with it.
    pub since: u32,
}

impl SymmetryInfo {
    /// All symmetries, with the same first version.
    #[must_use]
    pub const fn all_since(since: u32) -> [Self; Symmetry::ALL.len()] {
        let mut infos = [Self { symmetry: Symmetry::None, since }; Symmetry::ALL.len()];
        let mut at = 0;
        while at < infos.len() {
            infos[at].symmetry = Symmetry::ALL[at];
            at += 1;
        }
        infos
    }
}

impl FromStr for Symmetry {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|symmetry| symmetry.name() == word).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|symmetry| symmetry.name()).collect();
            format!("unknown symmetry {}; {}", quoted(word), hint(word, &names))
        })
    }
}
