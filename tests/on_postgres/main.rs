//! Runs the tests of other targets that need PostgreSQL. In their own targets, these tests are always ignored, because
//! the standard harness cannot decide that at run time. This target runs them, or reports them as ignored if there is
//! no server.
#![expect(clippy::unwrap_used, reason = "a test without the usual harness is not known as one")]

#[path = "../support"]
mod databases {
    mod binaries;
    pub(crate) mod presence;
}

use std::{
    env,
    process::{Command, ExitCode},
};

use libtest_mimic::{Arguments, Failed, Trial};

/// Test targets of the workspace all of whose ignored tests need `PostgreSQL`, the longest first.
const TARGETS: [&str; 6] = ["durability", "api", "cli", "drills", "ops", "simulation"];

fn main() -> ExitCode {
    // Two at once, because they wait for the server more than they compute.
    let arguments = Arguments { test_threads: Some(2), ..Arguments::from_args() };
    let is_ignored = !databases::presence::is_expected();
    let trial = |target| Trial::test(target, move || run_ignored(target)).with_ignored_flag(is_ignored);
    libtest_mimic::run(&arguments, TARGETS.map(trial).into()).exit_code()
}

/// Runs the ignored tests of a target, which Cargo has just built.
fn run_ignored(target: &str) -> Result<(), Failed> {
    let mut cargo = Command::new(env!("CARGO"));
    // Cargo told this test about its own package. A build script of a dependency would see other values than before and
    // run again, and nearly everything would be compiled twice.
    let is_of_package =
        |name: &str| name == "OUT_DIR" || ["CARGO_MANIFEST_", "CARGO_PKG_"].iter().any(|of| name.starts_with(of));
    for (variable, _) in env::vars_os() {
        if variable.to_str().is_some_and(is_of_package) {
            cargo.env_remove(variable);
        }
    }
    // Without `-p`: for one package, Cargo would choose other features and compile its dependencies again, too.
    let folder = env!("CARGO_MANIFEST_DIR");
    cargo.current_dir(folder).args(["test", "--locked", "--test", target, "--", "--ignored"]);
    let ran = cargo.output().unwrap();
    if ran.status.success() {
        return Ok(());
    }
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Err(format!("{out}{err}").into())
}
