//! Compares a stock of a thousand puzzles with one of a million. Measures rates, latencies, and the server's processor
//! time of `GetStock`, and of `GetPuzzle` for any puzzle, by level, by rating range, and to an audience. The baselines
//! are an empty call and a group commit of one row. Also tests whether each puzzle is drawn with the same chance. The
//! servers are separate processes, and their measurements alternate.
//!
//! `cargo bench --bench stock -- [--puzzles N] [--seconds S] [--rounds R] [--draws D] [--alongside OTHER,BUILDS]`
//!
//! With `--alongside`, prints only the cost of `GetPuzzle` on this build and on other builds of the binary.

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
use group_commit::GroupCommit;
use load::Load;
use report::Report;
use server::Server;

/// The allocator of the binary, for the empty call's server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The binary of this build.
const BINARY: &str = env!("CARGO_BIN_EXE_puzzled");

/// Puzzles of the small stock.
const FEW: u32 = 1_000;

/// Calls in flight.
const STREAMS: [usize; 2] = [1, 64];

/// The options of the command line.
struct Size {
    puzzles: u32,
    length: Duration,
    rounds: u32,
    draws: u32,
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if args.iter().any(|arg| arg == server::SERVE_EMPTY) {
        return runtime.block_on(server::serve_empty());
    }
    let number = |name: &str, default: u32| {
        let value = args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    let size = Size {
        puzzles: number("--puzzles", 1_000_000),
        length: Duration::from_secs(number("--seconds", 1).into()),
        rounds: number("--rounds", 5),
        draws: number("--draws", 100_000),
    };
    let others = args.iter().position(|arg| arg == "--alongside").and_then(|at| args.get(at + 1));
    match others {
        Some(others) => runtime.block_on(run_alongside(others, &size)),
        None => runtime.block_on(run(&size)),
    }
}

/// Compares this build of the binary with others, whose paths are separated by commas.
async fn run_alongside(others: &str, size: &Size) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the database");
    let file = folder.path().join("stock.db");
    fill::fill(&file, size.puzzles, &fill::models()).await;
    let programs: Vec<_> = [BINARY].into_iter().chain(others.split(',')).map(PathBuf::from).collect();
    builds::compare(&programs, &file, size).await;
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
    // Rounds take turns, so that other load on the machine affects all rows.
    for _ in 0..size.rounds {
        for streams in STREAMS {
            let load = |process: &str| Load { length: size.length, process: process.to_owned() };
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
            let load = Load { length: size.length, process: server.process.clone() };
            report.add("GetStock", 1, at, load.measure(1, || server.stock()).await);
        }
    }
    report.print();
    for (server, puzzles) in [(few, FEW), (many, size.puzzles)] {
        choice::print(server, puzzles, size.draws).await;
    }
}
