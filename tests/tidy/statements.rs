//! The SQL of the store stands in its `.sql` files, and every statement lists its columns, because a newer binary may add a
//! column while this one serves.

use crate::{LINES_MAX, assert_none, files, graph::without_tests, read, rust_files};

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
    let faults = files("crates/store/src", "sql").into_iter().flat_map(|file| {
        let source = read(&file).split_whitespace().collect::<Vec<_>>().join(" ");
        let found = stars.iter().filter(move |star| source.contains(star.as_str()));
        found.map(move |star| format!("{file}: {star}")).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

/// Beginnings of strings with SQL.
const SQL: [&str; 4] = ["\"select ", "\"insert into ", "\"update ", "\"delete from "];

/// The files of `copy/` build statements from the columns that a table has.
#[test]
fn no_rust_file_of_the_store_has_sql() {
    let sources = rust_files("crates/store/src").into_iter().filter(|file| !file.contains("/copy/"));
    let faults = sources.flat_map(|file| {
        let source = read(&file);
        let lines = without_tests(&source).lines().enumerate();
        let found = lines.filter(|(_, line)| SQL.iter().any(|begin| line.contains(begin)));
        found.map(|(at, line)| format!("{file}:{}: {}", at + 1, line.trim())).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn files_of_statements_stay_small() {
    let sizes = files("crates/store/src", "sql").into_iter().map(|file| (read(&file).lines().count(), file));
    let faults = sizes.filter(|(lines, _)| *lines > LINES_MAX).map(|(lines, file)| format!("{file}: {lines} lines"));
    assert_none(&faults.collect::<Vec<_>>());
}
