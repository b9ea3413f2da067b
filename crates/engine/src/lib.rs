//! The pure part: puzzles are made, solved and rated here. Nothing in it waits, logs, or reads a clock, a file or the
//! environment; time, chance and budget are arguments.

pub mod attempts;
pub mod budget;
pub mod csp;
pub mod kakuro;
pub mod kind;
pub mod level;
pub mod metrics;
pub mod record;
pub mod registry;
pub mod rng;
pub mod solvers;
pub mod spec;
pub mod step;
pub mod sudoku;
pub mod symmetry;
pub mod text;
#[cfg(any(test, feature = "test-kind"))]
pub mod toy;

/// Version of everything that decides which puzzle a seed yields. It is part of each try's seed and stands on each
/// puzzle; it rises whenever a golden value of `tests/golden` changes.
pub const ENGINE_VERSION: u32 = 16;
