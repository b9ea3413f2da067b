//! Both stores side by side: slices without work, what a claim and a commit cost, draws beside a bare round trip, and
//! shelves that many commit to.
//!
//! `cargo bench --bench stores -- [--seconds N]`. PostgreSQL is a throw-away server on a socket that writes to the disk as in
//! earnest; without its binaries only SQLite's column is filled.

mod draws;
mod shelves;
mod slices;
#[path = "../../tests/support"]
#[expect(clippy::unwrap_used, reason = "the file is the tests', where it is allowed")]
mod support {
    pub(crate) mod cluster;
}
mod world;

use std::time::Duration;

use support::cluster::Cluster;
use world::{Make, World};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let seconds = args.iter().position(|arg| arg == "--seconds").and_then(|at| args.get(at + 1));
    let length = Duration::from_secs(seconds.map_or(5, |seconds| seconds.parse().expect("a number")));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run(length));
}

async fn run(length: Duration) {
    let cluster = Cluster::start(true);
    if cluster.is_none() {
        println!("no PostgreSQL here: its figures are left out");
    }
    let makes = || [Some(Make::Sqlite), cluster.as_ref().map(Make::Postgres)].into_iter().flatten();
    println!("| what | {} |", makes().map(Make::name).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---|".repeat(makes().count()));
    let rows: [(&str, Row); 9] = [
        ("slices without work, 40 at a time, claimed and committed, a second", Row::NoOps(40)),
        ("slices without work, 1 at a time, a second", Row::NoOps(1)),
        ("claim and commit of a slice of 50 puzzles, ms", Row::Overhead),
        ("the same in % of a slice of a second", Row::OverheadShare),
        ("puzzles a second, 8 workers, 200 shelves", Row::Shelves(200)),
        ("puzzles a second, 8 workers, 10 shelves", Row::Shelves(10)),
        ("puzzles a second, 8 workers, 1 hot shelf", Row::Shelves(1)),
        ("bare `select 1`, p50 µs", Row::Bare),
        ("GetPuzzle by gRPC on loopback, p50 µs", Row::GetPuzzle),
    ];
    for (what, row) in rows {
        let mut cells = vec![what.to_owned()];
        for make in makes() {
            let world = World::new(make).await;
            cells.push(row.measure(&world, length).await);
        }
        println!("| {} |", cells.join(" | "));
    }
}

/// What is measured.
#[derive(Debug, Clone, Copy)]
enum Row {
    NoOps(usize),
    Overhead,
    OverheadShare,
    Shelves(u8),
    Bare,
    GetPuzzle,
}

impl Row {
    async fn measure(self, world: &World, length: Duration) -> String {
        match self {
            Self::NoOps(tasks) => format!("{:.0}", slices::no_ops(world, tasks, length).await),
            Self::Overhead => format!("{:.2}", slices::overhead_ms(world, length).await),
            Self::OverheadShare => format!("{:.2} %", slices::overhead_ms(world, length).await / 10.0),
            Self::Shelves(shelves) => format!("{:.0}", shelves::puzzles_a_second(world, shelves, length).await),
            Self::Bare => format!("{:.0}", draws::bare_us(world, length).await),
            Self::GetPuzzle => format!("{:.0}", draws::get_puzzle_us(world, length).await),
        }
    }
}
