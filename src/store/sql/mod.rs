//! What the statements for both databases share: lists of columns, rows, and transactions.

pub(super) mod database;
pub(super) mod record;
pub(super) mod rows;
pub(super) mod statement;
