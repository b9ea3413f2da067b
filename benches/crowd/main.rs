//! Measures how much careless clients slow down others: `GetPuzzle` next to many connections on which the client sends
//! nothing, and `Hint` next to a flood of `Rate` calls by another client, each compared with the same call on an idle
//! server. Also measures how long a shutdown takes with silent or idle connections.
//!
//! `cargo bench --bench crowd -- [--sockets N] [--rates N] [--seconds N]`

mod callers;
#[path = "../get_puzzle/load.rs"]
mod load;
mod server;
mod silent;

use std::time::Duration;

use callers::{Caller, Flood};
use load::{Load, Measured};
use server::Server;
use silent::Crowd;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Calls in flight of the clients that are measured.
const STREAMS: usize = 8;

/// Silent sockets at a shutdown.
const AT_SHUTDOWN: usize = 1_000;

/// Sizes of a run.
struct Sizes {
    sockets: usize,
    rates: usize,
    load: Load,
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let value = args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    let count = |name, default| usize::try_from(number(name, default)).expect("a small number");
    let sizes = Sizes {
        sockets: count("--sockets", 1_000),
        rates: count("--rates", 1_000),
        load: Load { length: Duration::from_secs(number("--seconds", 5)), process: "self".to_owned() },
    };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(run(&sizes));
}

async fn run(sizes: &Sizes) {
    let server = Server::start().await;
    println!("{STREAMS} calls at a time, {} s per row", sizes.load.length.as_secs());
    println!("| call | load | calls/s | CPU µs a call | p50 µs | p99 µs | p99 / idle | wanted |");
    println!("|---|---|---|---|---|---|---|---|");
    silent_sockets(sizes, &server).await;
    rates(sizes, &server).await;
    server.stop().await;
    shutdowns().await;
}

/// Measures calls of clients next to silent sockets. A row starts when all sockets are open. Sockets that the server
/// closes are not opened again.
async fn silent_sockets(sizes: &Sizes, server: &Server) {
    let idle = row("GetPuzzle", "nothing", sizes, server, None).await;
    let crowd = Crowd::gather(server.address(), sizes.sockets).await;
    let load = format!("{} silent sockets, {} left open", sizes.sockets, crowd.open());
    row("GetPuzzle", &load, sizes, server, Some((&idle, "<= 2"))).await;
}

/// Measures hints for one client while another client asks for ratings.
async fn rates(sizes: &Sizes, server: &Server) {
    let idle = row("Hint", "nothing", sizes, server, None).await;
    let flood = Flood::begin(server, sizes.rates).await;
    let load = format!("{} Rates of one client", sizes.rates);
    row("Hint", &load, sizes, server, Some((&idle, "p99 <= 50 ms"))).await;
    println!("the flood: {}", flood.end().await);
}

/// Measures one row and prints it next to the row of the idle server.
async fn row(call: &str, load: &str, sizes: &Sizes, server: &Server, idle: Option<(&Measured, &str)>) -> Measured {
    let measured = sizes.load.measure(STREAMS, || Caller::connect(server, call)).await;
    let (ratio, wanted) = match idle {
        Some((idle, wanted)) => (format!("{:.2}", measured.within_us(99.0) / idle.within_us(99.0)), wanted),
        None => ("1.00".to_owned(), ""),
    };
    println!(
        "| {call} | {load} | {:.0} | {:.1} | {:.0} | {:.0} | {ratio} | {wanted} |",
        measured.per_second(),
        measured.cpu_us(),
        measured.within_us(50.0),
        measured.within_us(99.0),
    );
    measured
}

/// Measures how long a shutdown takes, with the default grace time of ten seconds.
async fn shutdowns() {
    println!("| shutdown under | ms | wanted |");
    println!("|---|---|---|");
    for (load, sockets, greeted) in
        [("nothing", 0, 0), ("silent sockets", AT_SHUTDOWN, 0), ("idle HTTP/2 connections", 0, AT_SHUTDOWN / 2)]
    {
        let server = Server::start_empty().await;
        let silent = Crowd::gather(server.address(), sockets).await;
        let idle = Crowd::greet(server.address(), greeted).await;
        let took = server.stop().await;
        println!("| {} {load} | {:.0} | < 500 |", sockets + greeted, took.as_secs_f64() * 1e3);
        drop((silent, idle));
    }
}
