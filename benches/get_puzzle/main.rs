//! Compares `GetPuzzle` with an empty unary call, first with idle workers, then with all workers busy. Prints rates,
//! processor time, latencies, and the ratios of the rates. Servers and clients of this part run in one process. Then compares
//! the rate of `GetPuzzle` on servers with access, TLS, and observability with that on a bare server, and on request with
//! that of another build; each of these servers is a separate process.
//!
//! `cargo bench --bench get_puzzle -- [--seconds N] [--puzzles N] [--rounds N] [--alongside PROGRAM] [--only-setups]`

#[path = "../../tests/support/authority.rs"]
mod authority;
mod empty_call;
mod load;
mod observer;
mod server;
mod setups;
mod stocked;

use std::{path::PathBuf, sync::Arc, time::Duration};

use load::{Load, Measured};
use stocked::Stocked;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Calls in flight of each row.
const STREAMS: [usize; 2] = [1, 64];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let number = |name: &str, default: u64| value(name).map_or(default, |value| value.parse().expect("a number"));
    // Includes the client and the busy workers.
    let load = Load { length: Duration::from_secs(number("--seconds", 5)), process: "self".to_owned() };
    let puzzles = u32::try_from(number("--puzzles", 10_000)).expect("a number of puzzles");
    let rounds = usize::try_from(number("--rounds", 5)).expect("a number of rounds").max(1);
    // The servers run in other folders.
    let other = value("--alongside").map(|program| PathBuf::from(program).canonicalize().expect("a program"));
    let is_short = args.iter().any(|arg| arg == "--only-setups");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let stocked = Arc::new(Stocked::start(puzzles).await);
        if !is_short {
            beside_an_empty_call(&load, puzzles, &stocked).await;
        }
        setups::compare(&load, &stocked.database(), other.as_deref(), rounds, &STREAMS).await;
    });
}

async fn beside_an_empty_call(load: &Load, puzzles: u32, stocked: &Arc<Stocked>) {
    let empty = empty_call::start().await;
    println!("{puzzles} puzzles in stock, {} workers, {} s a row", stocked.workers(), load.length.as_secs());
    println!("| workers | streams | call | calls/s | CPU µs a call | p50 µs | p99 µs | rate / empty call |");
    println!("|---|---|---|---|---|---|---|---|");
    let idle = rows("idle", load, stocked, &empty).await;
    let job = stocked.keep_workers_busy().await;
    let busy = rows("busy", load, stocked, &empty).await;
    stocked.cancel(&job).await;
    let ratio = busy.within_us(99.0) / idle.within_us(99.0);
    println!("p99 of GetPuzzle at {} streams, busy / idle: {ratio:.2}", STREAMS[1]);
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
