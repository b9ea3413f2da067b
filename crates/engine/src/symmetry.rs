//! The symmetries that a pattern of givens, or a layout, may have.

use std::str::FromStr;

/// A symmetry of the pattern of givens (Sudoku) or of white cells (Kakuro).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// No symmetry is asked for.
    None,
    /// Half a turn.
    Rotation180,
    /// A quarter of a turn, so half a turn too.
    Rotation90,
    /// Left and right mirror each other (mirror line is the middle column).
    Horizontal,
    /// Top and bottom mirror each other (mirror line is the middle row).
    Vertical,
    /// Mirrored at the diagonal from top left to bottom right.
    Diagonal,
    /// Mirrored at the diagonal from top right to bottom left.
    AntiDiagonal,
    /// All of them at once.
    Full,
}

impl Symmetry {
    /// All symmetries, in the order of the wire.
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

    /// The lower-case word, as the command line and the database have it.
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

/// A symmetry that a variant is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetryInfo {
    /// The symmetry.
    pub symmetry: Symmetry,
    /// The [`ENGINE_VERSION`](crate::ENGINE_VERSION) since which the variant is made with it.
    pub since: u32,
}

impl SymmetryInfo {
    /// All symmetries, each since the same version.
    #[must_use]
    pub const fn all_since(since: u32) -> [Self; Symmetry::ALL.len()] {
        let mut all = [Self { symmetry: Symmetry::None, since }; Symmetry::ALL.len()];
        let mut at = 0;
        while at < all.len() {
            all[at].symmetry = Symmetry::ALL[at];
            at += 1;
        }
        all
    }
}

impl FromStr for Symmetry {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|symmetry| symmetry.name() == word).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|symmetry| symmetry.name()).collect();
            format!("unknown symmetry {word:?}: one of {}", names.join(", "))
        })
    }
}
