//! The metrics of all grid kinds. The database stores them as JSON under the names of the fields here; the API has a message for them.

use serde::{Deserialize, Serialize};

/// The metrics of a puzzle on a square grid. A field that a stored object lacks is 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GridMetrics {
    /// The most rounds of singles that a refutation needs, 1–32; 0 if none is needed.
    pub rounds: u32,
    /// Number of steps of the solution by the ladder of techniques.
    pub steps: u32,
    /// Number of candidates in all open cells at the start, 0–4,096.
    pub freedom: u32,
    /// `freedom` divided by the number of open cells, 0–16.
    pub branching: f64,
    /// Number of digits that a plain backtracking solver takes back, 0–1,000.
    pub backtracks: u32,
    /// Number of clues besides givens, such as regions; 0 if the variant has none.
    pub clues: u32,
    /// Mean number, over the steps, of cells that a single could fill at that moment.
    pub openings: f64,
}

impl GridMetrics {
    /// The name under which records have them, for all grid kinds.
    pub const NAME: &'static str = "grid";
}
