//! The metrics `process_*`: how much of the machine this process uses, under the names that Prometheus clients of all
//! languages use.

use std::{fmt, fs, time::Duration};

use rustix::{
    process::{Resource, getrlimit},
    time::{ClockId, clock_gettime},
};

use super::scrape::Page;
use puzzled_base::clock::Millis;

/// Writes the metrics `process_*`. Metrics that the system does not provide are absent.
#[expect(clippy::cast_precision_loss, reason = "sizes stay below 2^52 bytes, and times below 2^52 ms")]
pub(super) fn write(page: &mut Page<'_>, started_at: Millis) -> fmt::Result {
    let bytes = |bytes: Option<u64>| bytes.map(|bytes| bytes as f64);
    let usage = of_this_process();
    page.counter("process_cpu_seconds", "CPU time that this process has used.", usage.cpu.as_secs_f64())?;
    page.gauge("process_resident_memory_bytes", "Memory of this process.", bytes(usage.resident_bytes))?;
    page.gauge("process_virtual_memory_bytes", "Address space of this process.", bytes(usage.virtual_bytes))?;
    page.gauge("process_open_fds", "Open files and sockets of this process.", bytes(usage.open_files))?;
    page.gauge("process_max_fds", "Limit of open files and sockets.", bytes(usage.open_files_max))?;
    page.gauge("process_threads", "Threads of this process.", bytes(usage.threads))?;
    let started = started_at.0 as f64 / 1_000.0;
    page.gauge("process_start_time_seconds", "Time at which this process started, in seconds since 1970.", started)
}

/// What a process uses. `None` if the system does not tell, as outside Linux.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Usage {
    /// CPU time of all threads since the start.
    cpu: Duration,
    /// Memory that is in use, in bytes.
    resident_bytes: Option<u64>,
    /// Address space, in bytes.
    virtual_bytes: Option<u64>,
    /// Open files and sockets.
    open_files: Option<u64>,
    /// The limit of open files and sockets; `None` if there is none.
    open_files_max: Option<u64>,
    threads: Option<u64>,
}

/// What this process uses now.
fn of_this_process() -> Usage {
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

/// The number on the line of a key.
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
