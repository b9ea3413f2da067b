//! Writes the metrics `process_*`: what this process uses of the machine, under the names that Prometheus clients of
//! all languages use.

use std::fmt;

use super::scrape::Page;
use crate::{clock::Millis, usage};

/// Writes the metrics `process_*`. Metrics that the system does not provide are absent.
#[expect(clippy::cast_precision_loss, reason = "sizes stay below 2^52 bytes, and times below 2^52 ms")]
pub(super) fn write(page: &mut Page<'_>, started_at: Millis) -> fmt::Result {
    let bytes = |bytes: Option<u64>| bytes.map(|bytes| bytes as f64);
    let usage = usage::of_this_process();
    page.counter("process_cpu_seconds", "CPU time that this process has used.", usage.cpu.as_secs_f64())?;
    page.gauge("process_resident_memory_bytes", "Memory of this process.", bytes(usage.resident_bytes))?;
    page.gauge("process_virtual_memory_bytes", "Address space of this process.", bytes(usage.virtual_bytes))?;
    page.gauge("process_open_fds", "Open files and sockets of this process.", bytes(usage.open_files))?;
    page.gauge("process_max_fds", "Limit of open files and sockets.", bytes(usage.open_files_max))?;
    page.gauge("process_threads", "Threads of this process.", bytes(usage.threads))?;
    let started = started_at.0 as f64 / 1_000.0;
    page.gauge("process_start_time_seconds", "Time at which this process started, in seconds since 1970.", started)
}
