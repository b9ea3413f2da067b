//! The metrics of a Kakuro. The database stores them as JSON under the names of the fields here; the API has a message for them.

use serde::{Deserialize, Serialize};

/// The metrics of a Kakuro. A field that a stored object lacks is 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KakuroMetrics {
    /// Tier of the hardest technique, 1–7: the tier 0 counts as 1, and the tier 8 as 7.
    pub tier: u32,
    /// Share of the cells that are still open when that tier is first needed, 0–1.
    pub load: f64,
    /// Sum of the efforts of the steps, from 1; the unit is examining one run once.
    pub effort: f64,
    /// `effort` divided by `cells`.
    pub effort_per_cell: f64,
    /// Predicted solving time; 1 is the time of a typical easy puzzle of 8x10.
    pub relative_time: f64,
    /// Number of white cells divided by number of runs, the difficulty in the source paper, 0.5–4.5.
    pub coefficient: f64,
    /// The paper's level: 1 for a coefficient of at most 1, 2 of at most 1.5, 3 above that.
    pub paper_level: u32,
    /// Number of white cells, 1–841.
    pub cells: u32,
    /// Number of runs with a clue, from 1.
    pub runs: u32,
    /// Number of candidates in all white cells, as the combinations of the clues of each cell allow, from 1.
    pub freedom: u32,
    /// `freedom` divided by `cells`, 1–9.
    pub branching_factor: f64,
    /// Number of digits that a plain backtracking solver takes back, 0–300.
    pub backtracks: u32,
    /// Number of steps of the solution by the ladder of techniques, from 1.
    pub steps: u32,
    /// Number of links, each from run to run, of the longest contradiction that is needed, 0–30; 0 if none is needed.
    pub chain: u32,
}
