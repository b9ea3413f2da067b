//! Deliveries to audiences: which puzzle a request gets, the puzzles that an audience holds, and the record of what it has had.

pub(crate) mod batch;
pub mod choose;
pub mod delivery;
pub(crate) mod delivery_store;
pub mod find;
pub(crate) mod find_store;
pub(crate) mod held;
pub mod history;
pub mod holder;
pub(crate) mod record;
pub(crate) mod release_store;
pub(crate) mod shuffle;
