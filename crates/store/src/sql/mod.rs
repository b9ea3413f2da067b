//! What the statements for both databases share: their texts, rows, transactions, and batches of calls.

pub(super) mod batcher;
pub(super) mod database;
pub(super) mod record;
pub(super) mod rows;
pub(super) mod spec_columns;
pub(super) mod statement;

/// The statements of the `.sql` files. `build.rs` writes a constant for each.
pub(super) mod statements {
    use super::statement::Sql;

    include!(concat!(env!("OUT_DIR"), "/statements.rs"));
}
