//! Compares the engine with peers. `peers sudoku [--json] [FILE…]` compares solving with the crate `sudoku`; without
//! files, it uses the sets in `data`, and also compares the making of puzzles. `peers sudoku-avx2 [FILE…]` compares solving on the
//! kernel for AVX2. `peers batch [FILE…]` counts solutions with the engine alone, for callgrind. A file has one Sudoku per line.
//! `peers queue` compares the queue. `peers kakuro …` measures Kakuro, and exports puzzles and times for peers that are not
//! written in Rust.

mod kakuro;
mod making;
mod measure;
mod queue;
mod uniqueness;

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use puzzled_engine::sudoku::kernel::Kernel;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    arguments.retain(|argument| argument != "--json");
    let outcome = match arguments.split_first() {
        Some((command, files)) if command == "sudoku" => compare(files, json),
        Some((command, files)) if command == "sudoku-avx2" => {
            avx2().and_then(|kernel| compare_solving(files, json, kernel))
        }
        Some((command, files)) if command == "batch" => batch(files),
        Some((command, arguments)) if command == "kakuro" => kakuro::run(arguments),
        Some((command, arguments)) if command == "queue" => queue::run(arguments),
        _ => Err(io::Error::other(format!(
            "usage: peers sudoku [--json] [FILE…] | peers sudoku-avx2 [--json] [FILE…] | peers batch [FILE…] | {} | {}",
            kakuro::USAGE,
            queue::USAGE
        ))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(files: &[String], json: bool) -> io::Result<()> {
    compare_solving(files, json, Kernel::fastest())?;
    if files.is_empty() {
        making::compare(&puzzles(&data().join("random_minimal.txt"))?, |row| show(&row, json));
    }
    Ok(())
}

fn compare_solving(files: &[String], json: bool, kernel: Kernel) -> io::Result<()> {
    if !json {
        println!("{}", measure::HEADLINE);
    }
    for file in sets(files)? {
        show(&uniqueness::compare(&name(&file), &puzzles(&file)?, kernel), json);
    }
    Ok(())
}

fn show(row: &measure::Row, json: bool) {
    println!("{}", if json { row.json() } else { row.text() });
}

fn avx2() -> io::Result<Kernel> {
    let kernel = Kernel::all().into_iter().find(|kernel| kernel.name() == "avx2");
    kernel.ok_or_else(|| io::Error::other("this processor has no AVX2"))
}

/// Counts the solutions of each puzzle once, and prints the total.
fn batch(files: &[String]) -> io::Result<()> {
    for file in sets(files)? {
        println!("{}: {} solutions up to two", name(&file), uniqueness::ours(&puzzles(&file)?, Kernel::fastest()));
    }
    Ok(())
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The given files, or all sets in `data` ordered by name.
fn sets(files: &[String]) -> io::Result<Vec<PathBuf>> {
    if !files.is_empty() {
        return Ok(files.iter().map(PathBuf::from).collect());
    }
    let mut files = fs::read_dir(data())?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

fn name(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The first 81 characters of each line that is long enough.
fn puzzles(file: &Path) -> io::Result<Vec<String>> {
    let text = fs::read_to_string(file)?;
    let puzzles: Vec<_> = text.lines().filter_map(|line| line.get(..81).map(str::to_owned)).collect();
    if puzzles.is_empty() { Err(io::Error::other(format!("no puzzles in {}", file.display()))) } else { Ok(puzzles) }
}
