//! `puzzled`, the puzzle daemon: generates logic puzzles with one solution, rates and stores them, and serves them over
//! gRPC.
//!
//! This is the library of the program with the same name. Its public interface is the API ([`puzzled_api`]); everything else
//! is public only for its own tests and benchmarks. [`puzzled_engine`] makes, solves, and rates the puzzles; [`puzzled_store`] keeps them,
//! and decides about jobs, stock, and deliveries.
//!
//! | layer (uses those below) | what it does |
//! |---|---|
//! | [`operate`] | reads commands, flags, and the environment, and runs the commands that open a database |
//! | [`app`] | starts the parts of a process and stops them in order |
//! | [`ops`] | answers probes and scrapes |
//! | [`door`], [`work`] | accept connections, and work on jobs |
//! | [`puzzles`], [`stock`], [`series`], [`server`], [`jobs`] | answer the methods of one service of the API each |
//! | [`wire`] | reads and writes what messages of several services contain |
//! | [`calls`] | surrounds each call: identifies, limits, guards, and logs it |
//! | [`tls`], [`telemetry`] | encrypt connections, and collect logs, metrics, and spans |
//! | [`settings`] | defines the settings with their defaults, and takes over new ones |
//! | [`access`] | identifies callers |
//! | [`system`] | reads changed files again, and tells systemd the state of the process |

pub mod access;
pub mod app;
pub mod calls;
pub mod door;
pub mod jobs;
pub mod operate;
pub mod ops;
pub mod puzzles;
pub mod series;
pub mod server;
pub mod settings;
pub mod stock;
pub mod system;
pub mod telemetry;
pub mod tls;
pub mod wire;
pub mod work;
