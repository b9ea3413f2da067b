//! What the statements for both databases share: lists of columns, rows, transactions, and batches of calls.

pub(super) mod batcher;
pub(super) mod database;
pub(super) mod record;
pub(super) mod rows;
pub(super) mod statement;
