//! Tests the human ladder of Sudoku (the techniques in order of difficulty) against reference ratings, golden step lists, and
//! random boards.
#![cfg(test)]

mod golden;
mod hints;
mod properties;
mod reference;

use std::sync::atomic::AtomicBool;

use puzzled_engine::{shared::budget::Budget, sudoku::rate::rating::NODES_PER_RATING_MAX};

/// Runs `work` with the budget of one rating.
fn with_budget<T>(work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
    work(&mut Budget::new(NODES_PER_RATING_MAX, &AtomicBool::new(false)))
}
