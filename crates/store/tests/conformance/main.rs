//! The conformance suite of the `Store` traits: cases that the stores for SQLite and PostgreSQL must pass. The module
//! `cases` lists them.
#![expect(clippy::unwrap_used, reason = "clippy does not recognize tests without the usual harness")]

mod abandon;
mod audit;
mod backend;
mod cancel;
mod cases;
mod claim;
mod commit;
mod copy;
mod criteria;
mod days;
#[path = "../../../../tests/support"]
mod databases {
    mod binaries;
    pub(crate) mod cluster;
    pub(crate) mod in_memory;
    pub(crate) mod incompatible_schema;
    pub(crate) mod next_schema;
    pub(crate) mod postgres;
    pub(crate) mod presence;
    mod restart;
}
mod deliveries;
mod draws;
mod end;
mod enqueue;
mod growth;
mod held;
mod histories;
mod imports;
mod jobs;
mod leases;
mod migrating;
mod pause;
mod postgres;
mod prelude;
mod printed;
mod processes;
mod prune;
mod puzzles;
mod quotas;
mod ratings;
mod refills;
mod repeats;
mod schema;
mod series;
mod series_kinds;
mod shelves;
#[path = "../../sql_files.rs"]
mod sql_files;
mod sqlite;
mod statements;
#[path = "../support/mod.rs"]
mod support;
mod targets;
mod top_ups;
mod versions;
mod watch;
mod withdrawals;
mod work;

use std::process::ExitCode;

use backend::{Backend, Postgres, Sqlite, World, in_time};
use cases::{OF_POSTGRES, OF_SQLITE, Own, SHARED, Shared};
use databases::presence::is_expected;
use libtest_mimic::{Arguments, Trial};
use tokio::runtime;

/// The cases that run at once. Most of their time, they wait for PostgreSQL.
const THREADS: usize = 6;

/// Without a PostgreSQL server, the cases for PostgreSQL are reported as ignored.
fn main() -> ExitCode {
    let (arguments, is_ignored) = (Arguments::from_args(), !is_expected());
    let arguments = Arguments { test_threads: arguments.test_threads.or(Some(THREADS)), ..arguments };
    let shared = |on: &str, run: fn(Shared)| -> Vec<_> {
        SHARED.iter().map(|&(name, case)| trial(format!("{on}::{name}"), move || run(case))).collect()
    };
    let own = |cases: &[(&'static str, Own)]| -> Vec<_> {
        cases.iter().map(|&(name, case)| trial(name.to_owned(), move || run(in_time(case())))).collect()
    };
    let on_sqlite = shared("on_sqlite", |case| run_on(Sqlite::new(), case));
    let on_postgres = shared("on_postgres", |case| run_on(Postgres::new(), case));
    let on_postgres = on_postgres.into_iter().chain(own(OF_POSTGRES)).map(|trial| trial.with_ignored_flag(is_ignored));
    let trials = on_sqlite.into_iter().chain(own(OF_SQLITE)).chain(on_postgres).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(name: String, case: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        case();
        Ok(())
    })
}

/// Runs a case on a new store.
fn run_on(backend: impl Backend + 'static, case: Shared) {
    run(in_time(async {
        let world = World::new(Box::new(backend));
        let store = world.open().await;
        case(&*store, &world).await;
    }));
}

fn run(case: impl Future<Output = ()>) {
    runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(case);
}
