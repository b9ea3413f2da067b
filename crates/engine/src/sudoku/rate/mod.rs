//! Rates Sudoku: levels, records, and predicted times.

pub(super) mod explanation;
pub mod plain;
pub mod rating;
pub mod record;
pub(super) mod seconds;
