//! Puzzles, shelves, and deliveries: their data, and which puzzle a request gets.

pub mod audience;
pub mod choose;
pub mod criterion;
pub mod delivery;
pub mod filter;
pub mod find;
pub mod history;
pub mod holder;
pub mod import;
pub mod puzzle;
pub mod puzzle_counts;
pub mod rating;
pub mod release;
pub mod stated;
pub mod withdrawal;
