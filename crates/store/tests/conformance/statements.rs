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
    let plans = plans("queue").await;
    let of_puzzles = |mark: &str| plans.iter().filter(|step| step.contains(mark)).cloned().collect::<Vec<_>>();
    assert!(!of_puzzles("INDEX puzzles_held").is_empty(), "{plans:?}");
    assert_eq!(of_puzzles("SCAN puzzles"), Vec::<String>::new());
}

/// With 10,000 open jobs, a claim that sorted them took 20 ms, and an enqueue that read the turn of each took 4 ms.
pub(crate) async fn file_chooses_a_job_by_an_index() {
    let mut steps = plans("claim").await;
    steps.extend(plans("enqueue").await);
    for (statement, index) in [
        ("choose_job", "jobs_by_priority"),
        ("choose_job", "jobs_by_turn"),
        ("due", "jobs_by_start"),
        ("start_job", "jobs_by_turn"),
        ("insert_jobs", "jobs_by_turn"),
    ] {
        assert!(steps.iter().any(|step| step.starts_with(statement) && step.contains(index)), "{statement}: {steps:?}");
    }
    let sorts: Vec<_> = steps.iter().filter(|step| step.starts_with("choose_job: USE TEMP B-TREE")).collect();
    assert!(sorts.is_empty(), "{steps:?}");
}

/// The steps of SQLite's plans for the statements of a topic, each with the name of its statement.
async fn plans(topic: &str) -> Vec<String> {
    let file = Sqlite::new();
    open(&file).await.unwrap().close().await;
    let mut db = SqliteConnection::connect(file.settings().path.to_str().unwrap()).await.unwrap();
    let mut steps = Vec::new();
    for ((of, word), texts) in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let Some(sql) = texts.sqlite.filter(|_| of == topic) else { continue };
        let plan = sqlx::raw_sql(AssertSqlSafe(format!("explain query plan {sql}"))).fetch_all(&mut db).await.unwrap();
        steps.extend(plan.iter().map(|row| format!("{word}: {}", row.get::<String, _>("detail"))));
    }
    steps
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
