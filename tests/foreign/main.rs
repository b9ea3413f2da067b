//! Programs that share no code with this project call the real binary and read what it writes. A test whose program is not
//! installed here is reported as ignored, which only shows at run time.
#![expect(clippy::unwrap_used, reason = "a test without the usual harness is not known as one")]

#[path = "../support/authority.rs"]
mod authority;
mod connect;
mod documented;
mod printing;
#[path = "../support/running.rs"]
#[expect(dead_code, reason = "the tests of the command line use the rest")]
mod running;
mod security;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let trials = [connect::trials(), documented::trials(), printing::trials(), security::trials()];
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect()).exit_code()
}
