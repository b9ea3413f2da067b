//! Processor milliseconds for one made puzzle of each variant and level of the grid layer, in the style of the level. The time of a
//! puzzle includes the tries that missed before it, both proofs, the canonical form, and the rating.
//!
//! `cargo bench --bench grid -- [--puzzles N] [--only TEXT]`
//!
//! Each level gets `--puzzles` puzzles (default 200) and at most 20 seconds. The column `wanted` is the p90 that is wanted. The last two
//! columns are the mean time of Simon Tatham's program where it has the variant, and how many times as long as ours it is. Its tiers
//! and our levels are other techniques, so compare the order of magnitude only.
//!
//! A second table has the proofs and ratings of 50 hard killers. `--only "cages of 3 to 5"` prints only this table.

mod large_cages;
mod tatham;

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    registry,
    shared::{
        criteria::Criteria,
        job_index::{JobIndex, one_try},
        kind::PuzzleKind,
        level::Level,
        spec::Spec,
        tries::Try,
        variant::VariantInfo,
    },
};
use rustix::time::{ClockId, clock_gettime};

/// The rater of the layer, by which its variants are found.
const RATER: &str = "puzzled-grid";

/// The most processor time for one level.
const MS_MAX: f64 = 20_000.0;

/// The wanted p90 of each level, easiest first.
const WANTED: [(&str, &[f64]); 20] = [
    ("sudoku 4x4", &[0.1]),
    ("sudoku 6x6", &[0.2, 10.0, 20.0]),
    ("sudoku 8x8", &[0.4, 2.0, 35.0, 40.0, 10.0]),
    ("sudoku 9x9-x", &[0.8, 2.0, 12.0, 40.0, 15.0]),
    ("sudoku 9x9-windoku", &[0.8, 2.0, 12.0, 40.0, 15.0]),
    ("sudoku 10x10", &[0.8, 2.0, 20.0, 100.0, 12.0]),
    ("sudoku 12x12", &[2.0, 4.0, 16.0, 100.0, 25.0]),
    ("sudoku 16x16", &[6.0, 10.0, 25.0, 200.0, 120.0]),
    ("star_battle 6x6", &[1.2, 0.5, 4.0, 35.0, 12.0]),
    ("star_battle 8x8", &[10.0, 6.0, 9.0, 20.0, 40.0]),
    ("star_battle 10x10", &[90.0, 60.0, 60.0, 100.0, 170.0]),
    ("jigsaw 6x6", &[0.5, 2.0, 20.0]),
    ("jigsaw 9x9", &[3.0, 4.0, 12.0, 50.0, 20.0]),
    ("killer 6x6", &[1.0, 4.0, 12.0, 60.0]),
    ("killer 9x9", &[12.0, 8.0, 12.0, 60.0, 110.0]),
    ("futoshiki 7x7", &[3.0, 4.0, 18.0, 45.0]),
    ("binairo 10x10", &[5.0, 8.0, 25.0, 250.0]),
    ("binairo 8x8-signs", &[5.0, 8.0, 40.0]),
    ("calcudoku 6x6", &[60.0; 4]),
    ("calcudoku 8x8", &[250.0; 4]),
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let puzzles = value("--puzzles").map_or(200, |value| value.parse().expect("a number of puzzles"));
    let only = value("--only").map_or("", String::as_str);
    println!(
        "{:<24}{:<8}{:>8}{:>8}{:>10}{:>10}{:>10}{:>8}{:>12}{:>8}",
        "variant", "level", "puzzles", "hits %", "mean ms", "p50 ms", "p90 ms", "wanted", "Tatham ms", "ratio"
    );
    for kind in registry::kinds() {
        for info in kind.variants().iter().filter(|info| info.rater == RATER) {
            for (at, level) in info.levels.iter().map(|border| border.level).enumerate() {
                let name = format!("{} {}", kind.name(), info.name);
                if format!("{name} {}", level.name()).contains(only) {
                    let wanted = WANTED.iter().find(|(known, _)| *known == name).and_then(|(_, wanted)| wanted.get(at));
                    print(*kind, info, level, puzzles, wanted);
                }
            }
        }
    }
    if "killer cages of 3 to 5".contains(only) {
        large_cages::print();
    }
}

fn print(kind: &dyn PuzzleKind, info: &VariantInfo, level: Level, puzzles: usize, wanted: Option<&f64>) {
    let criteria = Criteria { variant: Some(info.name.to_owned()), level: Some(level), ..Criteria::default() };
    let spec = criteria.spec(kind).expect("a level of the variant");
    let (times, tries) = times(kind, &spec, puzzles);
    let [count, tries] = [times.len(), tries].map(|count| f64::from(u32::try_from(count).expect("some thousands")));
    let (name, mean) = (format!("{} {}", kind.name(), info.name), times.iter().sum::<f64>() / count);
    let peer = tatham::mean_ms(&name, level).map(|theirs| format!("{theirs:>12.3}{:>8.2}", theirs / mean));
    println!(
        "{name:<24}{:<8}{count:>8}{:>8.1}{mean:>10.3}{:>10.3}{:>10.3}{:>8}{}",
        level.name(),
        100.0 * count / tries,
        percentile(&times, 50),
        percentile(&times, 90),
        wanted.map_or_else(String::new, f64::to_string),
        peer.unwrap_or_default(),
    );
}

/// The milliseconds of each puzzle, in increasing order, and the number of tries.
fn times(kind: &dyn PuzzleKind, spec: &Spec, puzzles: usize) -> (Vec<f64>, usize) {
    let (at, never) = (JobIndex { kind, spec, seed: 1, index: 0 }, AtomicBool::new(false));
    let (start, mut times, mut tries) = (cpu_ms(), Vec::new(), 0_u32);
    let mut last = start;
    while times.len() < puzzles && cpu_ms() - start < MS_MAX {
        let ended = one_try(&at, tries, &never);
        tries += 1;
        if let Try::Made(_) = ended {
            let now = cpu_ms();
            times.push(now - last);
            last = now;
        }
    }
    times.sort_by(f64::total_cmp);
    (times, usize::try_from(tries).expect("some thousands"))
}

/// The time that so many percent of the times do not exceed. The times are in increasing order.
fn percentile(times: &[f64], percent: usize) -> f64 {
    times.get(times.len() * percent / 100).or(times.last()).copied().unwrap_or(f64::NAN)
}

/// The processor time of this thread. On a busy machine, wall-clock time is misleading.
#[expect(clippy::cast_precision_loss, reason = "milliseconds of a process are far below the precision of a float")]
fn cpu_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
