//! Times of programs of Simon Tatham's collection, which Debian has in the package `sgt-puzzles`. `times.toml` of each kind in
//! `tests/data/kinds` names the program of a variant.

use std::{
    fs,
    io::Read as _,
    process::{Child, Command, Stdio},
};

use puzzled_engine::shared::level::Level;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// The name of a program, its parameters for the smallest puzzle, and the letters of the tiers nearest to our levels, easiest first.
type Program = (&'static str, &'static str, [&'static str; 5]);

const PROGRAMS: [Program; 5] = [
    ("sgt-solo", "2x2dt", ["t", "b", "i", "a", "u"]),
    ("sgt-unequal", "3dt", ["t", "e", "k", "x", "r"]),
    // Its easy tier counts zeros and ones and its normal tier completes lines, as our levels easy and medium. It has no harder tier.
    ("sgt-unruly", "6x6dt", ["e", "n", "n", "n", "n"]),
    ("sgt-keen", "3de", ["e", "n", "h", "x", "u"]),
    // It has four tiers.
    ("sgt-towers", "3de", ["e", "h", "x", "u", "u"]),
];

/// The processor milliseconds after which a run is long enough for a mean.
const MS_MIN: f64 = 500.0;

/// The numbers of puzzles of the runs, one after the other. One puzzle is too few for a mean: times within a tier differ a hundredfold.
const COUNTS: [u32; 6] = [1, 4, 16, 64, 256, 1_024];

/// Runs the program for at most a minute of processor time. Debian installs games in `/usr/games`.
const SCRIPT: &str = "PATH=$PATH:/usr/games; ulimit -t 60; exec \"$0\" --generate \"$1\" \"$2\"";

/// The mean processor milliseconds for one puzzle of the nearest tier. `params` are the sides of a box or of the board, and letters for
/// rules. `None` if the program is not installed, or takes more than a minute. Its tiers and our levels have different techniques.
pub(crate) fn mean_ms(program: &str, params: &str, level: Level) -> Option<f64> {
    let known = PROGRAMS.iter().find(|(name, ..)| *name == program);
    let (name, smallest, tiers) = known.unwrap_or_else(|| panic!("{program} has no row in PROGRAMS"));
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
