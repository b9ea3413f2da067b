//! Tests of the command line: each runs the real binary without environment variables of the machine. Also the helpers
//! that run it.
#![cfg(test)]

#[path = "../support"]
mod databases {
    mod binaries;
    mod cluster;
    pub(crate) mod incompatible_schema;
    pub(crate) mod kinds;
    pub(crate) mod next_schema;
    pub(crate) mod postgres;
}
mod actions;
mod ages;
mod answers;
mod bench;
mod completions;
mod copy;
mod data_sets;
mod declare;
mod doctor;
mod enqueue;
mod export;
#[path = "../support/files.rs"]
mod files;
mod frozen;
#[path = "../support/frozen_list.rs"]
mod frozen_list;
mod generate;
mod golden;
#[path = "../support/golden_file.rs"]
mod golden_file;
mod histories;
mod imports;
mod json;
mod kakuro;
mod keeping;
mod kinds;
mod logs;
mod on_postgres;
mod ops;
mod prelude;
mod print;
mod protos;
mod puzzles;
mod rate;
mod released;
mod reload;
mod rerate;
mod restore;
#[path = "../support/running.rs"]
mod running;
mod serve;
mod settings;
mod systemd;
mod tables;
mod unopened;
mod unusable;
mod upgrade;
mod version;

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use running::puzzled;

/// A small size for every day, or the full one where `PUZZLED_SOAK` is set, as `.ci/soak` does.
#[expect(clippy::disallowed_methods, reason = "the environment says so to the tests")]
fn sized(sample: u32, full: u32) -> u32 {
    if std::env::var("PUZZLED_SOAK").is_ok() { full } else { sample }
}

/// What it printed, with its exit code.
struct Ran {
    out: String,
    err: String,
    code: Option<i32>,
}

fn ran(output: Output) -> Ran {
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

fn run(args: &str) -> Ran {
    ran(puzzled(args).output().unwrap())
}

fn run_with_input(args: &str, input: &str) -> Ran {
    with_input(&mut puzzled(args), input)
}

fn with_input(command: &mut Command, input: &str) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
    let writer = std::thread::spawn(move || {
        // A command that has seen enough may hang up.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    ran(output)
}
