//! Compares the cost of puzzles made with steering or starters with that of plain tries: processor seconds per puzzle
//! for each level, each half point of ER (such as 9.5 to 9.9) up to 10.4, and each technique.
//!
//! `cargo bench --bench hits -- [--seconds N] [--only TEXT]`
//!
//! Each goal gets `--seconds` of processor time (default 5) and at most 300 puzzles. All goals share one sample of
//! plain tries: the bench makes tries for twelve times `--seconds`, and rates them for as long again. The column
//! `stopping` shows plain tries whose rating stops as soon as the puzzle is too hard for the goal.
//!
//! With `--rare`, the bench prints rare goals instead: the number of puzzles, at most six, that each goal yields in 60
//! seconds without starters.

mod goals;
mod plain;
mod rare;

use std::{hint::black_box, sync::atomic::AtomicBool};

use goals::Goal;
use plain::{Plain, PlainHits};
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        attempts::NODES_PER_TRY,
        budget::Budget,
        kind::PuzzleKind as _,
        rng::{Rng, TrySeed},
        tries::{Surplus, Try},
    },
    sudoku::Sudoku,
};
use rustix::time::{ClockId, clock_gettime};

/// Most puzzles per goal; enough for a mean.
const HITS_MAX: usize = 300;

/// The wanted ratio of plain to steered seconds, and the plain tries per hit above which it applies.
const WANTED: (f64, f64) = (5.0, 20.0);

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let seconds = value("--seconds").map(|value| value.parse().expect("a number of seconds"));
    let only = value("--only").map_or("", String::as_str);
    if args.iter().any(|arg| arg == "--rare") {
        return rare::print(seconds.unwrap_or(60.0), only);
    }
    let seconds: f64 = seconds.unwrap_or(5.0);
    let plain = Plain::sample(seconds * 12.0);
    println!("{} plain tries, what they need known of {}; {seconds} s a goal", plain.tries(), plain.tries_with_needs());
    println!(
        "{:<38}{:>6}{:>15}{:>17}{:>13}{:>8}{:>16}{:>8}",
        "goal", "hits", "steered s/hit", "plain tries/hit", "plain s/hit", "ratio", "stopping s/hit", "ratio"
    );
    for goal in goals::all().iter().filter(|goal| goal.name.contains(only)) {
        println!("{}", row(goal, &plain, seconds));
    }
}

fn row(goal: &Goal, plain: &Plain, seconds: f64) -> String {
    let (hits, steered) = steered(goal, seconds);
    let PlainHits { is_bound, tries, seconds, seconds_stopping } = plain.hits(goal);
    let sign = if is_bound { ">" } else { "" };
    let ratio = seconds / steered;
    let remark = match (hits, ratio < WANTED.0 && tries > WANTED.1) {
        (0, _) => "  none made",
        (_, true) => "  below 5",
        (_, false) => "",
    };
    let at_least = if hits == 0 { ">" } else { "" };
    format!(
        "{:<38}{hits:>6}{:>15}{:>17}{:>13}{:>8}{:>16}{:>8}{remark}",
        goal.name,
        format!("{at_least}{steered:.5}"),
        format!("{sign}{tries:.1}"),
        format!("{sign}{seconds:.5}"),
        format!("{sign}{ratio:.1}"),
        format!("{sign}{seconds_stopping:.5}"),
        format!("{sign}{:.1}", seconds_stopping / steered)
    )
}

/// The number of hits, and the seconds per hit. The seconds leave out the proof and everything in the record except the rating,
/// because both ways of generating need the same time for them. Without a hit, all seconds.
fn steered(goal: &Goal, seconds: f64) -> (u32, f64) {
    let never = AtomicBool::new(false);
    let budget = || Budget::new(NODES_PER_TRY, &never);
    let (start, mut made) = (cpu_seconds(), Vec::new());
    for attempt in 0.. {
        let spec = goal.spec.fingerprint();
        let seed = TrySeed { seed: 7, spec, index: 0, attempt, engine_version: ENGINE_VERSION };
        if let Try::Made(hit) = Sudoku.make(&goal.spec, &mut Rng::for_try(seed), &mut budget()) {
            made.push(Surplus { text: hit.text, solution: hit.solution });
        }
        if made.len() == HITS_MAX || cpu_seconds() - start >= seconds {
            break;
        }
    }
    let (all, start) = (cpu_seconds() - start, cpu_seconds());
    for one in &made {
        black_box(Sudoku.finish(one, &mut budget()));
    }
    let (to_finish, start) = (cpu_seconds() - start, cpu_seconds());
    for one in &made {
        black_box(plain::rating(&one.text));
    }
    // A hit is rated once, together with its proof; a plain try is rated too.
    let to_rate = cpu_seconds() - start;
    let to_make = (all - (to_finish - to_rate).max(0.0)).max(0.0);
    let hits = u32::try_from(made.len()).expect("some hundred");
    (hits, to_make / f64::from(hits.max(1)))
}

/// Processor time of this thread in seconds. Other work on the machine hardly affects it.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}
