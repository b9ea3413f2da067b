//! `puzzled`, the puzzle daemon: generates logic puzzles with one solution, rates and stores them, and serves them over
//! gRPC.
//!
//! This is the library of the program with the same name. Its public interface is the API ([`puzzled_api`]); everything else
//! is public only for its own tests and benchmarks. [`puzzled_engine`] makes, solves, and rates the puzzles.
//!
//! | layer (uses those below) | what it does |
//! |---|---|
//! | [`cli`] | reads commands, flags, and the environment |
//! | [`app`] | starts the parts of a process and stops them in order |
//! | [`ops`] | answers probes and scrapes |
//! | [`service`], [`worker`] | answer calls, and work on jobs |
//! | [`tls`], [`telemetry`] | encrypt connections, and collect logs, metrics, and spans |
//! | [`queue`], [`stock`] | decide which work is done when, and draw puzzles and plan refills |
//! | [`settings`] | defines the settings with their defaults, and takes over new ones |
//! | [`access`] | identifies callers |
//! | [`store`] | keeps jobs, puzzles, and deliveries in SQLite or PostgreSQL |
//! | [`rules`] | decides, on plain data, about jobs, slices, targets, and deliveries |
//! | [`system`] | reads changed files again, and tells systemd the state of the process |

pub mod access;
pub mod app;
pub mod cli;
pub mod ops;
pub mod queue;
pub mod rules;
pub mod service;
pub mod settings;
pub mod stock;
pub mod store;
pub mod system;
pub mod telemetry;
pub mod tls;
pub mod worker;
