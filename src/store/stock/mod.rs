//! Puts puzzles on shelves, stores imports, and adds ratings to stored puzzles.

pub(super) mod imports;
pub(super) mod origins;
pub(super) mod ratings;
pub(super) mod shelving;
