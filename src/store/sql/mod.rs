//! What the statements for both databases share: lists of columns, rows, and transactions.

pub(super) mod column_lists;
pub(super) mod database;
pub(super) mod record;
pub(super) mod rows;
