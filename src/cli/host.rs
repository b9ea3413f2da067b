//! The name of the host that a process runs on.

use std::{env, fs};

/// Where Linux tells it: the kernel, and the file that it is set from.
const FILES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];

/// The variable that some shells and containers set to it.
const VARIABLE: &str = "HOSTNAME";

/// Most characters of it; a longer one is cut. Names of hosts have at most 64 on Linux.
const LEN_MAX: usize = 64;

/// The host's name, if the machine tells it.
pub(super) fn name() -> Option<String> {
    let told = FILES.iter().filter_map(|file| fs::read_to_string(file).ok());
    #[expect(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
    let mut told = told.chain(env::var(VARIABLE));
    told.find_map(|name| {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LEN_MAX).collect();
        (!name.is_empty()).then_some(name)
    })
}
