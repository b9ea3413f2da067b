//! Cases for the statements of the `.sql` files: each database prepares its own.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection as _, Executor, SqlSafeStr as _, SqliteConnection};

use crate::{
    backend::{Postgres, Sqlite, open},
    sql_files::{Texts, read},
};

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

/// Prepares the statements of one database, and fails with all that it refuses.
async fn prepares<C>(db: &mut C, of: impl Fn(Texts) -> Option<String>)
where
    for<'c> &'c mut C: Executor<'c>,
{
    let mut refused = Vec::new();
    for ((topic, word), texts) in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        // Some texts have several statements, which a server prepares one by one.
        for sql in of(texts).iter().flat_map(|text| text.split(';')) {
            if let Err(error) = db.prepare(AssertSqlSafe(sql).into_sql_str()).await {
                refused.push(format!("{topic}.{word}: {error}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
