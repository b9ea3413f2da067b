//! Puzzles and shelves: their data, imports, ratings, withdrawals, and draws.

pub mod criterion;
pub mod draws;
pub mod filter;
pub mod import;
pub mod imports;
pub mod origins;
pub mod puzzle;
pub mod puzzle_counts;
pub mod rating;
pub mod ratings;
pub mod shelves;
pub mod shelving;
pub mod stated;
pub mod withdrawal;
pub mod withdrawals;
