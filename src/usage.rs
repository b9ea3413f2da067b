//! Reads how much of the machine this process uses: CPU time, memory, open files, and threads.

use std::{fs, time::Duration};

use rustix::{
    process::{Resource, getrlimit},
    time::{ClockId, clock_gettime},
};

/// What a process uses. A field is `None` if the system does not provide the number, as outside Linux.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time of all threads since the start.
    pub(crate) cpu: Duration,
    /// Memory that is in use, in bytes.
    pub(crate) resident_bytes: Option<u64>,
    /// Address space, in bytes.
    pub(crate) virtual_bytes: Option<u64>,
    /// Open files and sockets.
    pub(crate) open_files: Option<u64>,
    /// The limit on open files and sockets; `None` if there is no limit.
    pub(crate) open_files_max: Option<u64>,
    pub(crate) threads: Option<u64>,
}

/// Reads what this process uses now.
pub(crate) fn of_this_process() -> Usage {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = |key: &str| number_after(key, &status).map(|number| number * 1_024);
    let cpu = clock_gettime(ClockId::ProcessCPUTime);
    Usage {
        cpu: Duration::try_from(cpu).unwrap_or_default(),
        resident_bytes: kilobytes("VmRSS:"),
        virtual_bytes: kilobytes("VmSize:"),
        open_files: fs::read_dir("/proc/self/fd").ok().and_then(|files| files.count().try_into().ok()),
        open_files_max: getrlimit(Resource::Nofile).current,
        threads: number_after("Threads:", &status),
    }
}

/// The first number on the line that starts with `key`.
fn number_after(key: &str, status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_a_key_is_read_from_its_line() {
        let status = "Name:\tpuzzled\nVmSize:\t  123456 kB\nVmRSS:\t    7 kB\nThreads:\t3\n";
        let numbers = ["VmSize:", "VmRSS:", "Threads:", "VmSwap:"].map(|key| number_after(key, status));
        assert_eq!(numbers, [Some(123_456), Some(7), Some(3), None]);
    }
}
