//! The metrics of a Sudoku. The database stores them as JSON under the names of the fields here; the API has a message for them.

use serde::{Deserialize, Serialize};

use super::hodoku::HodokuLevel;
use crate::shared::level::Tenths;

/// The metrics of a Sudoku. A field that a stored object lacks is 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SudokuMetrics {
    /// Rating of the hardest step on the Sudoku Explainer scale, 1.0–13.4.
    pub er: Tenths,
    /// Rating of the hardest step up to and including the first that places a digit, on the same scale.
    pub ep: Tenths,
    /// Rating of the first step, on the same scale.
    pub ed: Tenths,
    /// Sum of the scores of HoDoKu's steps, from 0; each guess counts 10,000.
    pub hodoku_score: u32,
    /// HoDoKu's level, from the hardest step and the score.
    pub hodoku_level: HodokuLevel,
    /// Number of givens, 17–80.
    pub givens: u32,
    /// Number of candidates in all empty cells at the start, 0–576.
    pub freedom: u32,
    /// Mean number of candidates of an empty cell at the start, 0–9.
    pub branching_factor: f64,
    /// Number of assignments that a plain backtracking solver undoes.
    pub backtracks: u32,
    /// Number of steps of the solution by the ladder of techniques, 0–729.
    pub steps: u32,
    /// Mean number, over the steps, of cells that a single could fill at that moment, 0–64.
    pub openings: f64,
    /// Number of times that a person is expected to examine a house or cell; see `techniques/looks.rs`.
    pub looks: f64,
    /// Predicted mean solving time of people who solve such puzzles for pleasure, in seconds.
    pub predicted_seconds: f64,
    /// Lower end of the range that contains the times of four out of five puzzles, in seconds.
    pub predicted_seconds_low: f64,
    /// Upper end of that range, in seconds.
    pub predicted_seconds_high: f64,
}
