//! `puzzled`, the puzzle daemon: uniquely solvable logic puzzles, generated, rated, stocked and served by gRPC.
//!
//! The library behind the program of the same name. What it offers to others is the contract ([`proto`]); everything else is
//! public for its own tests and benches. [`puzzled_engine`] makes, solves, and rates the puzzles.
//!
//! | layer, each above what it uses | what it does |
//! |---|---|
//! | [`cli`] | reads commands, flags, and the environment |
//! | [`app`], [`config`] | put the parts together and end them in order |
//! | [`service`] | answers calls; [`worker`] works on jobs |
//! | [`queue`] | decides which work is done when; [`stock`] draws puzzles and plans refills |
//! | [`store`] | keeps jobs, puzzles, and deliveries in SQLite or PostgreSQL |
//! | [`rules`] | decides, on plain data, about jobs, slices, targets, and deliveries |
//! | [`clock`], [`chance`], [`telemetry`] | are the only places that read clocks and random numbers of the system, or set up logs |

pub mod app;
mod batcher;
pub mod chance;
pub mod cli;
pub mod clock;
pub mod config;
pub mod live;
mod open_files;
pub mod proto;
pub mod queue;
pub mod rules;
pub mod service;
pub mod stock;
pub mod store;
pub mod telemetry;
pub mod worker;
