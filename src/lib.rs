//! `puzzled`, the puzzle daemon: uniquely solvable logic puzzles, generated, rated, stocked and served by gRPC.

pub mod app;
pub mod chance;
pub mod cli;
pub mod clock;
pub mod config;
pub mod proto;
pub mod queue;
pub mod rules;
pub mod service;
pub mod stock;
pub mod store;
pub mod telemetry;
pub mod worker;
