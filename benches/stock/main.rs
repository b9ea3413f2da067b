//! Compares a stock of a thousand puzzles with one of a million. Measures rates, latencies, and the server's processor
//! time of `GetStock`, and of `GetPuzzle` for any puzzle, by level, by rating range, by givens, and to an audience. The baselines
//! are an empty call and a group commit of one row. Also tests whether each puzzle is drawn with the same chance. The
//! servers are separate processes, and their measurements alternate.
//!
//! `cargo bench --bench stock -- --help` lists the flags. With `--alongside`, the bench prints only the cost of `GetPuzzle` on
//! this build and on other builds of the binary.

mod builds;
mod calls;
mod choice;
#[path = "../get_puzzle/empty_call.rs"]
mod empty_call;
mod fill;
mod group_commit;
#[path = "../get_puzzle/load.rs"]
mod load;
mod report;
mod server;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use calls::Draw;
use clap::{Parser, value_parser};
use group_commit::GroupCommit;
use load::Load;
use puzzled_engine::shared::tries::Made;
use report::Report;
use server::Server;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `puzzled` as it was built with this bench.
const BINARY: &str = env!("CARGO_BIN_EXE_puzzled");

/// Puzzles of the small stock.
const FEW: u32 = 1_000;

/// Calls in flight.
const STREAMS: [usize; 2] = [1, 64];

/// Compare a stock of a thousand puzzles with a large one
#[derive(Debug, Parser)]
struct Size {
    /// Number of puzzles of the large stock
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    puzzles: u32,

    /// Seconds of each measurement
    #[arg(long, value_name = "S", default_value_t = 1)]
    seconds: u64,

    /// Number of rounds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..))]
    rounds: u32,

    /// Number of draws of the test for a uniform choice
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    draws: u32,

    /// Only compare `GetPuzzle` of this build with these other builds of the program
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    alongside: Vec<PathBuf>,

    /// Database to compare builds on; created and filled if missing; never deleted
    #[arg(long, value_name = "FILE", requires = "alongside")]
    stock: Option<PathBuf>,

    /// Database of the other builds, if they have another schema
    #[arg(long, value_name = "FILE", requires = "alongside")]
    stock_of_others: Option<PathBuf>,

    /// Cargo sets this flag
    #[arg(long, hide = true)]
    bench: bool,
}

impl Size {
    fn length(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if std::env::args().any(|arg| arg == server::SERVE_EMPTY) {
        return runtime.block_on(server::serve_empty());
    }
    let size = Size::parse();
    if size.alongside.is_empty() {
        runtime.block_on(run(&size));
    } else {
        runtime.block_on(run_alongside(&size));
    }
}

async fn run_alongside(size: &Size) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the database");
    let file = size.stock.clone().unwrap_or_else(|| folder.path().join("stock.db"));
    if !file.exists() {
        fill::fill(&file, size.puzzles, &fill::models()).await;
    }
    let of_others = size.stock_of_others.as_ref().unwrap_or(&file);
    let others = size.alongside.iter().map(|program| (program.clone(), of_others.as_path()));
    let programs: Vec<_> = std::iter::once((PathBuf::from(BINARY), file.as_path())).chain(others).collect();
    builds::compare(&programs, size).await;
}

async fn run(size: &Size) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the databases");
    let models = fill::models();
    let mut servers = Vec::new();
    for puzzles in [FEW, size.puzzles] {
        let file = folder.path().join(format!("{}-{puzzles}.db", servers.len()));
        fill::fill(&file, puzzles, &models).await;
        servers.push(Server::start(Path::new(BINARY), &file).await);
    }
    let [few, many] = &servers[..] else { unreachable!("two stocks") };
    let empty = Server::start_empty();
    let commits = GroupCommit::on(&folder.path().join("rows.db")).await;
    let mut report = Report::new([FEW, size.puzzles]);
    // Each round measures every row once, so that other load on the machine affects all rows.
    for _ in 0..size.rounds {
        for streams in STREAMS {
            let load = |process: &str| Load { length: size.length(), process: process.to_owned() };
            let nothing = load(&empty.process).measure(streams, || empty_call::client(&empty.socket)).await;
            report.add("empty call", streams, 0, nothing);
            let commit = load("self").measure(streams, async || commits.caller()).await;
            report.add("group commit of a row", streams, 0, commit);
            for draw in Draw::ALL {
                for (at, server) in [few, many].into_iter().enumerate() {
                    server.warm();
                    let drawn = load(&server.process).measure(streams, || server.drawer(draw)).await;
                    report.add(draw.name(), streams, at, drawn);
                }
            }
        }
        for (at, server) in [few, many].into_iter().enumerate() {
            let load = Load { length: size.length(), process: server.process.clone() };
            report.add("GetStock", 1, at, load.measure(1, || server.stock()).await);
        }
    }
    report.print();
    nearly_empty(size, &models, folder.path()).await;
    for (server, puzzles) in [(few, FEW), (many, size.puzzles)] {
        choice::print(server, puzzles, size.draws).await;
    }
}

/// Compares draws from a full stock with those from one whose shelves are 99 % empty.
async fn nearly_empty(size: &Size, models: &[Made], folder: &Path) {
    let puzzles = 100 * FEW;
    let [full, empty] = ["full.db", "empty.db"].map(|name| folder.join(name));
    for file in [&full, &empty] {
        fill::fill(file, puzzles, models).await;
    }
    fill::empty(&empty).await;
    let (full, empty) = (Server::start(Path::new(BINARY), &full).await, Server::start(Path::new(BINARY), &empty).await);
    println!("| call | streams | calls/s of {puzzles} puzzles | calls/s if 99 % are withdrawn | ratio |");
    println!("|---|---|---|---|---|");
    for (draw, streams) in
        [Draw::Any, Draw::Audience].into_iter().flat_map(|draw| STREAMS.map(|streams| (draw, streams)))
    {
        let rate = async |server: &Server| {
            let load = Load { length: size.length(), process: server.process.clone() };
            load.measure(streams, || server.drawer(draw)).await.per_second()
        };
        let (full, empty) = (rate(&full).await, rate(&empty).await);
        println!("| {} | {streams} | {full:.0} | {empty:.0} | {:.2} |", draw.name(), empty / full);
    }
}
