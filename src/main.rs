//! The `puzzled` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    puzzled::cli::run(std::env::args_os())
}
