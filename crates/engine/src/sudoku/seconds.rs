//! The time that people take: how often they have to look before they find the next digit, and how hard the hardest step is.

use super::techniques::Looks;
use crate::level::Tenths;

/// The predicted mean seconds of people who solve such puzzles for pleasure, between a low and a high bound.
pub(super) fn seconds(looks: &Looks, er: Tenths) -> [f64; 3] {
    let log: f64 = features(looks, er).iter().zip(MODEL).map(|(feature, (_, coefficient))| feature * coefficient).sum();
    [log - SPREAD, log, log + SPREAD].map(|log| log.exp().round())
}

fn features(looks: &Looks, er: Tenths) -> [f64; 5] {
    [
        1.0,
        looks.expected.max(1.0).ln(),
        (f64::from(er.0) / 10.0).ln(),
        looks.pairs.ln_1p(),
        f64::from(looks.in_order.max(1)).ln(),
    ]
}

/// What each feature adds to the natural logarithm of the seconds: fitted to the mean times of the 608 puzzles of
/// `tests/data/sudoku_human_times.csv`, ten or more players each, by least squares with Tukey's biweight, because a mean in
/// which one player left the board for hours says nothing. `looks`, `pairs` and `looks in order` are those of [`Looks`]; the
/// weights of the first were set by hand on the same data: to choose among 540 others predicts worse, by nested
/// cross-validation. The test below fits the model again and prints what cross-validation gives, over all puzzles and by ER.
/// The data are easy ones; above ER 3 nothing is calibrated.
const MODEL: [(&str, f64); 5] = [
    ("constant", 1.135),
    ("ln(looks)", 0.263),
    ("ln(ER)", 0.182),
    ("ln(1 + pairs)", 0.218),
    ("ln(looks in order)", 0.269),
];

/// Half of the range of the logarithm in which four of five puzzles lay when they were left out of the fit.
const SPREAD: f64 = 0.249;

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::{
        budget::Budget,
        rng::Rng,
        sudoku::{
            board::Grid,
            techniques::{Bounds, Candidates, climb, play},
        },
    };

    /// Other orders of the digits, beside the one from 9 to 1.
    const OTHER_ORDERS: u64 = 10;

    /// A puzzle of the data.
    struct Case {
        start: Candidates,
        solution: Grid,
        er: Tenths,
        features: [f64; 5],
        log_seconds: f64,
    }

    fn cases() -> Vec<Case> {
        let text = include_str!("../../tests/data/sudoku_human_times.csv");
        let case = |line: &str| {
            let columns: Vec<_> = line.split(',').collect();
            let puzzle = Grid::parse(columns[0]).unwrap();
            let start = Candidates::of(&puzzle).unwrap();
            let (mut end, mut er) = (start.clone(), Tenths(0));
            let never = false.into();
            climb(&mut end, Bounds::NONE, &mut Budget::new(u64::MAX, &never), |_, find| {
                er = er.max(find.technique.rating);
            });
            let looks = play(&start, end.grid());
            let (features, log_seconds) = (features(&looks, er), columns[2].parse::<f64>().unwrap().ln());
            Case { start, solution: *end.grid(), er, features, log_seconds }
        };
        text.lines().skip(1).map(case).collect()
    }

    /// Least squares with Tukey's biweight: what lies four robust standard deviations away has no weight.
    fn fit(cases: &[&Case]) -> [f64; 5] {
        let mut weights = vec![1.0; cases.len()];
        let mut model = least_squares(cases, &weights);
        for _ in 0..50 {
            let misses: Vec<f64> = cases.iter().map(|case| (predict(&model, case) - case.log_seconds).abs()).collect();
            let reach = 4.0 * 1.4826 * quantile(&misses, 1, 2);
            for (weight, miss) in weights.iter_mut().zip(misses) {
                *weight = (1.0 - (miss / reach).min(1.0).powi(2)).powi(2);
            }
            model = least_squares(cases, &weights);
        }
        model
    }

    /// By elimination of the normal equations.
    fn least_squares(cases: &[&Case], weights: &[f64]) -> [f64; 5] {
        let mut rows = [[0.0; 6]; 5];
        for (case, weight) in cases.iter().zip(weights) {
            for (row, a) in rows.iter_mut().zip(case.features) {
                for (sum, b) in row.iter_mut().zip(case.features.into_iter().chain([case.log_seconds])) {
                    *sum += weight * a * b;
                }
            }
        }
        for pivot in 0..5 {
            for other in (0..5).filter(|&other| other != pivot) {
                let factor = rows[other][pivot] / rows[pivot][pivot];
                let taken = rows[pivot];
                rows[other].iter_mut().zip(taken).for_each(|(value, taken)| *value -= factor * taken);
            }
        }
        std::array::from_fn(|at| rows[at][5] / rows[at][at])
    }

    fn quantile(values: &[f64], part: usize, of: usize) -> f64 {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() * part / of]
    }

    fn predict(model: &[f64; 5], case: &Case) -> f64 {
        case.features.iter().zip(model).map(|(feature, coefficient)| feature * coefficient).sum()
    }

    /// Ranks from 0; equal values share the mean of theirs.
    fn ranks(values: &[f64]) -> Vec<f64> {
        let above = |value: f64| -> f64 {
            values
                .iter()
                .map(|other| match other.total_cmp(&value) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                })
                .sum()
        };
        values.iter().map(|&value| above(value) - 0.5).collect()
    }

    fn spearman(pairs: &[(f64, f64)]) -> f64 {
        let [x, y] = [pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(), pairs.iter().map(|pair| pair.1).collect()];
        let [x, y] = [ranks(&x), ranks(&y)];
        let mean = x.iter().sum::<f64>() / x.iter().map(|_| 1.0).sum::<f64>();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
        product(&x, &y) / (product(&x, &x) * product(&y, &y)).sqrt()
    }

    /// For each case, what a model says of it that was fitted without it and a tenth of the others.
    fn left_out(cases: &[Case], seed: u64) -> Vec<(f64, f64)> {
        let mut order: Vec<_> = (0..cases.len()).collect();
        Rng::from_seed(seed).shuffle(&mut order);
        let mut pairs = vec![(0.0, 0.0); cases.len()];
        for fold in 0..10 {
            let is_out = |at: usize| at % 10 == fold;
            let kept: Vec<_> = (0..cases.len()).filter(|&at| !is_out(at)).map(|at| &cases[order[at]]).collect();
            let model = fit(&kept);
            for at in (0..cases.len()).filter(|&at| is_out(at)) {
                let case = &cases[order[at]];
                pairs[order[at]] = (predict(&model, case), case.log_seconds);
            }
        }
        pairs
    }

    #[test]
    fn the_model_is_the_fit_of_the_data_and_holds_for_puzzles_left_out() {
        let cases = cases();
        let fitted = fit(&cases.iter().collect::<Vec<_>>());
        let out: Vec<_> = (0..5).map(|seed| left_out(&cases, seed)).collect();
        let mean = |kept: &dyn Fn(&Case) -> bool| {
            let of_kept = |pairs: &Vec<(f64, f64)>| -> Vec<_> {
                pairs.iter().zip(&cases).filter(|(_, case)| kept(case)).map(|(pair, _)| *pair).collect()
            };
            out.iter().map(|pairs| spearman(&of_kept(pairs))).sum::<f64>() / 5.0
        };
        let all = mean(&|_| true);
        println!("fit {fitted:.3?}\nSpearman, cross-validated: {all:.3}");
        for (min, max) in [(10, 12), (13, 15), (16, 25), (26, 134)] {
            let is_in = |case: &Case| (min..=max).contains(&case.er.0);
            let count = cases.iter().filter(|case| is_in(case)).count();
            println!("ER {}–{}: {:.2} over {count} puzzles", Tenths(min), Tenths(max), mean(&is_in));
        }
        let misses: Vec<_> = out.iter().flatten().map(|(predicted, log)| (predicted - log).abs()).collect();
        let spread = quantile(&misses, 4, 5);
        println!("four of five within {spread:.3}");
        assert!(all >= 0.70, "{all}");
        assert!((spread - SPREAD).abs() < 0.01, "{spread}");
        for ((name, coefficient), fitted) in MODEL.into_iter().zip(fitted) {
            assert!((coefficient - fitted).abs() < 0.001, "{name}: {fitted}");
        }
    }

    #[test]
    fn people_look_for_the_digits_in_their_order() {
        let cases = cases();
        // To look for the digits in another order is to look in theirs once they are renamed.
        let spearman_renamed = |digits: [u8; 9]| {
            let rename =
                |grid: &Grid| Grid(grid.0.map(|digit| if digit == 0 { 0 } else { digits[usize::from(digit) - 1] }));
            let pairs = cases.iter().map(|case| {
                let start = Candidates::of(&rename(case.start.grid())).unwrap();
                (play(&start, &rename(&case.solution)).in_order.into(), case.log_seconds)
            });
            spearman(&pairs.collect::<Vec<_>>())
        };
        let digits = std::array::from_fn(|at| u8::try_from(at).unwrap() + 1);
        let others: Vec<_> = (0..OTHER_ORDERS)
            .map(|seed| {
                let mut order = digits;
                Rng::from_seed(seed).shuffle(&mut order);
                spearman_renamed(order)
            })
            .collect();
        let (in_order, from_nine) = (spearman_renamed(digits), spearman_renamed(digits.map(|digit| 10 - digit)));
        println!("Spearman of the looks in order {in_order:.3}, from 9 to 1 {from_nine:.3}, in others {others:.3?}");
        assert!(
            in_order > from_nine && others.iter().all(|other| in_order > *other),
            "{in_order} {from_nine} {others:?}"
        );
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
