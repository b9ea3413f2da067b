//! Rule: the data of a withdrawal of many puzzles: which puzzles it changes, and its results.

use serde_json::Value;

use crate::stock::{filter::ShelfFilter, puzzle::OriginFilter};
use puzzled_base::{clock::Millis, ids::PuzzleId};

/// The maximum number of puzzles that one transaction changes. It keeps the delay of other writes short.
pub(crate) const WITHDRAWN_AT_ONCE: u32 = 500;

/// The maximum number of puzzles that one call changes.
pub const WITHDRAWN_MAX: u32 = 10_000;

/// The maximum number of IDs in [`WithdrawnMany`].
pub(crate) const IDS_MAX: u32 = 100;

/// Which puzzles in circulation to withdraw or to forget. A puzzle must meet each criterion that is set.
#[derive(Debug, Clone, PartialEq)]
pub struct Withdrawal {
    /// The shelves.
    pub shelves: ShelfFilter,
    /// The job or the import that the puzzle comes from.
    pub origin: Option<OriginFilter>,
    /// The earliest time at which the puzzle was stored.
    pub stored_from: Option<Millis>,
    /// The time before which the puzzle was stored.
    pub stored_before: Option<Millis>,
    /// The reason, for the puzzles and the audit trail.
    pub reason: String,
    /// Whether puzzles that no delivery names are deleted, with their ratings. The others are withdrawn. Puzzles of open
    /// jobs stay as they are, because the other indices of the job are compared with them.
    pub forget: bool,
    /// The criteria in the caller's words, for the audit trail.
    pub criteria: Value,
}

/// What one transaction of a withdrawal did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Withdrew {
    /// The puzzles that were withdrawn or deleted.
    pub changed: Vec<PuzzleId>,
    /// The number of those that were deleted.
    pub forgotten: u64,
    /// The last puzzle that the transaction read; the next transaction resumes after it. `None` if no puzzle was left.
    pub last: Option<PuzzleId>,
}

/// The puzzles in circulation that meet the criteria of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Matching {
    /// The number of puzzles that the withdrawal would change.
    pub left: u64,
    /// The number of those that it would delete.
    pub forgettable: u64,
    /// The number of puzzles that `forget` leaves alone, because their jobs are open; 0 without `forget`.
    pub of_open_jobs: u64,
}

/// The result of a withdrawal. A dry run changes nothing, and gives the numbers and IDs of what would change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WithdrawnMany {
    /// The number of puzzles that were withdrawn or deleted.
    pub changed: u64,
    /// The number of those that were deleted.
    pub forgotten: u64,
    /// The first of them, at most `IDS_MAX`.
    pub ids: Vec<PuzzleId>,
    /// The number of puzzles that still meet the criteria; 0 for a dry run. A repeated call changes them.
    pub left: u64,
    /// The number of puzzles that `forget` left alone, because their jobs are open; 0 without `forget`.
    pub of_open_jobs: u64,
}

impl WithdrawnMany {
    /// Adds the result of a transaction.
    pub(crate) fn add(&mut self, part: Withdrew) {
        self.changed += part.changed.len() as u64;
        self.forgotten += part.forgotten;
        let room = IDS_MAX as usize - self.ids.len();
        self.ids.extend(part.changed.into_iter().take(room));
    }
}
