//! Writes log lines to standard error on a thread of their own. If nobody reads them, calls and workers never wait, and the end of the
//! process waits a second at most. Lines beyond 1 MiB are dropped and counted.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    collections::VecDeque,
    fmt,
    io::{self, Write, stderr},
    panic::{self, PanicHookInfo},
    sync::{Condvar, Mutex, MutexGuard, Once, PoisonError},
    thread,
    time::Duration,
};

use super::scrape::Page;
use puzzled_base::counters::Counter;

/// The maximum size of the lines that wait, in bytes.
const WAITING_MAX: usize = 1 << 20;

/// The time that the end of the process waits for the last lines to be written.
const END_MAX: Duration = Duration::from_secs(1);

static LINES: Lines = Lines {
    waiting: Mutex::new(Waiting { lines: VecDeque::new(), bytes: 0, is_writing: false }),
    changed: Condvar::new(),
    dropped: Counter::new(),
    thread: Once::new(),
};

/// The log of this process.
struct Lines {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    dropped: Counter,
    thread: Once,
}

struct Waiting {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Whether a line that has left the queue is being written.
    is_writing: bool,
}

/// A writer of log lines that never blocks. Each write is a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogLines;

impl LogLines {
    /// Starts the thread that writes the lines, and sends the messages of panics there as well.
    ///
    /// # Errors
    /// The error of the operating system, if it starts no thread.
    pub(super) fn start() -> io::Result<Self> {
        thread::Builder::new().name("log".to_owned()).spawn(|| LINES.write())?;
        LINES.thread.call_once(|| panic::set_hook(Box::new(log_panic)));
        Ok(Self)
    }
}

impl Write for LogLines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        LINES.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a last line to standard error, behind those of the log. If there is a log, waits at most a second for it.
pub fn end(last: &str) {
    if LINES.thread.is_completed() {
        LINES.push(last.as_bytes());
        drop(LINES.changed.wait_timeout_while(LINES.waiting(), END_MAX, |waiting| !waiting.is_empty()));
    } else {
        // If standard error is closed, nobody wants the line.
        let _ = stderr().write_all(last.as_bytes());
    }
}

pub(super) fn write_metric(page: &mut Page<'_>) -> fmt::Result {
    let dropped = [(Vec::new(), &LINES.dropped)];
    page.counters("puzzled_log_lines_dropped", "Log lines dropped because standard error was not read.", dropped)
}

impl Waiting {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && !self.is_writing
    }
}

impl Lines {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        let mut waiting = self.waiting();
        if waiting.bytes + line.len() > WAITING_MAX {
            self.dropped.one();
            return;
        }
        waiting.bytes += line.len();
        waiting.lines.push_back(line.to_vec());
        self.changed.notify_all();
    }

    /// Writes lines for as long as the process lives. When standard error is read again and no line waits, logs how many were dropped.
    fn write(&self) {
        let mut reported = 0;
        loop {
            let line = self.next();
            // A line that cannot be written is lost. There is no other place to report it.
            let _ = stderr().write_all(&line);
            let dropped = self.dropped.get();
            let is_last = self.written();
            if is_last && dropped > reported {
                tracing::warn!(dropped = dropped - reported, "log lines dropped, because standard error was not read");
                reported = dropped;
            }
        }
    }

    /// Waits for a line.
    fn next(&self) -> Vec<u8> {
        let mut waiting = self.waiting();
        loop {
            if let Some(line) = waiting.lines.pop_front() {
                waiting.bytes -= line.len();
                waiting.is_writing = true;
                return line;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that the line is written. Returns whether no other one waits.
    fn written(&self) -> bool {
        let mut waiting = self.waiting();
        waiting.is_writing = false;
        self.changed.notify_all();
        waiting.lines.is_empty()
    }
}

/// The message that the standard library would write, which could block.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let backtrace = Backtrace::capture();
    let trace = if backtrace.status() == BacktraceStatus::Captured { format!("{backtrace}\n") } else { String::new() };
    let name = thread.name().unwrap_or("<unnamed>");
    LINES.push(format!("thread '{name}' {panic}\n{trace}").as_bytes());
}
