//! Times of Simon Tatham's `sgt-solo`, which makes Sudoku of several sizes and rules. Debian has it in the package `sgt-puzzles`.

use std::{
    fs,
    io::Read as _,
    process::{Child, Command, Stdio},
};

use puzzled_engine::shared::level::Level;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// The parameters of each variant: the sides of a box, or the side of a board with regions. `x` adds the diagonals.
const VARIANTS: [(&str, &str); 10] = [
    ("sudoku 4x4", "2x2"),
    ("sudoku 6x6", "2x3"),
    ("sudoku 8x8", "2x4"),
    ("sudoku 9x9-x", "3x3x"),
    ("sudoku 10x10", "2x5"),
    ("sudoku 12x12", "3x4"),
    ("sudoku 16x16", "4x4"),
    ("jigsaw 6x6", "6j"),
    ("jigsaw 7x7", "7j"),
    ("jigsaw 9x9", "9j"),
];

/// The processor milliseconds after which a run is long enough for a mean.
const MS_MIN: f64 = 500.0;

/// The numbers of puzzles of the runs, one after the other. One puzzle is too few for a mean: times within a tier differ a hundredfold.
const COUNTS: [u32; 6] = [1, 4, 16, 64, 256, 1_024];

/// Runs the program for at most a minute of processor time. Debian installs games in `/usr/games`.
const SCRIPT: &str = "PATH=$PATH:/usr/games; ulimit -t 60; exec sgt-solo --generate \"$0\" \"$1\"";

/// The mean processor milliseconds for one puzzle of the nearest tier. `None` if the program is not installed, lacks the variant, or
/// takes more than a minute. Its tiers and our levels have different techniques.
pub(crate) fn mean_ms(variant: &str, level: Level) -> Option<f64> {
    let (_, params) = VARIANTS.iter().find(|(known, _)| *known == variant)?;
    let tier = match level {
        Level::Easy => "t",
        Level::Medium => "b",
        Level::Hard => "i",
        Level::Expert => "a",
        Level::Evil => "u",
    };
    let params = format!("{params}d{tier}");
    // The program takes longer to start than to make a 4×4, so this run measures the start.
    let start = run_ms(1, "2x2dt")?;
    let mut mean = None;
    for count in COUNTS {
        let ms = run_ms(count, &params)? - start;
        mean = Some(ms / f64::from(count));
        if ms > MS_MIN {
            break;
        }
    }
    mean
}

/// The processor milliseconds of a run that makes `count` puzzles.
fn run_ms(count: u32, params: &str) -> Option<f64> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, &count.to_string(), params]).stdout(Stdio::piped()).stderr(Stdio::null());
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
