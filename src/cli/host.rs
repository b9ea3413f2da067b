//! Finds the name of the host, which identifies a process in `puzzled workers` and in messages.

use std::{env, fs};

/// The files with the name on Linux, the kernel's first.
const FILES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];

/// The variable with the name in some shells and containers.
const VARIABLE: &str = "HOSTNAME";

/// The most characters of the name, as on Linux. A longer name is cut.
const LEN_MAX: usize = 64;

/// The name without control characters; none if neither a file nor the variable has it.
pub(super) fn name() -> Option<String> {
    let told = FILES.iter().filter_map(|file| fs::read_to_string(file).ok());
    #[expect(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
    let mut told = told.chain(env::var(VARIABLE));
    told.find_map(|name| {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LEN_MAX).collect();
        (!name.is_empty()).then_some(name)
    })
}
