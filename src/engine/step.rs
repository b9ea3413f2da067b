//! One step of a solution by reasoning, as data that a program can check and a person can read.

use super::level::Tenths;

/// A cell's number: row times width plus column, both from 0.
pub type Cell = u16;

/// One application of a technique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The technique's usual name.
    pub technique: &'static str,
    /// The technique's rating on the kind's scale.
    pub rating: Tenths,
    /// The cells of the pattern that proves the step.
    pub cells: Vec<Cell>,
    /// Digits placed: (cell, digit).
    pub placed: Vec<(Cell, u8)>,
    /// Candidates removed: (cell, digit).
    pub removed: Vec<(Cell, u8)>,
    /// The argument in one English sentence, cells as r1c1.
    pub sentence: String,
}
