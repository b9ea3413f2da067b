//! What is known of how hard a puzzle is: the rating, the numbers behind it, and one line that explains it.

use super::{level::Tenths, metrics::Metrics};

/// A rater's result for one puzzle. It can only be compared with results of the same rater and version.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRecord {
    /// Name of the rater: `puzzled-se`.
    pub rater: &'static str,
    /// Version of the rater; rises when any puzzle's result may change.
    pub rater_version: u32,
    /// The rating that decides level and shelf.
    pub rating: Tenths,
    /// Techniques used, easiest first.
    pub techniques: Vec<TechniqueCount>,
    /// The numbers of the kind.
    pub metrics: Metrics,
    /// One line for people: what the puzzle needs, and why it has its rating.
    pub explanation: String,
}

impl RatingRecord {
    /// Whether it is that of a complete grid, whose rating means nothing: no step was left to be made.
    #[must_use]
    pub fn is_of_complete_grid(&self) -> bool {
        self.techniques.is_empty()
    }
}

/// How often a technique was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TechniqueCount {
    /// Its usual name.
    pub technique: &'static str,
    /// Its rating, in tenths.
    pub rating: Tenths,
    /// Steps that used it.
    pub count: u32,
}
