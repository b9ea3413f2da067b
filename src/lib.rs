//! `puzzled`, the puzzle daemon: uniquely solvable logic puzzles, generated, rated, stocked and served by gRPC.

pub mod chance;
pub mod clock;
pub mod engine;
pub mod queue;
pub mod stock;
pub mod store;
pub mod worker;
