//! Recomputes the engine's table of starters, fits its model of solving times, and compares ratings with those of other
//! programs. Each command prints its result, and fails if the engine contains another one, or if the ratings differ. SECTION is
//! a heading of `crates/engine/src/sudoku/make/starters/table.txt`. A.csv is the output of `puzzled rate --format csv`.
//!
//! `cargo run --release -p puzzled-tools -- COMMAND`, on one thread:
//!
//! | command | what | time |
//! |---|---|---|
//! | `patterns [SECTION]` | starters of techniques up to single chains, and of ER 3.0 to 6.4 | more than an hour |
//! | `hard-chains` | starters of hard chains, ER 8.0 to 8.4 | an hour |
//! | `above-9-4` | starters of ER 9.5 to 10.4 | an hour |
//! | `seconds` | the model of solving times | ten seconds |
//! | `against A.csv B.csv` | the ratings of A next to those of another program | a second |

mod against;
mod common;
mod dynamic;
mod few_digits;
mod masks;
mod plus;
mod search;
mod seconds;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let found = match args[..] {
        ["patterns"] => search::find(""),
        ["patterns", section] => search::find(section),
        ["hard-chains"] => few_digits::find(),
        ["above-9-4"] => plus::find(),
        ["seconds"] => seconds::fit(),
        ["against", ours, theirs] => against::compare(ours, theirs),
        _ => Err("usage: puzzled-tools patterns [SECTION] | hard-chains | above-9-4 | seconds | against A.csv B.csv"
            .to_owned()),
    };
    match found {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}
