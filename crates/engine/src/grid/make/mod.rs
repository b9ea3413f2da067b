//! Makes puzzles: fills a board, takes clues away, and steers to a level.

/// How the puzzles of a kind are made.
pub(crate) trait Shape: Sync {}

/// Kinds whose clues are digits of the solution.
pub(crate) struct Givens;

impl Shape for Givens {}
