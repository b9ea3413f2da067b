//! The numbers of a rating record, one struct a kind. They are stored as they stand here; on the wire each struct is a message.

use serde::{Deserialize, Serialize};

use super::{level::Tenths, sudoku::hodoku::HodokuLevel};

/// The numbers of a rated puzzle, by its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metrics {
    /// Of a Sudoku.
    Sudoku(SudokuMetrics),
    /// Of a Kakuro.
    Kakuro(KakuroMetrics),
}

impl Metrics {
    /// Those of a Sudoku, if it is one.
    #[must_use]
    pub fn sudoku(&self) -> Option<&SudokuMetrics> {
        if let Self::Sudoku(metrics) = self { Some(metrics) } else { None }
    }

    /// Those of a Kakuro, if it is one.
    #[must_use]
    pub fn kakuro(&self) -> Option<&KakuroMetrics> {
        if let Self::Kakuro(metrics) = self { Some(metrics) } else { None }
    }
}

/// The numbers of a Sudoku.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SudokuMetrics {
    /// Rating of the hardest step on the Sudoku Explainer scale, 1.0–13.4.
    pub er: Tenths,
    /// Rating of the hardest step up to the first that places a digit.
    pub ep: Tenths,
    /// Rating of the first step.
    pub ed: Tenths,
    /// Sum of the scores of HoDoKu's steps, 0 and up; 10,000 for each guess.
    pub hodoku_score: u32,
    /// HoDoKu's level.
    pub hodoku_level: HodokuLevel,
    /// Number of givens, 17–80.
    pub clues: u32,
    /// Candidates over all empty cells of the start position, 0–576.
    pub freedom: u32,
    /// Mean candidates of an empty cell at the start, 0–9.
    pub branching_factor: f64,
    /// Assignments that the plain solver undoes.
    pub backtracks: u32,
    /// Steps of the ladder, 0–729.
    pub steps: u32,
    /// Mean, over the steps, of the cells that some single would fill at once, 0–64.
    pub openings: f64,
    /// Looks at a house or cell that a person is expected to need; see `techniques/looks.rs`.
    pub looks: f64,
    /// Mean time of people who solve such puzzles for pleasure, in seconds.
    pub predicted_seconds: f64,
    /// The lower end of the range that contains the times of four out of five puzzles, in seconds.
    pub predicted_seconds_low: f64,
    /// The upper end of that range, in seconds.
    pub predicted_seconds_high: f64,
}

/// The numbers of a Kakuro.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct KakuroMetrics {
    /// Tier of the hardest technique, 1–7.
    pub tier: u32,
    /// Share of the cells that are open when that tier is first needed, 0–1.
    pub load: f64,
    /// The steps' efforts, in looks at one run, 1 and up.
    pub effort: f64,
    /// The same for each white cell.
    pub effort_per_cell: f64,
    /// Predicted time; 1 is that of a typical easy puzzle of 8x10.
    pub relative_time: f64,
    /// White cells for each run, the difficulty of the source paper, 1–4.5.
    pub coefficient: f64,
    /// The paper's level: 1 up to a coefficient of 1, 2 up to 1.5, 3 beyond.
    pub paper_level: u32,
    /// White cells, 4–841.
    pub cells: u32,
    /// Runs, which are the clues, 4 and up.
    pub runs: u32,
    /// Candidates over all white cells, by the combinations of their two clues, 4 and up.
    pub freedom: u32,
    /// The same for each white cell, 1–9.
    pub branching_factor: f64,
    /// Digits that the plain solver takes back, 0–300.
    pub backtracks: u32,
    /// Steps of the ladder, 1 and up.
    pub steps: u32,
    /// Links of the longest contradiction that is needed, from run to run, up to 30; 0 for none.
    pub chain: u32,
}
