//! Measures how long the kernel and the constraint core take to count the solutions, up to two, of Kakuros in files,
//! one puzzle in each.

use std::{fs, hint::black_box, io, path::Path, sync::atomic::AtomicBool};

use puzzled_engine::{
    kakuro::{board::Puzzle, core, notation::text::parse, solver},
    shared::budget::Budget,
};

use super::make::worked;

/// Number of counts; the result is their median time.
const PASSES: usize = 101;

/// Prints one line per file, separated by tabs: name, white cells, solutions up to two, and the microseconds of the kernel and of
/// the constraint core.
pub fn run(files: &[String]) -> io::Result<()> {
    for file in files {
        let text = fs::read_to_string(file)?;
        let puzzle = parse(&text).map_err(|error| io::Error::other(format!("{file}: {error:?}")))?;
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        let (count, kernel) = median(PASSES, || count(&puzzle, solver::solutions));
        let (again, core) = median(PASSES / 20, || count_by_core(&puzzle));
        assert_eq!(count, again, "{file}: numbers of solutions by kernel and core");
        println!("{name}\t{}\t{count}\t{kernel:.1}\t{core:.1}", puzzle.layout().cells().len());
    }
    Ok(())
}

fn count(
    puzzle: &Puzzle,
    solutions: impl Fn(&Puzzle, usize, &mut Budget<'_>) -> Result<Vec<Vec<u8>>, puzzled_engine::shared::budget::OutOfBudget>,
) -> usize {
    let never = AtomicBool::new(false);
    solutions(puzzle, 2, &mut Budget::new(u64::MAX, &never)).expect("a budget without end").len()
}

fn count_by_core(puzzle: &Puzzle) -> usize {
    count(puzzle, core::solutions)
}

/// The result of the work, and the median of its times in microseconds.
fn median(passes: usize, mut work: impl FnMut() -> usize) -> (usize, f64) {
    let mut times = Vec::new();
    let mut found = 0;
    for _ in 0..passes.max(1) {
        let start = worked();
        found = black_box(work());
        times.push(worked() - start);
    }
    times.sort_unstable();
    (found, times[times.len() / 2].as_secs_f64() * 1e6)
}
