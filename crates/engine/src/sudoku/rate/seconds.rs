//! Predicts the seconds that people take for a Sudoku, from its ER and from how often they look before they find the
//! next digit.

use crate::{shared::level::Tenths, sudoku::techniques::Looks};

/// The predicted mean time in seconds of people who solve for pleasure, as `[low, mean, high]`.
pub(super) fn seconds(looks: &Looks, er: Tenths) -> [f64; 3] {
    let log: f64 = features(looks, er).iter().zip(MODEL).map(|(feature, (_, coefficient))| feature * coefficient).sum();
    [log - SPREAD, log, log + SPREAD].map(|log| log.exp().round())
}

pub(in crate::sudoku) fn features(looks: &Looks, er: Tenths) -> [f64; 5] {
    [
        1.0,
        looks.expected.max(1.0).ln(),
        (f64::from(er.0) / 10.0).ln(),
        looks.pairs.ln_1p(),
        f64::from(looks.in_order.max(1)).ln(),
    ]
}

/// The weight of each feature in the natural logarithm of the seconds. The weights were fitted to the mean times for the 608
/// puzzles of `tests/data/sudoku_human_times.csv`, with ten or more players each. The fit is by least squares with Tukey's
/// biweight, because a mean says nothing if one of its players left the board for hours. `looks`, `pairs`, and `looks in order`
/// are defined in [`Looks`]. The weights inside `looks` were set by hand on the same data: choosing among 540 other sets of them
/// predicts worse under nested cross-validation.
///
/// `cargo run --release -p puzzled-tools -- seconds` repeats the fit and prints the results of cross-validation. See [`CALIBRATED_MAX`].
pub(in crate::sudoku) const MODEL: [(&str, f64); 5] = [
    ("constant", 1.135),
    ("ln(looks)", 0.263),
    ("ln(ER)", 0.182),
    ("ln(1 + pairs)", 0.218),
    ("ln(looks in order)", 0.269),
];

/// The hardest rating of the data to which the weights were fitted. Above it, the prediction is not calibrated.
pub(super) const CALIBRATED_MAX: Tenths = Tenths(30);

/// Half the width of the interval of the logarithm that contained four of five puzzles when they were left out of the fit.
pub(in crate::sudoku) const SPREAD: f64 = 0.249;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::budget::Budget,
        sudoku::{
            board::Grid,
            techniques::{Candidates, climb, play},
        },
    };

    #[test]
    fn four_of_five_measured_times_lie_within_the_bounds() {
        let is_between = |line: &&str| {
            let columns: Vec<_> = line.split(',').collect();
            let start = Candidates::of(&Grid::parse(columns[0]).unwrap()).unwrap();
            let (mut end, mut er) = (start.clone(), Tenths(0));
            climb(&mut end, Tenths::MAX, &mut Budget::of_nodes(u64::MAX), |_, find| {
                er = er.max(find.technique.rating);
            });
            let [low, _, high] = seconds(&play(&start, end.grid()), er);
            (low..=high).contains(&columns[2].parse().unwrap())
        };
        let cases: Vec<_> = include_str!("../../../tests/data/sudoku_human_times.csv").lines().skip(1).collect();
        let between = cases.iter().filter(|line| is_between(line)).count();
        assert!((79..=82).contains(&(between * 100 / cases.len())), "{between} of {}", cases.len());
    }

    #[test]
    fn more_looks_and_harder_steps_take_longer() {
        let looks = |expected| Looks { expected, pairs: 100.0, in_order: 300 };
        let [easy, scarce, hard] =
            [(400.0, 12), (900.0, 12), (900.0, 42)].map(|(count, er)| seconds(&looks(count), Tenths(er)));
        assert!(easy[1] < scarce[1] && scarce[1] < hard[1], "{easy:?} {scarce:?} {hard:?}");
        assert!([easy, scarce, hard].iter().all(|[low, mean, high]| low < mean && mean < high));
    }
}
