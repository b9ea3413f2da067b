//! Tests of the gRPC API: a real client calls a server on a loopback port, with a real store. No worker runs; the tests
//! put puzzles into the stock through the queue.
#![cfg(test)]

mod audit;
mod batch;
mod boards;
mod calls;
mod connect;
mod connections;
mod contract;
mod criteria;
mod daily;
mod daily_kinds;
#[path = "../support"]
mod databases {
    mod binaries;
    mod cluster;
    pub(crate) mod home;
    mod in_memory;
    pub(crate) mod kinds;
    pub(crate) mod next_schema;
    pub(crate) mod postgres;
    pub(crate) mod refusals;
    pub(crate) mod second_run;
    pub(crate) mod verdicts;
}
mod deadlines;
mod deliveries;
mod drain;
mod draws;
#[path = "../support/dynamic.rs"]
mod dynamic;
mod errors;
mod export;
#[cfg(target_os = "linux")]
mod fairness;
mod forwarding;
mod generate;
mod growth;
mod health;
mod held;
mod hints;
mod histories;
mod imports;
mod jobs;
mod kakuro;
mod killer;
mod kinds;
mod known;
mod largest;
mod limits;
mod lists;
mod log;
mod on_postgres;
mod pictures;
mod prelude;
mod printed;
mod processes;
mod queue;
mod raw;
mod refills;
mod reflection;
mod refusals;
mod refused_kinds;
mod scramble;
mod server;
mod steps;
mod store;
mod structure;
mod styles;
mod sudoku;
mod targets;
mod texts;
mod upgrade;
mod waits;
mod watch;
mod withdrawals;
