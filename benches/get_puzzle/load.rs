//! The load generator of the benches `get_puzzle`, `stock`, and `crowd`: concurrent callers, each with one call at a
//! time. Measures calls per second, latencies, and the processor time per call of the server's process.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;

/// Number of connections that carry the calls, as a few client processes would hold.
const CONNECTIONS: usize = 4;

/// The length of a row, and the process whose processor time counts.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    /// Length of the measured part of a row. An unmeasured warm-up of a fifth of it comes first.
    pub(crate) length: Duration,
    /// The id of the process whose processor time is counted; `self` for this one.
    pub(crate) process: String,
}

/// The measurements of one row.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// Latencies of the calls in the measured part, in nanoseconds.
    pub(crate) latencies: Histogram<u64>,
    /// Length of the measured part.
    pub(crate) length: Duration,
    /// Processor time, from the first call on.
    pub(crate) cpu: Duration,
    /// Number of all calls, from the first call on.
    pub(crate) calls: u64,
}

impl Measured {
    /// Calls answered per second.
    pub(crate) fn per_second(&self) -> f64 {
        precise(self.latencies.len()) / self.length.as_secs_f64()
    }

    /// Processor time per call, in microseconds.
    pub(crate) fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / precise(self.calls)
    }

    /// The time in microseconds within which `percent` percent of the calls were answered.
    pub(crate) fn within_us(&self, percent: f64) -> f64 {
        precise(self.latencies.value_at_quantile(percent / 100.0)) / 1_000.0
    }
}

/// A client that makes one call at a time.
pub(crate) trait Caller: Clone + Send + 'static {
    /// Makes a call and panics if it fails.
    fn call(&mut self) -> impl Future<Output = ()> + Send;
}

impl Load {
    /// Measures `streams` callers that call without a pause, spread over [`CONNECTIONS`] connections.
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    pub(crate) async fn measure<C: Caller, F: Future<Output = C>>(
        &self,
        streams: usize,
        connect: impl Fn() -> F,
    ) -> Measured {
        let mut clients = Vec::new();
        for _ in 0..streams.min(CONNECTIONS) {
            clients.push(connect().await);
        }
        let cpu_before = cpu_time(&self.process);
        let from = Instant::now() + self.length / 5;
        let until = from + self.length;
        let callers: Vec<_> = (0..streams)
            .map(|number| tokio::spawn(one_stream(clients[number % clients.len()].clone(), from, until)))
            .collect();
        let (mut latencies, mut calls) = (histogram(), 0);
        for caller in callers {
            let (own, all) = caller.await.expect("a caller");
            latencies.add(own).expect("histograms of one range");
            calls += all;
        }
        let cpu = cpu_time(&self.process).saturating_sub(cpu_before);
        Measured { latencies, length: self.length, cpu, calls }
    }
}

/// The latencies within the measured time, and the number of all calls.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
async fn one_stream(mut client: impl Caller, from: Instant, until: Instant) -> (Histogram<u64>, u64) {
    let (mut latencies, mut calls) = (histogram(), 0);
    loop {
        let begun = Instant::now();
        if begun >= until {
            return (latencies, calls);
        }
        client.call().await;
        calls += 1;
        if begun >= from {
            let nanos = u64::try_from(begun.elapsed().as_nanos()).expect("a short time");
            latencies.record(nanos).expect("within a minute");
        }
    }
}

/// A histogram up to a minute, in nanoseconds with three significant digits.
fn histogram() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000_000, 3).expect("a valid range")
}

#[expect(clippy::cast_precision_loss, reason = "figures to be printed with three digits")]
fn precise(number: u64) -> f64 {
    number as f64
}

/// Processor time that a process has used in user and system mode. Reads fields 14 and 15 of Linux's `/proc/…/stat`, which count
/// hundredths of a second.
fn cpu_time(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a process on Linux");
    // The second field, the program's name in parentheses, may contain spaces.
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("ticks"));
    Duration::from_millis(10 * ticks.sum::<u64>())
}
