//! Compares requests, which use steering or starters, with plain tries: processor seconds per puzzle for each level,
//! each half point of ER (such as 9.5 to 9.9) up to 10.4, and each technique. Requests use the style of their level.
//!
//! `cargo bench --bench hits -- [--seconds N] [--only TEXT]`
//!
//! Each goal gets `--seconds` of processor time (default 5) and at most 300 puzzles. All goals share one sample of plain tries,
//! which takes twelve times `--seconds`.
//!
//! Other tables, each with the number of puzzles, at most six, that one core makes in 60 seconds (`--seconds`):
//!
//! - `--rare`: every half point and technique, in its style and without one, and the smallest numbers of givens;
//! - `--givens`: for each level, the smallest and the largest number of givens with which it makes six, without a symmetry;
//! - `--boards`: for each level, the boards of Kakuro up to 6x6 on which it makes six.
//!
//! `--layouts N` measures N Kakuros of each level of the variants that `--only` names, by default `8x10,10x10,12x12`.

mod goals;
mod layouts;
mod limits;
mod plain;
mod rare;

use std::{hint::black_box, sync::atomic::AtomicBool};

use goals::Goal;
use plain::{Plain, PlainHits};
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        budget::Budget,
        job_index::NODES_PER_TRY,
        kind::PuzzleKind,
        rng::{Rng, TrySeed},
        spec::Spec,
        tries::Try,
    },
    sudoku::Sudoku,
};
use rustix::time::{ClockId, clock_gettime};

/// The maximum number of puzzles per goal; enough for a mean.
const HITS_MAX: usize = 300;

/// The wanted ratio of plain to steered seconds, and the plain tries per hit above which this ratio is wanted.
const WANTED: (f64, f64) = (5.0, 20.0);

/// The number of puzzles at which a goal is not rare.
const ENOUGH: u32 = 6;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let seconds = value("--seconds").map(|value| value.parse().expect("a number of seconds"));
    let only = value("--only").map_or("", String::as_str);
    let has = |name: &str| args.iter().any(|arg| arg == name);
    if let Some(count) = value("--layouts") {
        let variants = if only.is_empty() { "8x10,10x10,12x12" } else { only };
        return layouts::print(count.parse().expect("a number of puzzles"), variants);
    }
    match () {
        () if has("--rare") => rare::print(seconds.unwrap_or(60.0), only),
        () if has("--givens") => limits::print_givens(seconds.unwrap_or(60.0), only),
        () if has("--boards") => limits::print_boards(seconds.unwrap_or(60.0), only),
        () => print_all(seconds.unwrap_or(5.0), only),
    }
}

fn print_all(seconds: f64, only: &str) {
    let plain = Plain::sample(seconds * 12.0);
    println!("{} plain tries; {seconds} s a goal", plain.tries());
    println!(
        "{:<38}{:>6}{:>7}{:>15}{:>17}{:>13}{:>8}",
        "goal", "hits", "tries", "steered s/hit", "plain tries/hit", "plain s/hit", "ratio"
    );
    for goal in goals::all().iter().filter(|goal| goal.name.contains(only)) {
        println!("{}", row(goal, &plain, seconds));
    }
}

fn row(goal: &Goal, plain: &Plain, seconds: f64) -> String {
    let (hits, tried, steered) = steered(goal, seconds);
    let PlainHits { is_bound, tries, seconds } = plain.hits(goal);
    let sign = if is_bound { ">" } else { "" };
    let ratio = seconds / steered;
    let remark = match (hits, ratio < WANTED.0 && tries > WANTED.1) {
        (0, _) => "  none made",
        (_, true) => "  below 5",
        (_, false) => "",
    };
    let at_least = if hits == 0 { ">" } else { "" };
    format!(
        "{:<38}{hits:>6}{tried:>7}{:>15}{:>17}{:>13}{:>8}{remark}",
        goal.name,
        format!("{at_least}{steered:.5}"),
        format!("{sign}{tries:.1}"),
        format!("{sign}{seconds:.5}"),
        format!("{sign}{ratio:.1}"),
    )
}

/// The number of hits and of tries, and the seconds per hit; without a hit, all seconds. The seconds leave out
/// everything in the record except the rating, because a plain try has no record.
fn steered(goal: &Goal, seconds: f64) -> (u32, u32, f64) {
    let (start, mut made, mut tries) = (cpu_seconds(), Vec::new(), 0);
    while made.len() < HITS_MAX && cpu_seconds() - start < seconds {
        if let Try::Made(hit) = one_try(&Sudoku, &goal.spec, tries) {
            made.push(hit.text);
        }
        tries += 1;
    }
    let (all, start) = (cpu_seconds() - start, cpu_seconds());
    for text in &made {
        black_box(Sudoku.reason("9x9", text, &mut Budget::of_nodes(NODES_PER_TRY)).is_ok());
    }
    let (to_record, start) = (cpu_seconds() - start, cpu_seconds());
    for text in &made {
        black_box(plain::rate(text));
    }
    // The record includes the rating. A plain try is rated too, so only the rest of the record is subtracted.
    let to_rate = cpu_seconds() - start;
    let to_make = (all - (to_record - to_rate).max(0.0)).max(0.0);
    let hits = u32::try_from(made.len()).expect("some hundred");
    (hits, tries, to_make / f64::from(hits.max(1)))
}

/// The try with this number of a fixed seed.
fn one_try(kind: &dyn PuzzleKind, spec: &Spec, try_number: u32) -> Try {
    let seed = TrySeed { seed: 7, spec: spec.fingerprint(), index: 0, try_number, engine_version: ENGINE_VERSION };
    kind.make(spec, &mut Rng::for_try(seed), &mut Budget::new(NODES_PER_TRY, &AtomicBool::new(false)))
}

/// The number of puzzles, at most [`ENOUGH`], the number of tries, and the processor seconds.
fn made(seconds: f64, mut one_try: impl FnMut(u32) -> Try) -> (u32, u32, f64) {
    let (start, mut made, mut tries) = (cpu_seconds(), 0, 0);
    loop {
        made += u32::from(matches!(one_try(tries), Try::Made(_)));
        tries += 1;
        let spent = cpu_seconds() - start;
        if made == ENOUGH || spent >= seconds {
            return (made, tries, spent);
        }
    }
}

/// Processor time of this thread in seconds. Other work on the machine hardly affects it.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    seconds
}
