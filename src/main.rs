//! The `puzzled` program: runs the command line of the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    puzzled::operate::run(std::env::args_os())
}
