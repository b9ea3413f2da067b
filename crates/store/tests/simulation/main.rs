//! A seeded simulation of the job queue, on a real database. Virtual workers in three processes meet faults at every statement,
//! crashes, clock jumps, cancellations, and retries, until a calm phase in which everything has to be made and delivered.
//!
//! `PUZZLED_SIM_SEEDS=500` sets the number of seeds, `PUZZLED_SOAK=1` runs a thousand, and `PUZZLED_SIM_SEED=17` runs that one.
#![cfg(test)]

mod acts;
mod audiences;
mod calm;
mod chaos;
mod concurrent;
#[path = "../../../../tests/support"]
mod databases {
    mod binaries;
    mod cluster;
    pub(crate) mod home;
    mod in_memory;
    pub(crate) mod next_schema;
    mod postgres;
}
mod faults;
mod growth;
mod laws;
mod ledger;
mod people;
mod planners;
mod process;
mod rows;
mod state;
#[path = "../support/mod.rs"]
mod support;
mod targets;
mod toy;
mod upgrade;
mod worker;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use databases::home::Home;

/// Seeds of a run on SQLite, unless the environment sets another number. PostgreSQL is slower: there, a run takes one seed in
/// [`FEWER_ON_POSTGRES`].
const SEEDS: u64 = 32;

/// Seeds of a run with `PUZZLED_SOAK=1`.
const SEEDS_OF_A_SOAK: u64 = 1_000;

/// Seeds that are enough for a fault at every point, the rarest included.
const SEEDS_FOR_EVERY_POINT: u64 = 300;

const FEWER_ON_POSTGRES: u64 = 8;

/// Creates an empty database.
type NewHome = fn() -> Home;

const ON_SQLITE: NewHome = Home::in_file;
const ON_POSTGRES: NewHome = Home::on_server;

#[test]
fn chaos_loses_nothing_and_makes_nothing_twice() {
    chaos_on(ON_SQLITE, seeds());
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn chaos_loses_nothing_and_makes_nothing_twice_on_postgres() {
    chaos_on(ON_POSTGRES, seeds() / FEWER_ON_POSTGRES);
}

fn chaos_on(new_home: NewHome, seeds: u64) {
    let seeds = if let Some(seed) = number("PUZZLED_SIM_SEED") { seed..seed + 1 } else { 0..seeds };
    let enough = seeds.end - seeds.start >= SEEDS_FOR_EVERY_POINT;
    let next = AtomicU64::new(seeds.start);
    let points = Mutex::new(faults::Met::default());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= seeds.end {
                        return;
                    }
                    let (met, _) = run(new_home(), seed);
                    let mut points = points.lock().unwrap();
                    points.points.extend(met.points);
                    points.times_full += met.times_full;
                    points.failed.extend(met.failed);
                    points.abandoned.extend(met.abandoned);
                }
            });
        }
    });
    let met = points.into_inner().unwrap();
    // Without a full stock, the run did not test the bounds on the stock.
    assert!(met.times_full > 0 || seeds.end - seeds.start < SEEDS / FEWER_ON_POSTGRES);
    if enough {
        assert!(met.points.len() > 50, "{:?}", met.points);
        for point in met.points.keys() {
            assert!(met.failed.contains(point), "{point} has never failed");
            let is_abandoned = met.abandoned.contains(point) || faults::is_shared(point);
            assert!(is_abandoned, "{point} has never been abandoned");
        }
    }
}

#[test]
fn equal_seeds_give_equal_runs() {
    equal_seeds_on(ON_SQLITE);
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn equal_seeds_give_equal_runs_on_postgres() {
    equal_seeds_on(ON_POSTGRES);
}

fn equal_seeds_on(new_home: NewHome) {
    let [first, second] = [(), ()].map(|()| format!("{:?}", run(new_home(), 1)));
    assert_eq!(first, second);
}

#[test]
fn concurrent_workers_lose_nothing_and_make_nothing_twice() {
    at_once_on(ON_SQLITE, seeds() / 8);
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn concurrent_workers_lose_nothing_and_make_nothing_twice_on_postgres() {
    at_once_on(ON_POSTGRES, seeds() / 8);
}

fn at_once_on(new_home: NewHome, seeds: u64) {
    for seed in 0..seeds {
        let _named = Named(seed);
        let home = new_home();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(concurrent::run(&home, seed));
    }
}

fn run(home: Home, seed: u64) -> (faults::Met, state::State) {
    let _named = Named(seed);
    // One thread and one call at a time, so that equal seeds give equal runs.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(chaos::run(home, seed))
}

/// Prints the seed if the test panics.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("seed {}: to run it alone, set PUZZLED_SIM_SEED={}", self.0, self.0);
        }
    }
}

fn seeds() -> u64 {
    let usual = if number("PUZZLED_SOAK") == Some(1) { SEEDS_OF_A_SOAK } else { SEEDS };
    number("PUZZLED_SIM_SEEDS").unwrap_or(usual)
}

#[expect(clippy::disallowed_methods, reason = "a person or a script sets the number of seeds")]
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a number"))
}
