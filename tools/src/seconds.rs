//! Fits the model of predicted seconds to measured solving times, by least squares with Tukey's biweight. Prints a
//! ten-fold cross-validation. Fails if the engine's model differs from the fit, or if players seem to look for digits
//! in another order than 1 to 9.

use std::cmp::Ordering;

use puzzled_engine::{
    shared::{level::Tenths, rng::Rng},
    sudoku::{
        board::Grid,
        rate::rating::{Outcome, outcome},
        tools::{self, MODEL, Position, SPREAD},
    },
};

use crate::common::{budget, start};

/// The columns are puzzle, number of players, and mean seconds.
const DATA: &str = include_str!("../../crates/engine/tests/data/sudoku_human_times.csv");

/// Number of random orders of the digits to compare, besides the one from 9 to 1.
const OTHER_ORDERS: u64 = 10;

/// The lowest rank correlation of predicted and measured times at which the fit passes.
const SPEARMAN_MIN: f64 = 0.70;

/// A puzzle of the data with its features and the logarithm of its mean seconds.
struct Case {
    puzzle: Grid,
    solution: Grid,
    er: Tenths,
    features: [f64; 5],
    log_seconds: f64,
}

/// Fits the model, and tests that the looks counted in the order 1 to 9 predict the times better than those in other
/// orders.
///
/// # Errors
/// A message if the engine's model is not the fit, if the correlation is below [`SPEARMAN_MIN`], or if another order
/// predicts better.
pub(crate) fn fit() -> Result<(), String> {
    let cases: Vec<_> = DATA.lines().skip(1).map(case).collect();
    fit_model(&cases)?;
    compare_orders(&cases)
}

fn case(line: &str) -> Case {
    let columns: Vec<_> = line.split(',').collect();
    let puzzle = Grid::parse(columns[0]).expect("a puzzle");
    let Outcome::Rated(ratings) = outcome(&puzzle, &mut budget()) else { panic!("{line} has no rating") };
    let solution = solved(start(&puzzle));
    let (er, seconds) = (ratings.er, columns[2].parse::<f64>().expect("seconds"));
    let features = tools::seconds_features(&start(&puzzle), &solution, er);
    Case { puzzle, solution, er, features, log_seconds: seconds.ln() }
}

fn solved(mut position: Position) -> Grid {
    position.climb_up_to(Tenths::MAX, &mut budget());
    *position.grid()
}

fn fit_model(cases: &[Case]) -> Result<(), String> {
    let fitted = fit_to(&cases.iter().collect::<Vec<_>>());
    let out: Vec<_> = (0..5).map(|seed| left_out(cases, seed)).collect();
    let mean = |kept: &dyn Fn(&Case) -> bool| {
        let of_kept = |pairs: &Vec<(f64, f64)>| -> Vec<_> {
            pairs.iter().zip(cases).filter(|(_, case)| kept(case)).map(|(pair, _)| *pair).collect()
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
    let is_fit = MODEL.into_iter().zip(fitted).all(|((_, coefficient), fitted)| (coefficient - fitted).abs() < 0.001);
    if all < SPEARMAN_MIN {
        return Err(format!("Spearman {all:.3} is below {SPEARMAN_MIN:.2}; the features do not predict the times"));
    }
    if (spread - SPREAD).abs() >= 0.01 || !is_fit {
        return Err("the engine has another model; set its MODEL and SPREAD to the printed values".to_owned());
    }
    Ok(())
}

/// Compares orders of the digits. Renaming the digits of a puzzle has the same effect as looking for them in another order.
fn compare_orders(cases: &[Case]) -> Result<(), String> {
    let spearman_renamed = |digits: [u8; 9]| {
        let rename = |grid: &Grid| {
            tools::grid(grid.cells().map(|digit| if digit == 0 { 0 } else { digits[usize::from(digit) - 1] }))
        };
        let pairs = cases.iter().map(|case| {
            let looks = tools::looks_in_order(&start(&rename(&case.puzzle)), &rename(&case.solution));
            (looks.into(), case.log_seconds)
        });
        spearman(&pairs.collect::<Vec<_>>())
    };
    let digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let shuffled = |seed| {
        let mut order = digits;
        Rng::from_seed(seed).shuffle(&mut order);
        spearman_renamed(order)
    };
    let others: Vec<_> = (0..OTHER_ORDERS).map(shuffled).collect();
    let (in_order, from_nine) = (spearman_renamed(digits), spearman_renamed(digits.map(|digit| 10 - digit)));
    println!(
        "Spearman of the looks from 1 to 9 {in_order:.3}, from 9 to 1 {from_nine:.3}, in other orders {others:.3?}"
    );
    if in_order <= from_nine || others.iter().any(|other| in_order <= *other) {
        return Err(
            "another order of the digits predicts the times better than 1 to 9, which the engine assumes".to_owned()
        );
    }
    Ok(())
}

/// Least squares with Tukey's biweight: cases more than four robust standard deviations away have no weight.
fn fit_to(cases: &[&Case]) -> [f64; 5] {
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

/// Weighted least squares, solved by elimination of the normal equations.
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

/// The rank of each value, from 0; equal values get the mean of their ranks.
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

/// For each case, the prediction of a model fitted without the case's tenth of the data, and the measured value.
fn left_out(cases: &[Case], seed: u64) -> Vec<(f64, f64)> {
    let mut order: Vec<_> = (0..cases.len()).collect();
    Rng::from_seed(seed).shuffle(&mut order);
    let mut pairs = vec![(0.0, 0.0); cases.len()];
    for fold in 0..10 {
        let is_out = |at: usize| at % 10 == fold;
        let kept: Vec<_> = (0..cases.len()).filter(|&at| !is_out(at)).map(|at| &cases[order[at]]).collect();
        let model = fit_to(&kept);
        for at in (0..cases.len()).filter(|&at| is_out(at)) {
            let case = &cases[order[at]];
            pairs[order[at]] = (predict(&model, case), case.log_seconds);
        }
    }
    pairs
}
