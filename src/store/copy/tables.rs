//! The list of tables that a copy includes. A test compares it with the schemas of both databases.

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct Table {
    pub(in crate::store) name: &'static str,
    /// The columns of its primary key, which order its rows.
    pub(super) key: &'static [&'static str],
}

/// The table whose one row a new database already has. The source's row replaces it.
pub(super) const QUEUE: &str = "queue";

/// All tables, each after those that it refers to.
pub(in crate::store) const TABLES: &[Table] = &[
    Table { name: "targets", key: &["id"] },
    Table { name: "jobs", key: &["id"] },
    Table { name: "requests", key: &["request_id"] },
    Table { name: "slices", key: &["id"] },
    Table { name: "shelves", key: &["id"] },
    Table { name: "puzzles", key: &["id"] },
    Table { name: "audiences", key: &["id"] },
    Table { name: "deliveries", key: &["id"] },
    Table { name: "cursors", key: &["audience_id", "shelf_id"] },
    Table { name: "swaps", key: &["audience_id", "shelf_id", "draw_index"] },
    Table { name: "rates", key: &["spec", "engine_version"] },
    Table { name: "ratings", key: &["puzzle_id", "rater", "rater_version"] },
    Table { name: "reclaimed_slices", key: &["id"] },
    Table { name: "audit", key: &["id"] },
    Table { name: QUEUE, key: &["id"] },
];

/// The table of processes. It is not copied, because its processes served the file.
pub(in crate::store) const PROCESSES: &str = "processes";

#[cfg(test)]
mod tests {
    use super::*;

    /// Not copied: each end has the row from its own migrations, and both ends must have equal versions.
    const SCHEMA: &str = "schema";

    #[test]
    fn every_table_except_processes_and_schema_is_copied() {
        for schema in ["sqlite", "postgres"] {
            let file = format!("{}/migrations/{schema}/0001_initial.sql", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(file).unwrap();
            let mut tables: Vec<_> =
                text.lines().filter_map(|line| line.strip_prefix("create table ")?.split([' ', '(']).next()).collect();
            tables.sort_unstable();
            let mut listed: Vec<_> = TABLES.iter().map(|table| table.name).chain([PROCESSES, SCHEMA]).collect();
            listed.sort_unstable();
            assert_eq!(listed, tables, "{schema}");
        }
    }
}
