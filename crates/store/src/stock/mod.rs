//! Puzzles and shelves: their data, imports, ratings, withdrawals, and draws.

pub mod criterion;
pub mod draws;
pub mod filter;
pub mod import;
pub(crate) mod import_store;
pub(crate) mod origins;
pub mod puzzle;
pub mod puzzle_counts;
pub mod rating;
pub(crate) mod rating_store;
pub(crate) mod shelving;
pub mod stated;
pub(crate) mod stock_store;
pub mod withdrawal;
pub(crate) mod withdrawal_store;
