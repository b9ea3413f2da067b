//! The tables that a copy has to take along. A test holds this list against both schemas.

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The columns of its primary key, by which its rows are ordered.
    pub(super) key: &'static [&'static str],
}

/// All tables, each behind those that it refers to.
pub(super) const TABLES: &[Table] = &[
    Table { name: "jobs", key: &["id"] },
    Table { name: "requests", key: &["request_id"] },
    Table { name: "slices", key: &["id"] },
    Table { name: "shelves", key: &["id"] },
    Table { name: "puzzles", key: &["id"] },
];
