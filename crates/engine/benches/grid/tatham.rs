//! Times of Simon Tatham's `sgt-solo`, which makes Sudoku of several sizes and rules and killers, `sgt-unequal`, which makes futoshiki,
//! `sgt-unruly`, which makes binairos, and `sgt-keen`, which makes calcudoku. Debian has them in the package `sgt-puzzles`.

use std::{
    fs,
    io::Read as _,
    process::{Child, Command, Stdio},
};

use puzzled_engine::shared::level::Level;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// A program, its parameters for the smallest puzzle, and the letters of the tiers nearest to our levels, easiest first.
type Program = (&'static str, &'static str, [&'static str; 5]);

const SOLO: Program = ("sgt-solo", "2x2dt", ["t", "b", "i", "a", "u"]);
const UNEQUAL: Program = ("sgt-unequal", "3dt", ["t", "e", "k", "x", "r"]);
/// Its easy tier counts zeros and ones and its normal tier completes lines, as our levels easy and medium. It has no harder tier.
const UNRULY: Program = ("sgt-unruly", "6x6dt", ["e", "n", "n", "n", "n"]);
const KEEN: Program = ("sgt-keen", "3de", ["e", "n", "h", "x", "u"]);

/// The program of each variant and its parameters: the sides of a box, or the side of the board. `j` stands for regions, `x` for
/// diagonals, `k` for cages, `u` for unlike lines.
const VARIANTS: [(&str, Program, &str); 26] = [
    ("sudoku 4x4", SOLO, "2x2"),
    ("sudoku 6x6", SOLO, "2x3"),
    ("sudoku 8x8", SOLO, "2x4"),
    ("sudoku 9x9-x", SOLO, "3x3x"),
    ("sudoku 10x10", SOLO, "2x5"),
    ("sudoku 12x12", SOLO, "3x4"),
    ("sudoku 16x16", SOLO, "4x4"),
    ("jigsaw 6x6", SOLO, "6j"),
    ("jigsaw 7x7", SOLO, "7j"),
    ("jigsaw 9x9", SOLO, "9j"),
    ("killer 6x6", SOLO, "2x3k"),
    ("killer 9x9", SOLO, "3x3k"),
    ("killer 9x9-x", SOLO, "3x3xk"),
    ("futoshiki 4x4", UNEQUAL, "4"),
    ("futoshiki 5x5", UNEQUAL, "5"),
    ("futoshiki 6x6", UNEQUAL, "6"),
    ("futoshiki 7x7", UNEQUAL, "7"),
    ("futoshiki 9x9", UNEQUAL, "9"),
    ("binairo 6x6", UNRULY, "6x6u"),
    ("binairo 8x8", UNRULY, "8x8u"),
    ("binairo 10x10", UNRULY, "10x10u"),
    ("calcudoku 4x4", KEEN, "4"),
    ("calcudoku 5x5", KEEN, "5"),
    ("calcudoku 6x6", KEEN, "6"),
    ("calcudoku 7x7", KEEN, "7"),
    ("calcudoku 8x8", KEEN, "8"),
];

/// The processor milliseconds after which a run is long enough for a mean.
const MS_MIN: f64 = 500.0;

/// The numbers of puzzles of the runs, one after the other. One puzzle is too few for a mean: times within a tier differ a hundredfold.
const COUNTS: [u32; 6] = [1, 4, 16, 64, 256, 1_024];

/// Runs the program for at most a minute of processor time. Debian installs games in `/usr/games`.
const SCRIPT: &str = "PATH=$PATH:/usr/games; ulimit -t 60; exec \"$0\" --generate \"$1\" \"$2\"";

/// The mean processor milliseconds for one puzzle of the nearest tier. `None` if the program is not installed, lacks the variant, or
/// takes more than a minute. Its tiers and our levels have different techniques.
pub(crate) fn mean_ms(variant: &str, level: Level) -> Option<f64> {
    let (_, program, params) = VARIANTS.iter().find(|(known, ..)| *known == variant)?;
    let (name, smallest, tiers) = program;
    let params = format!("{params}d{}", tiers[level as usize]);
    // The program takes longer to start than to make its smallest puzzle, so this run measures the start.
    let start = run_ms(name, 1, smallest)?;
    let mut mean = None;
    for count in COUNTS {
        let ms = run_ms(name, count, &params)? - start;
        mean = Some(ms / f64::from(count));
        if ms > MS_MIN {
            break;
        }
    }
    mean
}

/// The processor milliseconds of a run that makes `count` puzzles.
fn run_ms(program: &str, count: u32, params: &str) -> Option<f64> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, program, &count.to_string(), params]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a shell");
    let ms = ms_of(&mut child);
    child.wait().expect("a process that was started").success().then_some(ms)
}

/// The processor milliseconds of a process until its end. Linux keeps them until the parent waits for the process.
#[expect(clippy::cast_precision_loss, reason = "nanoseconds of a minute are far below the precision of a float")]
fn ms_of(child: &mut Child) -> f64 {
    child.stdout.take().expect("a pipe").read_to_end(&mut Vec::new()).expect("puzzles");
    let id = Pid::from_child(child);
    waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).expect("a process that was started");
    let times = fs::read_to_string(format!("/proc/{}/schedstat", child.id())).expect("the times of the process");
    let nanos: u64 = times.split(' ').next().and_then(|first| first.parse().ok()).expect("a number first");
    nanos as f64 / 1e6
}
