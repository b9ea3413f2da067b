//! Compares `GetPuzzle` with an empty unary call, first with idle workers, then with all workers busy. Prints rates,
//! processor time, latencies, and the ratios of the rates. Then compares the rate of `GetPuzzle` on servers with access
//! tokens, quotas, and TLS with that on a bare server. All servers and clients run in one process.
//!
//! `cargo bench --bench get_puzzle -- [--seconds N] [--puzzles N] [--rounds N]`

#[path = "../../tests/support/authority.rs"]
mod authority;
mod empty_call;
mod load;
mod observer;
mod setups;
mod stocked;

use std::{sync::Arc, time::Duration};

use load::{Load, Measured};
use stocked::Stocked;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Calls in flight of each row.
const STREAMS: [usize; 2] = [1, 64];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let value = args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    // Includes the client and the busy workers.
    let load = Load { length: Duration::from_secs(number("--seconds", 5)), process: "self".to_owned() };
    let puzzles = u32::try_from(number("--puzzles", 10_000)).expect("a number of puzzles");
    let rounds = usize::try_from(number("--rounds", 5)).expect("a number of rounds").max(1);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run(load, puzzles, rounds));
}

async fn run(load: Load, puzzles: u32, rounds: usize) {
    let stocked = Arc::new(Stocked::start(puzzles).await);
    let empty = empty_call::start().await;
    println!("{puzzles} puzzles in stock, {} workers, {} s a row", stocked.workers(), load.length.as_secs());
    println!("| workers | streams | call | calls/s | CPU µs a call | p50 µs | p99 µs | rate / empty call |");
    println!("|---|---|---|---|---|---|---|---|");
    let idle = rows("idle", &load, &stocked, &empty).await;
    let job = stocked.keep_workers_busy().await;
    let busy = rows("busy", &load, &stocked, &empty).await;
    stocked.cancel(&job).await;
    let ratio = busy.within_us(99.0) / idle.within_us(99.0);
    println!("p99 of GetPuzzle at {} streams, busy / idle: {ratio:.2}", STREAMS[1]);
    setups::compare(&load, &stocked.database(), rounds, &STREAMS).await;
}

/// Prints the rows for one state of the workers, and returns the one of `GetPuzzle` with the most calls in flight.
async fn rows(workers: &str, load: &Load, stocked: &Stocked, empty: &empty_call::Address) -> Measured {
    let mut last = None;
    for streams in STREAMS {
        let nothing = load.measure(streams, || empty_call::client(empty)).await;
        let draw = load.measure(streams, || stocked.client()).await;
        for (call, measured) in [("empty", &nothing), ("GetPuzzle", &draw)] {
            println!(
                "| {workers} | {streams} | {call} | {:.0} | {:.1} | {:.0} | {:.0} | {:.2} |",
                measured.per_second(),
                measured.cpu_us(),
                measured.within_us(50.0),
                measured.within_us(99.0),
                measured.per_second() / nothing.per_second()
            );
        }
        last = Some(draw);
    }
    last.expect("a row at the least")
}
