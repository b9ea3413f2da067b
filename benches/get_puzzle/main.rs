//! Compares `GetPuzzle` with an empty unary call, first with idle workers, then with all workers busy. Prints rates,
//! processor time, latencies, and the ratios of the rates. Servers and clients of this part run in one process. Then
//! compares `GetPuzzle` on servers with access, TLS, and observability with a bare server. With `--alongside`, also
//! compares another build. Each of these servers is a separate process.
//!
//! `cargo bench --bench get_puzzle -- --help` lists the flags.

#[path = "../../tests/support/authority.rs"]
mod authority;
mod empty_call;
mod load;
mod observer;
mod server;
mod setups;
mod stocked;

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::{Parser, value_parser};
use load::{Load, Measured};
use stocked::Stocked;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Calls in flight of each row.
const STREAMS: [usize; 2] = [1, 64];

/// Compare `GetPuzzle` with an empty call, and between setups of the server
#[derive(Debug, Parser)]
struct Args {
    /// Seconds of each row
    #[arg(long, value_name = "S", default_value_t = 5)]
    seconds: u64,

    /// Number of puzzles in stock
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    puzzles: u32,

    /// Number of rounds of each setup
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..))]
    rounds: u32,

    /// Also compare this other build of the program
    #[arg(long, value_name = "PROGRAM")]
    alongside: Option<PathBuf>,

    /// Only compare setups
    #[arg(long)]
    only_setups: bool,

    /// Cargo sets this flag
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let args = Args::parse();
    // The measured processor time includes the clients and the busy workers.
    let load = Load { length: Duration::from_secs(args.seconds), process: "self".to_owned() };
    // The servers run in other folders.
    let other = args.alongside.map(|program| program.canonicalize().expect("a program"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let stocked = Arc::new(Stocked::start(args.puzzles).await);
        if !args.only_setups {
            beside_an_empty_call(&load, args.puzzles, &stocked).await;
        }
        setups::compare(&load, &stocked.database(), other.as_deref(), args.rounds as usize, &STREAMS).await;
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

/// Prints the rows for one state of the workers, and returns the row of `GetPuzzle` with the most calls in flight.
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
