//! Rule: the holder of puzzles: a series or an audience. Draws of others never return held puzzles. Also the
//! data of a release, which gives held puzzles positions on their shelves.

use std::{fmt, str::FromStr};

use puzzled_base::ids::PuzzleId;

/// The holder of a puzzle, or of the puzzles that a job makes. A held puzzle has a shelf, but no position on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// A daily series, by its name.
    Series(String),
    /// An audience, by its name.
    Audience(String),
}

const SERIES: &str = "series ";
const AUDIENCE: &str = "audience ";

impl fmt::Display for Holder {
    /// The form in the database: `series` or `audience`, and the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Series(name) => write!(f, "{SERIES}{name}"),
            Self::Audience(name) => write!(f, "{AUDIENCE}{name}"),
        }
    }
}

impl FromStr for Holder {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let series = text.strip_prefix(SERIES).map(|name| Self::Series(name.to_owned()));
        series.or_else(|| text.strip_prefix(AUDIENCE).map(|name| Self::Audience(name.to_owned()))).ok_or(())
    }
}

impl Holder {
    /// The name of the audience; `None` for a series.
    #[must_use]
    pub fn audience(&self) -> Option<&str> {
        match self {
            Self::Audience(name) => Some(name),
            Self::Series(_) => None,
        }
    }

    /// The name of the series; `None` for an audience.
    #[must_use]
    pub fn series(&self) -> Option<&str> {
        match self {
            Self::Series(name) => Some(name),
            Self::Audience(_) => None,
        }
    }
}

/// Which held puzzles to release, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The puzzles. Those that are not held do not change.
    pub of: ReleaseOf,
    /// The reason, for the audit trail.
    pub reason: String,
}

/// Which held puzzles to release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReleaseOf {
    /// All that this holder has.
    Holder(Holder),
    /// Those with these ids.
    Ids(Vec<PuzzleId>),
}

/// The result of a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Released {
    /// The number of puzzles that were released, or that a dry run found.
    pub released: u64,
    /// Their first ids, at most `IDS_MAX`.
    pub ids: Vec<PuzzleId>,
    /// The number of puzzles that the next call would release.
    pub left: u64,
    /// The number of puzzles that stay held because they belong to days that have not begun.
    pub kept: u64,
}
