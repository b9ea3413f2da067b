//! Puts puzzles on shelves, stores imports, adds ratings to stored puzzles, and finds the stored puzzle of a printed text.

pub(super) mod finds;
pub(super) mod imports;
pub(super) mod origins;
pub(super) mod ratings;
pub(super) mod shelving;
