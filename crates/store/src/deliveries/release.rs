//! Rule: the data of a release of held puzzles: which puzzles get positions on their shelves, and its results.

use crate::{deliveries::holder::Holder, stock::puzzle::PuzzleId};

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
    /// Their first ids, at most [`IDS_MAX`](crate::stock::withdrawal::IDS_MAX).
    pub ids: Vec<PuzzleId>,
    /// The number of puzzles that the next call would release.
    pub left: u64,
    /// The number of puzzles that stay held because they belong to days that have not begun.
    pub kept: u64,
}
