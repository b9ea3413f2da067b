//! Measures the processor time to make a Kakuro of each size and level, including the proofs by both solvers and the
//! rating. Compares the median and the ninth decile with their bounds.

use std::time::Duration;

use puzzled_engine::shared::{
    level::Level,
    spec::{Difficulty, Spec},
    symmetry::Symmetry,
};

use super::make::{make, spec, worked};

const SEED: u64 = 7;

/// The maximum time of one row. If it is exceeded, the row skips its remaining puzzles, and shows this.
const ROW_MAX: Duration = Duration::from_mins(10);

/// A row: its spec, and the bounds on the median and on the ninth decile in milliseconds, if there are any.
struct Wanted {
    name: &'static str,
    spec: Spec,
    p50_max: Option<f64>,
    p90_max: Option<f64>,
    /// Divides the requested number of puzzles, because large boards take longer.
    one_in: u32,
}

fn wanted() -> Vec<Wanted> {
    let size = |name, variant, p50_max, p90_max, one_in| Wanted {
        name,
        spec: spec(variant, Symmetry::None, Difficulty::Any),
        p50_max,
        p90_max,
        one_in,
    };
    let level = |name, level, p50_max, one_in| Wanted {
        name,
        spec: spec("8x10", Symmetry::None, Difficulty::Level(level)),
        p50_max,
        p90_max: None,
        one_in,
    };
    vec![
        size("8x10", "8x10", Some(2.0), Some(15.0), 1),
        size("12x12", "12x12", Some(8.0), Some(40.0), 1),
        size("15x15", "15x15", Some(25.0), Some(100.0), 1),
        size("20x20", "20x20", Some(150.0), Some(600.0), 2),
        size("20x20 runs 9 white .70", "20x20-runs9-white70", None, Some(5_000.0), 10),
        size("30x30", "30x30", None, Some(3_000.0), 10),
        level("8x10 Easy", Level::Easy, Some(30.0), 1),
        level("8x10 Medium", Level::Medium, Some(30.0), 1),
        level("8x10 Hard", Level::Hard, Some(30.0), 1),
        level("8x10 Expert", Level::Expert, Some(30.0), 1),
        level("8x10 Evil", Level::Evil, None, 1),
    ]
}

/// Measures the rows whose names contain `only`.
pub fn run(count: u32, only: &str) {
    println!(
        "{:<24} {:>7} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}",
        "what", "puzzles", "p50 ms", "p90 ms", "max ms", "tries", "p50 ≤", "p90 ≤"
    );
    for wanted in wanted().into_iter().filter(|wanted| wanted.name.contains(only)) {
        println!("{}", row(&wanted, (count / wanted.one_in).max(1)));
    }
}

fn row(wanted: &Wanted, count: u32) -> String {
    let (mut times, mut tries, mut missed) = (Vec::new(), 0, 0);
    let begun = worked();
    for index in 0..count {
        let start = worked();
        match make(&wanted.spec, SEED, index) {
            Some((made_after, _)) => {
                tries += made_after;
                times.push(worked() - start);
            }
            None => missed += 1,
        }
        if worked() - begun > ROW_MAX {
            break;
        }
    }
    times.sort_unstable();
    let at = |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1)));
    let ms = |time: Option<&Duration>| time.map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0);
    let (p50, p90, max) = (ms(at(50)), ms(at(90)), ms(times.last()));
    let bound = |bound: Option<f64>, found: f64| match bound {
        None => "-".to_owned(),
        Some(bound) if found <= bound => format!("{bound} met"),
        Some(bound) => format!("{bound} MISSED"),
    };
    let note = if missed == 0 { String::new() } else { format!("  ({missed} not made)") };
    format!(
        "{:<24} {:>7} {p50:>9.2} {p90:>9.2} {max:>9.1} {:>9.2} {:>8} {:>8}{note}",
        wanted.name,
        times.len(),
        f64::from(tries) / times.len() as f64,
        bound(wanted.p50_max, p50),
        bound(wanted.p90_max, p90)
    )
}
