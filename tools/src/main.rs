//! Searches for starters, sorts the engine's table of starters, fits its model of solving times, and compares its
//! ratings with those of other programs. Each command prints its result. `seconds` and `table` (without files) fail if
//! the engine contains another result, and `against` fails if the ratings differ. GOAL is part of the name of a
//! technique, or of a half point such as `3.0 to 3.4`. FILE is the output of a search, and A.csv is the output of
//! `puzzled rate --format csv`.
//!
//! `cargo run --release -p puzzled-tools -- COMMAND`, on one thread:
//!
//! | command | what | time |
//! |---|---|---|
//! | `patterns [GOAL]` | starters of techniques up to single chains, and of ER 3.0 to 6.4 | more than an hour |
//! | `hard-chains [GOAL]` | starters of hard chains, ER 8.0 to 8.4 | an hour |
//! | `above-9-4` | starters of ER 9.5 to 10.4 | an hour |
//! | `table [FILE …]` | the engine's `starters/table.txt` with the starters of the files | minutes |
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
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let found = match args[..] {
        ["patterns"] => search::find(""),
        ["patterns", goal] => search::find(goal),
        ["hard-chains"] => few_digits::find(""),
        ["hard-chains", goal] => few_digits::find(goal),
        ["above-9-4"] => plus::find(),
        ["table", ref files @ ..] => table::print(files),
        ["seconds"] => seconds::fit(),
        ["against", ours, theirs] => against::compare(ours, theirs),
        _ => Err("usage: puzzled-tools patterns [GOAL] | hard-chains [GOAL] | above-9-4 | table [FILE …] | seconds | against A.csv B.csv"
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
