//! What is the same on the other database, see [`crate::store::same`].

use super::{Write, must_touch, rows};
use crate::{
    engine::symmetry::Symmetry,
    store::{
        StoreError,
        job::{Job, JobId, JobState},
        puzzle::{Puzzle, PuzzleId, ShelfFilter},
        same::{functions, select_puzzles, target_columns},
        shortfall::not_after_at,
        target::{Refill, StockTarget, TargetId, Wish},
    },
};

functions!();
