//! Measures how many puzzles one thread rates per second of processor time, for each band of ER. The puzzles are those
//! of `sudoku_ratings.csv`. Before it measures a band, the bench rates each puzzle once and compares ER, EP, and ED
//! with the file.
//!
//! `cargo bench --bench ratings -- [--seconds N] [--band 9.0]`. With `--band`, measures only the band with this ER.

use std::{hint::black_box, sync::atomic::AtomicBool};

use puzzled_engine::{
    shared::budget::Budget,
    sudoku::{
        board::Grid,
        rate::rating::{NODES_PER_RATING_MAX, Outcome, outcome},
    },
};
use rustix::time::{ClockId, clock_gettime};

/// The columns are puzzle, solution, clues, ER, EP, ED, and more.
const REFERENCE: &str = include_str!("../tests/data/sudoku_ratings.csv");

/// The hardest ER of each band in tenths, and the wanted ratings per second, if there is a goal.
const BANDS: [(u16, Option<u32>); 8] = [
    (25, Some(20_000)),
    (44, None),
    (65, None),
    (71, Some(2_000)),
    (84, None),
    (90, Some(100)),
    (99, None),
    (u16::MAX, None),
];

/// A puzzle with its ER, EP, and ED in tenths.
struct Rated {
    puzzle: Grid,
    ratings: [u16; 3],
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let given = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let seconds: f64 = given("--seconds").map_or(3.0, |value| value.parse().expect("a number of seconds"));
    let only = given("--band").map(|er| tenths(er));
    let all: Vec<Rated> = REFERENCE.lines().skip(1).map(read).collect();
    println!("{:<12}{:>9}{:>14}{:>14}{:>11}", "ER", "puzzles", "ratings/s", "wanted", "different");
    let starts = [0].into_iter().chain(BANDS.map(|(hardest, _)| hardest));
    for (easier, (hardest, wanted)) in starts.zip(BANDS) {
        if only.is_some_and(|er| er <= easier || er > hardest) {
            continue;
        }
        let band: Vec<_> = all.iter().filter(|one| one.ratings[0] > easier && one.ratings[0] <= hardest).collect();
        let name = match (easier, hardest) {
            (0, _) => format!("up to {}", shown(hardest)),
            (_, u16::MAX) => format!("{} and up", shown(easier + 1)),
            _ => format!("{} to {}", shown(easier + 1), shown(hardest)),
        };
        let different = band.iter().filter(|one| rate(&one.puzzle) != Some(one.ratings)).count();
        let wanted = wanted.map_or_else(String::new, |wanted| wanted.to_string());
        println!("{name:<12}{:>9}{:>14.1}{wanted:>14}{different:>11}", band.len(), per_second(&band, seconds));
    }
}

/// Ratings per second. Repeats the band until the time is up, and rates it at least once.
fn per_second(band: &[&Rated], seconds: f64) -> f64 {
    let (start, mut ratings) = (cpu_seconds(), 0.0);
    loop {
        for one in band {
            black_box(rate(&one.puzzle));
            ratings += 1.0;
        }
        let taken = cpu_seconds() - start;
        if taken >= seconds {
            return ratings / taken;
        }
    }
}

fn rate(puzzle: &Grid) -> Option<[u16; 3]> {
    let never = AtomicBool::new(false);
    match outcome(puzzle, &mut Budget::new(NODES_PER_RATING_MAX, &never)) {
        Outcome::Rated(ratings) => Some([ratings.er, ratings.ep, ratings.ed].map(|rating| rating.0.into())),
        _ => None,
    }
}

fn read(line: &str) -> Rated {
    let fields: Vec<_> = line.split(',').collect();
    Rated { puzzle: Grid::parse(fields[0]).expect("a puzzle"), ratings: [3, 4, 5].map(|at| tenths(fields[at])) }
}

fn tenths(decimal: &str) -> u16 {
    let tenths = decimal.split_once('.').filter(|(_, tenth)| tenth.len() == 1);
    let tenths = tenths.and_then(|(whole, tenth)| format!("{whole}{tenth}").parse().ok());
    tenths.unwrap_or_else(|| panic!("{decimal}: not a rating with one decimal, such as 9.0"))
}

fn shown(tenths: u16) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Processor time of this thread in seconds. Other work on the machine hardly affects it.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}
