//! Correlates the number of white cells of a Kakuro with its rating, effort, effort per cell, and coefficient, in a sample of
//! ten sizes and any rating.

use puzzled_engine::{
    kakuro::metrics::KakuroMetrics,
    shared::{spec::Difficulty, symmetry::Symmetry, tries::Made},
};

use super::make::{make, spec};

const SEED: u64 = 11;

/// From newspaper size to the largest that people solve on paper.
pub const SIZES: [&str; 10] = ["6x6", "8x8", "8x10", "10x10", "9x13", "12x12", "13x9", "15x15", "17x11", "20x20"];

pub fn run(count: u32) {
    let specs = SIZES.map(|size| spec(size, Symmetry::None, Difficulty::Any));
    let puzzles: Vec<_> = (0..count)
        .filter_map(|index| make(&specs[index as usize % specs.len()], SEED, index))
        .map(|(_, made)| made)
        .collect();
    let of = |number: fn(&Made) -> f64| -> Vec<f64> { puzzles.iter().map(|made| number(made)).collect() };
    let rating = of(|made| f64::from(made.record.rating.0));
    let cells = of(|made| f64::from(metrics(made).cells));
    println!(
        "{} puzzles of {} sizes, {} to {} white cells",
        puzzles.len(),
        SIZES.len(),
        least(&cells),
        -least(&cells.iter().map(|n| -n).collect::<Vec<_>>())
    );
    println!("Spearman of the cell count with");
    for (name, numbers) in [
        ("rating", rating),
        ("effort per cell", of(|made| metrics(made).effort_per_cell)),
        ("effort", of(|made| metrics(made).effort)),
        ("the paper's coefficient", of(|made| metrics(made).coefficient)),
    ] {
        println!("  {name:<24} {:>6.3}", spearman(&numbers, &cells));
    }
    let mut levels = [0_u32; 8];
    puzzles.iter().for_each(|made| levels[usize::from(made.record.rating.0 / 10)] += 1);
    println!("puzzles by tier 1 to 7: {:?}", &levels[1..]);
}

fn metrics(made: &Made) -> KakuroMetrics {
    made.record.metrics.read().expect("the puzzle is a Kakuro")
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn spearman(one: &[f64], other: &[f64]) -> f64 {
    let (one, other) = (ranks(one), ranks(other));
    let mean = (one.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

/// The rank of each number, from 1; equal numbers get the mean of their ranks.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    numbers
        .iter()
        .map(|number| {
            let below = numbers.iter().filter(|other| *other < number).count() as f64;
            let equal = numbers.iter().filter(|other| *other == number).count() as f64;
            below + (equal + 1.0) / 2.0
        })
        .collect()
}
