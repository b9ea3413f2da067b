//! The time that people take: how many places are open at each step, and how hard the steps beyond singles are.

use crate::engine::level::Tenths;

/// What one open place counts for: a single in a box is seen soonest, then in a line, then a naked one.
const WEIGHTS: [f64; 3] = [1.0, 0.5, 0.3];

/// Most that the search for one step counts for.
const SEARCH_MAX: f64 = 3.0;

/// The rating up to which a step costs no more than finding it, in tenths.
const PLAIN_MAX: u8 = 15;

/// The effort of a solution, step by step.
#[derive(Debug, Default)]
pub(super) struct Effort {
    /// Over the steps, one by the weighted number of places that a single fills, at most [`SEARCH_MAX`] each.
    pub(super) search: f64,
    /// Over the steps, how far the rating lies above 1.5.
    pub(super) techniques: f64,
}

impl Effort {
    /// Takes a step into account: the places open before it, by sort of single, and its rating.
    pub(super) fn add(&mut self, open: [u32; 3], rating: Tenths) {
        let places: f64 = open.iter().zip(WEIGHTS).map(|(&count, weight)| f64::from(count) * weight).sum();
        self.search += (1.0 / places).min(SEARCH_MAX);
        self.techniques += f64::from(rating.0.saturating_sub(PLAIN_MAX)) / 10.0;
    }

    /// The predicted seconds, between a low and a high bound.
    pub(super) fn seconds(&self, er: Tenths, clues: u16) -> [f64; 3] {
        let er = f64::from(er.0) / 10.0;
        let features = [1.0, self.search.ln_1p(), er.ln_1p(), self.techniques.ln_1p(), f64::from(clues)];
        let log: f64 = features.iter().zip(COEFFICIENTS).map(|(feature, (_, coefficient))| feature * coefficient).sum();
        [log - SPREAD, log, log + SPREAD].map(|log| log.exp().round())
    }
}

/// What each feature adds to the natural logarithm of the seconds. Least squares on the mean times of 608 puzzles of the
/// open Cloud Sudoku data (ten or more players each). Over five times ten-fold cross-validation the predicted times have
/// a Spearman correlation of 0.59 with the real ones (by ER: 0.24 up to 1.2, 0.34 at 1.5, 0.46 up to 2.5, 0.57 above).
/// The set is easy; above ER 3 nothing is calibrated.
const COEFFICIENTS: [(&str, f64); 5] = [
    ("constant", 4.9541),
    ("ln(1 + search effort)", 0.5359),
    ("ln(1 + ER)", 0.1518),
    ("ln(1 + technique effort)", 0.0365),
    ("clues", -0.0251),
];

/// Half of the range of the logarithm in which four of five puzzles lay when they were left out of the fit.
const SPREAD: f64 = 0.296;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_open_places_and_harder_steps_take_longer() {
        let seconds = |open: [u32; 3], rating: u8| {
            let mut effort = Effort::default();
            (0..50).for_each(|_| effort.add(open, Tenths(rating)));
            effort.seconds(Tenths(rating), 26)
        };
        let [easy, scarce, hard] = [seconds([6, 2, 1], 12), seconds([1, 0, 0], 12), seconds([1, 0, 0], 42)];
        assert!(easy[1] < scarce[1] && scarce[1] < hard[1], "{easy:?} {scarce:?} {hard:?}");
        assert!([easy, scarce, hard].iter().all(|[low, mean, high]| low < mean && mean < high));
    }

    #[test]
    fn a_step_without_an_open_place_costs_the_most_and_no_more() {
        let mut effort = Effort::default();
        effort.add([0, 0, 0], Tenths(26));
        assert!((effort.search - SEARCH_MAX).abs() < 1e-9 && (effort.techniques - 1.1).abs() < 1e-9, "{effort:?}");
    }
}
