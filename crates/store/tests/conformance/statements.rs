//! Cases for the statements of the `.sql` files: each database prepares its own.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use sqlx::{
    AssertSqlSafe, Column as _, Connection as _, Database, Executor, Row as _, SqlSafeStr as _, SqliteConnection,
    Statement as _,
};

use crate::{
    backend::{Postgres, Sqlite, open},
    sql_files::{Texts, read},
};

/// Statements that read a whole row, each with a column that no statement reads alone.
const WHOLE: [(&str, &str); 6] = [
    ("jobs.by_id", "next_index"),
    ("claim.carve", "first_try"),
    ("queue.growth", "bytes_used"),
    ("stock.shelves", "empty"),
    ("target.by_id", "low_water"),
    ("page.by_id", "shelf_givens"),
];

pub(crate) async fn file_prepares_each_statement() {
    let file = Sqlite::new();
    open(&file).await.unwrap().close().await;
    let mut db = SqliteConnection::connect(file.settings().path.to_str().unwrap()).await.unwrap();
    prepares(&mut db, |texts| texts.sqlite).await;
}

pub(crate) async fn server_prepares_each_statement() {
    let server = Postgres::new();
    open(&server).await.unwrap().close().await;
    prepares(&mut server.connection().await, |texts| texts.postgres).await;
}

/// Without statistics, SQLite chose an index with all puzzles in stock to count the held ones. Workers count them at each slice.
pub(crate) async fn file_counts_the_queue_without_reading_each_puzzle() {
    let file = Sqlite::new();
    open(&file).await.unwrap().close().await;
    let mut db = SqliteConnection::connect(file.settings().path.to_str().unwrap()).await.unwrap();
    let (mut counts, mut scans) = (0, Vec::new());
    for ((topic, word), texts) in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let of_queue = texts.sqlite.filter(|sql| topic == "queue" && sql.contains("from puzzles"));
        let Some(sql) = of_queue else { continue };
        let plan = sqlx::raw_sql(AssertSqlSafe(format!("explain query plan {sql}"))).fetch_all(&mut db).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
        counts += usize::from(plan.iter().any(|step| step.contains("INDEX puzzles_held")));
        scans.extend(
            plan.into_iter().filter(|step| step.starts_with("SCAN puzzles")).map(|step| format!("{word}: {step}")),
        );
    }
    assert!(counts > 0 && scans.is_empty(), "{counts} {scans:?}");
}

/// Prepares the statements of one database. Fails with all that it refuses, and with all that read a part of a row.
async fn prepares<D: Database, C>(db: &mut C, of: impl Fn(Texts) -> Option<String>)
where
    for<'c> &'c mut C: Executor<'c, Database = D>,
{
    let (mut faults, mut columns) = (Vec::new(), BTreeMap::new());
    for ((topic, word), texts) in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let name = format!("{topic}.{word}");
        // Some texts have several statements, which a server prepares one by one.
        for sql in of(texts).iter().flat_map(|text| text.split(';')) {
            match db.prepare(AssertSqlSafe(sql).into_sql_str()).await {
                Ok(prepared) => {
                    let names = prepared.columns().iter().map(|column| column.name().to_owned());
                    columns.insert(name.clone(), names.collect::<BTreeSet<_>>());
                }
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    for (whole, mark) in WHOLE {
        for (name, own) in columns.iter().filter(|(_, own)| own.contains(mark)) {
            let lacks = columns[whole].difference(own).map(|column| format!("{name}: lacks {column}, unlike {whole}"));
            faults.extend(lacks);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
