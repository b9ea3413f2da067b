//! Compares SQLite and PostgreSQL: empty slices per second, the time of a claim and a commit, puzzles per second
//! when workers commit to many shelves or to one, and the latency of `GetPuzzle` and of a bare `select 1`.
//!
//! `cargo bench --bench stores -- [--seconds N]`. The bench starts a temporary PostgreSQL server, which syncs each
//! commit to disk, as in production. Without its binaries, the bench measures SQLite only.

mod draws;
mod shelves;
mod slices;
#[path = "../../tests/support"]
#[expect(clippy::unwrap_used, reason = "shared with the tests, which may unwrap")]
mod support {
    pub(crate) mod binaries;
    pub(crate) mod cluster;
}
mod world;

use std::time::Duration;

use draws::Draw;
use support::{binaries::binaries, cluster::Cluster};
use world::{Make, World};

/// Connections of the pool on PostgreSQL, unless a row states another number.
const CONNECTIONS: u32 = 4;

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
    let cluster = binaries().map(|_| Cluster::start(true));
    if cluster.is_none() {
        println!("no PostgreSQL binaries found: measuring SQLite only");
    }
    let makes = || [Some(Make::Sqlite), cluster.as_ref().map(Make::Postgres)].into_iter().flatten();
    println!("| what | {} |", makes().map(Make::name).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---|".repeat(makes().count()));
    let rows: [(&str, Row); 20] = [
        ("empty slices per second, 40 concurrent", Row::NoOps { tasks: 40, connections: 4 }),
        ("empty slices per second, 40 concurrent, 1 connection", Row::NoOps { tasks: 40, connections: 1 }),
        ("empty slices per second, 40 concurrent, 2 connections", Row::NoOps { tasks: 40, connections: 2 }),
        ("empty slices per second, 40 concurrent, 8 connections", Row::NoOps { tasks: 40, connections: 8 }),
        ("empty slices per second, 10 concurrent", Row::NoOps { tasks: 10, connections: 4 }),
        ("empty slices per second, 1 at a time", Row::NoOps { tasks: 1, connections: 4 }),
        ("claim and commit of a slice of 50 puzzles, ms", Row::Overhead),
        ("claim and commit of a slice of 50 puzzles, % of a slice of one second", Row::OverheadShare),
        ("puzzles per second, 8 workers, 200 shelves", Row::Shelves { workers: 8, shelves: 200 }),
        ("puzzles per second, 8 workers, 10 shelves", Row::Shelves { workers: 8, shelves: 10 }),
        ("puzzles per second, 8 workers, 1 shelf", Row::Shelves { workers: 8, shelves: 1 }),
        ("puzzles per second, 1 worker, 1 shelf", Row::Shelves { workers: 1, shelves: 1 }),
        ("`select 1`, p50 µs", Row::Bare),
        ("GetPuzzle, 10 shelves, p50 µs", Row::GetPuzzle(Draw::Any, 10)),
        ("GetPuzzle, 10 shelves, with pauses of 60 ms, p50 µs", Row::GetPuzzle(Draw::Seldom, 10)),
        ("GetPuzzle, 10 shelves, to an audience, p50 µs", Row::GetPuzzle(Draw::Audience, 10)),
        ("GetPuzzle, 1,000 shelves, p50 µs", Row::GetPuzzle(Draw::Any, 1_000)),
        ("GetPuzzle, 1,000 shelves, by level, p50 µs", Row::GetPuzzle(Draw::Level, 1_000)),
        ("GetPuzzle, 1,000 shelves, with pauses of 60 ms, p50 µs", Row::GetPuzzle(Draw::Seldom, 1_000)),
        ("GetPuzzle, 1,000 shelves, to an audience, p50 µs", Row::GetPuzzle(Draw::Audience, 1_000)),
    ];
    for (what, row) in rows {
        let mut cells = vec![what.to_owned()];
        for make in makes() {
            let world = World::new(make, row.connections()).await;
            cells.push(row.measure(&world, length).await);
        }
        println!("| {} |", cells.join(" | "));
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
enum Row {
    NoOps {
        tasks: usize,
        connections: u32,
    },
    Overhead,
    OverheadShare,
    Shelves {
        workers: usize,
        shelves: u8,
    },
    Bare,
    /// The draw, and the number of shelves.
    GetPuzzle(Draw, u16),
}

impl Row {
    fn connections(self) -> u32 {
        if let Self::NoOps { connections, .. } = self { connections } else { CONNECTIONS }
    }

    async fn measure(self, world: &World, length: Duration) -> String {
        match self {
            // An SQLite file has one writer, whatever the number of connections.
            Self::NoOps { connections, .. } if world.url.is_none() && connections != CONNECTIONS => String::new(),
            Self::NoOps { tasks, .. } => format!("{:.0}", slices::no_ops(world, tasks, length).await),
            Self::Overhead => format!("{:.2}", slices::overhead_ms(world, length).await),
            Self::OverheadShare => format!("{:.2} %", slices::overhead_ms(world, length).await / 10.0),
            Self::Shelves { workers, shelves } => {
                format!("{:.0}", shelves::puzzles_a_second(world, workers, shelves, length).await)
            }
            Self::Bare => draws::bare_us(world, length).await.map_or(String::new(), |us| format!("{us:.0}")),
            Self::GetPuzzle(draw, shelves) => {
                format!("{:.0}", draws::get_puzzle_us(world, draw, shelves, length).await)
            }
        }
    }
}
