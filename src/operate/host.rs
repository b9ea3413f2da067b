//! Finds the name of the host, which identifies a process in `puzzled workers` and in messages. Also finds the name of
//! the user who runs a command, for the audit trail.

use std::{env, fs, os::unix::fs::MetadataExt as _};

/// The files with the name of the host on Linux. The kernel's file comes first.
const FILES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];

/// The variable with the name of the host in some shells and containers.
const VARIABLE: &str = "HOSTNAME";

/// The maximum number of characters of the name, as on Linux. A longer name is cut.
const LEN_MAX: usize = 64;

/// Returns the name of the host, without control characters; `None` if neither a file nor the variable has it.
pub(crate) fn name() -> Option<String> {
    let names = FILES.iter().filter_map(|file| fs::read_to_string(file).ok());
    #[expect(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
    let mut names = names.chain(env::var(VARIABLE));
    names.find_map(|name| {
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LEN_MAX).collect();
        (!name.is_empty()).then_some(name)
    })
}

/// This process as the kernel shows it. Its owner is the user.
const PROCESS: &str = "/proc/self";

/// The file with the names and IDs of users.
const USERS: &str = "/etc/passwd";

/// Returns the name of the user who runs this command, or the user ID if there is no name. Does not read variables such
/// as `USER`, because everyone can set them.
pub(crate) fn user() -> String {
    let Ok(uid) = fs::metadata(PROCESS).map(|process| process.uid()) else { return "unknown".to_owned() };
    named(&fs::read_to_string(USERS).unwrap_or_default(), uid).unwrap_or_else(|| uid.to_string())
}

fn named(users: &str, uid: u32) -> Option<String> {
    let user = users.lines().find(|line| line.split(':').nth(2) == Some(uid.to_string().as_str()))?;
    user.split(':').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_is_named_by_the_list_of_users() {
        let users = "root:x:0:0:root:/root:/bin/sh\nnight:x:1000:100::/home/night:/bin/sh\n";
        assert_eq!(named(users, 1000).as_deref(), Some("night"));
        assert_eq!(named(users, 100), None);
    }
}
