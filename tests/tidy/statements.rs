//! Every SQL statement in the store lists its columns, because a newer binary may add a column while this one serves.
//! The store runs every file in `migrations`.

use crate::{assert_none, files, read, rust_files};

/// Tables whose rows the store reads.
const TABLES: [&str; 15] = [
    "jobs",
    "slices",
    "targets",
    "shelves",
    "puzzles",
    "ratings",
    "queue",
    "processes",
    "deliveries",
    "requests",
    "rates",
    "audiences",
    "cursors",
    "swaps",
    "audit",
];

#[test]
fn no_statement_of_the_store_reads_all_columns_of_a_table() {
    let stars = TABLES.iter().flat_map(|table| [format!("select * from {table}"), format!("{table}.*")]);
    let stars: Vec<_> = stars.chain(["returning *".to_owned(), ", * from".to_owned()]).collect();
    let faults = rust_files("crates/store/src").into_iter().flat_map(|file| {
        let source = read(&file);
        let found = source.lines().enumerate().filter(|(_, line)| stars.iter().any(|star| line.contains(star)));
        found.map(|(at, line)| format!("{file}:{}: {}", at + 1, line.trim())).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn every_file_of_migrations_is_run() {
    let faults = ["sqlite", "postgres"].into_iter().flat_map(|database| {
        let schema = read(&format!("crates/store/src/{database}/schema.rs"));
        let migrations = files(&format!("migrations/{database}"), "sql").into_iter();
        migrations.filter(move |file| !schema.contains(file.as_str())).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}
