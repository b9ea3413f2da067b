//! The metrics of a rated puzzle, one struct per kind. The database stores them as JSON under the names of the fields
//! here. The API has a message for each struct.

use serde::{Deserialize, Serialize};

use super::{level::Tenths, sudoku::hodoku::HodokuLevel};

/// The metrics of a rated puzzle, by its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metrics {
    /// The puzzle is a Sudoku.
    Sudoku(SudokuMetrics),
    /// The puzzle is a Kakuro.
    Kakuro(KakuroMetrics),
}

impl Metrics {
    /// The metrics of a Sudoku; `None` for any other kind.
    #[must_use]
    pub fn sudoku(&self) -> Option<&SudokuMetrics> {
        if let Self::Sudoku(metrics) = self { Some(metrics) } else { None }
    }

    /// The metrics of a Kakuro; `None` for any other kind.
    #[must_use]
    pub fn kakuro(&self) -> Option<&KakuroMetrics> {
        if let Self::Kakuro(metrics) = self { Some(metrics) } else { None }
    }
}

/// The metrics of a Sudoku.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
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
    pub clues: u32,
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

/// The metrics of a Kakuro.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct KakuroMetrics {
    /// Tier of the hardest technique, 1–7.
    pub tier: u32,
    /// Share of the cells that are still open when that tier is first needed, 0–1.
    pub load: f64,
    /// Sum of the efforts of the steps, from 1; the unit is examining one run once.
    pub effort: f64,
    /// `effort` divided by `cells`.
    pub effort_per_cell: f64,
    /// Predicted solving time, as a multiple of the time for a typical easy 8x10 puzzle.
    pub relative_time: f64,
    /// Number of white cells divided by number of runs, 1–4.5, the measure of difficulty in the paper that `paper_level`
    /// comes from.
    pub coefficient: f64,
    /// The level in that paper: 1 for a coefficient of at most 1, 2 for one of at most 1.5, and 3 above that.
    pub paper_level: u32,
    /// Number of white cells, 4–841.
    pub cells: u32,
    /// Number of runs, from 4; each has one clue.
    pub runs: u32,
    /// Number of candidates in all white cells that the combinations of each cell's two clues allow, from 4.
    pub freedom: u32,
    /// `freedom` divided by `cells`, 1–9.
    pub branching_factor: f64,
    /// Number of digits that a plain backtracking solver undoes, 0–300.
    pub backtracks: u32,
    /// Number of steps of the solution by the ladder of techniques, from 1.
    pub steps: u32,
    /// Number of links, each from run to run, of the longest contradiction that is needed, 0–30; 0 if none is needed.
    pub chain: u32,
}
