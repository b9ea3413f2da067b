//! How large the stock and its database may grow.

/// Bounds on growth; none leaves it unbounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Growth {
    /// Most puzzles in circulation.
    pub puzzles_max: Option<u64>,
    /// Most bytes that the database takes: used pages on SQLite, the size of the database on PostgreSQL.
    pub database_bytes_max: Option<u64>,
}
