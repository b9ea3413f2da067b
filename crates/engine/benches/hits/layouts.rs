//! Measures the layouts of the Kakuros of each level, and the time that they take: for the bench `hits`. The table of
//! `kakuro/generate/shares.rs` comes from this output.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    kakuro::{Kakuro, layout::Layout, layouts::has_symmetry, notation::text::parse},
    shared::{
        criteria::Criteria,
        job_index::{IndexOutcome, JobIndex, first_hit},
        level::Level,
        symmetry::Symmetry,
    },
};

use super::cpu_seconds;

/// Prints a row for each level of some variants, separated by commas: `count` puzzles of the level's style. `no clue` is the share of
/// the inner blocks that carry no clue; inner blocks are those outside the outer row and column. `rectangle` is the number of cells
/// of the largest rectangle of inner blocks. `empty` is the share of the boards with an outer line without a white cell.
pub(crate) fn print(count: u32, variants: &str) {
    println!(
        "{:<22}{:>7}{:>9}{:>9}{:>11}{:>8}{:>9}{:>11}{:>7}{:>7}",
        "board", "boards", "p50 ms", "p95 ms", "half turn", "white", "no clue", "rectangle", "max", "empty"
    );
    for variant in variants.split(',') {
        for level in Level::ALL {
            println!("{}", row(variant, level, count));
        }
    }
}

fn row(variant: &str, level: Level, count: u32) -> String {
    let criteria = Criteria { variant: Some(variant.to_owned()), level: Some(level), ..Criteria::default() };
    let spec = criteria.spec(&Kakuro).expect("one criterion");
    let (mut times, mut layouts) = (Vec::new(), Vec::new());
    for index in 0..count {
        let start = cpu_seconds();
        let at = JobIndex { kind: &Kakuro, spec: &spec, seed: 7, index };
        let outcome = first_hit(&at, 0..1_000, &AtomicBool::new(false), &mut |_| ());
        times.push(1_000.0 * (cpu_seconds() - start));
        if let IndexOutcome::Hit { made, .. } = outcome {
            layouts.push(parse(&made.text).expect("a text that was made").layout().clone());
        }
    }
    times.sort_by(f64::total_cmp);
    let time = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    let mean = |of: &dyn Fn(&Layout) -> f64| layouts.iter().map(of).sum::<f64>() / number(layouts.len());
    let share = |of: &dyn Fn(&Layout) -> bool| 100.0 * mean(&|layout| f64::from(u8::from(of(layout))));
    let inner = |layout: &Layout| (layout.width() - 1) * (layout.height() - 1);
    format!(
        "{:<22}{:>7}{:>9.1}{:>9.1}{:>10.0}%{:>8.3}{:>9.3}{:>11.2}{:>7}{:>6.0}%",
        format!("{variant} {}", level.name()),
        layouts.len(),
        time(50),
        time(95),
        share(&|layout| has_symmetry(layout, Symmetry::Rotation180)),
        mean(&|layout| number(layout.cells().len()) / number(inner(layout))),
        mean(&without_clue),
        mean(&|layout| number(largest_rectangle(layout))),
        layouts.iter().map(largest_rectangle).max().unwrap_or_default(),
        share(&has_empty_line),
    )
}

fn without_clue(layout: &Layout) -> f64 {
    let (width, signs) = (layout.width(), layout.signs());
    let clue_at: Vec<_> = layout.runs().iter().map(|run| usize::from(run.clue_at)).collect();
    let blocks: Vec<_> = (width..signs.len()).filter(|&cell| cell % width > 0 && !signs[cell]).collect();
    number(blocks.iter().filter(|block| !clue_at.contains(block)).count()) / number(blocks.len().max(1))
}

/// Counts from the texts alone, and so checks the rules of the generator.
fn largest_rectangle(layout: &Layout) -> usize {
    let (width, height, signs) = (layout.width(), layout.height(), layout.signs());
    let mut largest = 0;
    for (top, left) in (1..height).flat_map(|top| (1..width).map(move |left| (top, left))) {
        let mut wide = width;
        for row in top..height {
            wide = wide.min((left..width).take_while(|column| !signs[row * width + column]).count());
            largest = largest.max(wide * (row + 1 - top));
        }
    }
    largest
}

fn has_empty_line(layout: &Layout) -> bool {
    let (width, height, signs) = (layout.width(), layout.height(), layout.signs());
    [1, height - 1].iter().any(|row| (0..width).all(|column| !signs[row * width + column]))
        || [1, width - 1].iter().any(|column| (0..height).all(|row| !signs[row * width + column]))
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("some thousand"))
}
