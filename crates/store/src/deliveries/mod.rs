//! Deliveries to audiences: which puzzle a request gets, the puzzles that an audience holds, and the record of what it has had.

pub mod audience;
pub mod batch;
pub mod choose;
pub mod delivery;
pub mod delivery_store;
pub mod find;
pub mod finds;
pub mod held;
pub mod history;
pub mod holder;
pub mod record;
pub mod releases;
