//! Collects the measurements of the bench `stock`, prints them as a table, and states which of the required values are
//! reached.

use std::collections::BTreeMap;

use super::{STREAMS, calls::Draw, load::Measured};

/// The maximum ratio of a call's cost with many puzzles to its cost with few.
const RATIO_WANTED: f64 = 1.2;

/// The maximum processor time of a call in microseconds. For a call with an audience, the time of the group commit of a
/// row is subtracted.
const CPU_US_WANTED: f64 = 60.0;

/// The maximum time of `GetStock`, in microseconds.
const STOCK_US_WANTED: f64 = 2_000.0;

/// The minimum ratio of the rate of `GetPuzzle` to that of the empty call.
const RATE_WANTED: f64 = 0.6;

type Key = (&'static str, usize, usize);

/// All rows measured so far.
#[derive(Debug)]
pub(crate) struct Report {
    puzzles: [u32; 2],
    /// The rows in the order in which each was added first.
    keys: Vec<Key>,
    rows: BTreeMap<Key, Measured>,
}

impl Report {
    /// An empty report on two stocks of these sizes.
    pub(crate) fn new(puzzles: [u32; 2]) -> Self {
        Self { puzzles, keys: Vec::new(), rows: BTreeMap::new() }
    }

    /// Adds a round of a row: a call, the calls in flight, and which of the stocks.
    pub(crate) fn add(&mut self, call: &'static str, streams: usize, stock: usize, measured: Measured) {
        let key = (call, streams, stock);
        if let Some(row) = self.rows.get_mut(&key) {
            row.latencies.add(&measured.latencies).expect("histograms of one range");
            row.length += measured.length;
            row.cpu += measured.cpu;
            row.calls += measured.calls;
        } else {
            self.keys.push(key);
            self.rows.insert(key, measured);
        }
    }

    /// Prints the table and the comparison with the required values.
    pub(crate) fn print(&self) {
        println!("| call | puzzles | streams | calls/s | server CPU µs a call | p50 µs | p99 µs |");
        println!("|---|---|---|---|---|---|---|");
        let mut keys = self.keys.clone();
        keys.sort_by_key(|&(_, streams, _)| streams);
        for key in keys {
            let (call, streams, stock) = key;
            let row = &self.rows[&key];
            let puzzles = if call.starts_with("Get") { self.puzzles[stock].to_string() } else { String::new() };
            println!(
                "| {call} | {puzzles} | {streams} | {:.0} | {:.1} | {:.0} | {:.0} |",
                row.per_second(),
                row.cpu_us(),
                row.within_us(50.0),
                row.within_us(99.0)
            );
        }
        self.print_wanted();
    }

    fn print_wanted(&self) {
        let [one, many] = STREAMS;
        for draw in Draw::ALL {
            let cpu = |stock| self.rows[&(draw.name(), many, stock)].cpu_us();
            let what =
                format!("{}, CPU with {} puzzles by that with {}", draw.name(), self.puzzles[1], self.puzzles[0]);
            verdict(&what, cpu(1) / cpu(0), RATIO_WANTED);
        }
        let commit = self.rows[&("group commit of a row", many, 0)].cpu_us();
        for draw in Draw::ALL {
            let bound = if matches!(draw, Draw::Audience) { commit + CPU_US_WANTED } else { CPU_US_WANTED };
            let what = format!("{}, CPU µs a call with {} puzzles", draw.name(), self.puzzles[1]);
            verdict(&what, self.rows[&(draw.name(), many, 1)].cpu_us(), bound);
        }
        for percent in [50.0, 99.0] {
            let within = self.rows[&("GetStock", one, 1)].within_us(percent);
            verdict(&format!("GetStock, p{percent} µs"), within, STOCK_US_WANTED);
        }
        for streams in STREAMS {
            let rate = |call, stock| self.rows[&(call, streams, stock)].per_second();
            let what = format!("empty call's rate by GetPuzzle's at {streams} streams");
            verdict(&what, rate("empty call", 0) / rate("GetPuzzle", 1), 1.0 / RATE_WANTED);
        }
    }
}

fn verdict(what: &str, found: f64, at_most: f64) {
    println!(
        "{what}: {found:.2}, wanted at most {at_most:.2}: {}",
        if found <= at_most { "reached" } else { "MISSED" }
    );
}
