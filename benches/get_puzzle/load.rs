//! A closed loop of callers, and what they measured.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;

/// Calls over so many connections, as a few client processes would hold.
const CONNECTIONS: usize = 4;

/// How long each row is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// Length of a row; a fifth of it goes before, unmeasured.
    pub(crate) length: Duration,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Calls answered in a second.
    pub(crate) per_second: f64,
    /// Processor time of this process for each call, client and busy workers included, in microseconds.
    pub(crate) cpu_us: f64,
    /// Half of the calls were answered within so many microseconds.
    pub(crate) p50_us: f64,
    /// All but one in a hundred were.
    pub(crate) p99_us: f64,
}

/// A client that makes one call at a time.
pub(crate) trait Caller: Clone + Send + 'static {
    /// Makes a call and panics if it fails.
    fn call(&mut self) -> impl Future<Output = ()> + Send;
}

impl Load {
    /// Has `streams` callers call without a pause, spread over a few connections.
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
        let cpu_before = cpu_time();
        let from = Instant::now() + self.length / 5;
        let until = from + self.length;
        let callers: Vec<_> = (0..streams)
            .map(|number| tokio::spawn(one_stream(clients[number % clients.len()].clone(), from, until)))
            .collect();
        let mut all = histogram();
        for caller in callers {
            all.add(caller.await.expect("a caller")).expect("histograms of one range");
        }
        let cpu = cpu_time().saturating_sub(cpu_before);
        Measured {
            // The unmeasured fifth before the row is in the processor time too.
            cpu_us: cpu.as_secs_f64() * 1e6 / (precise(all.len()) * 1.2),
            per_second: precise(all.len()) / self.length.as_secs_f64(),
            p50_us: precise(all.value_at_quantile(0.5)) / 1_000.0,
            p99_us: precise(all.value_at_quantile(0.99)) / 1_000.0,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
async fn one_stream(mut client: impl Caller, from: Instant, until: Instant) -> Histogram<u64> {
    let mut latencies = histogram();
    loop {
        let begun = Instant::now();
        if begun >= until {
            return latencies;
        }
        client.call().await;
        if begun >= from {
            let nanos = u64::try_from(begun.elapsed().as_nanos()).expect("a short time");
            latencies.record(nanos).expect("within a minute");
        }
    }
}

/// Up to a minute in nanoseconds, to three digits.
fn histogram() -> Histogram<u64> {
    Histogram::new_with_max(60_000_000_000, 3).expect("a valid range")
}

#[expect(clippy::cast_precision_loss, reason = "figures to be printed with three digits")]
fn precise(number: u64) -> f64 {
    number as f64
}

/// Processor time that this process has used, in user and system mode: fields 14 and 15 of Linux's `/proc/self/stat`, in
/// hundredths of a second.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // The second field, the program's name in brackets, may hold blanks.
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("ticks"));
    Duration::from_millis(10 * ticks.sum::<u64>())
}
