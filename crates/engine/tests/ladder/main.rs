//! The human ladder of Sudoku, against reference ratings, golden step lists, and boards of every sort.
#![cfg(test)]

mod golden;
mod properties;
mod reference;

use std::sync::atomic::AtomicBool;

use puzzled_engine::{budget::Budget, sudoku::rating::NODES_PER_RATING_MAX};

/// The budget of a rating.
fn with_budget<T>(work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
    work(&mut Budget::new(NODES_PER_RATING_MAX, &AtomicBool::new(false)))
}
