//! An SQLite file as the source or target of a copy: reads and inserts rows, marks its role, and fences a source.

use async_trait::async_trait;
use sqlx::{
    AssertSqlSafe, Connection as _, Row as _, SqliteConnection, TypeInfo as _, ValueRef as _,
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};

use super::{
    TABLES,
    ends::{Column, End, Rows, Seen, Value},
    tables::{PROCESSES, Table},
};
use crate::{
    clock::Millis,
    store::{
        StoreError,
        moved::{FENCED, MARK, Side, UNMARK, side_of_sqlite},
        schema::Newer,
        sqlite::{SqliteSettings, schema},
    },
};

#[derive(Debug)]
pub(super) struct SqliteEnd {
    db: SqliteConnection,
    name: String,
    newer: Option<Newer>,
}

impl SqliteEnd {
    /// Opens an existing file.
    pub(super) async fn open_source(settings: &SqliteSettings, name: String) -> Result<Box<dyn End>, StoreError> {
        let mut db = schema::connect(settings).await?;
        match schema::is_readable(settings, &mut db).await {
            Ok(newer) => Ok(Box::new(Self { db, name, newer })),
            Err(error) => {
                db.close().await?;
                Err(error)
            }
        }
    }

    /// Opens a file, and creates it if it does not exist.
    pub(super) async fn open_target(settings: &SqliteSettings, name: String) -> Result<Box<dyn End>, StoreError> {
        let newer = schema::migrate(settings).await?.newer;
        Ok(Box::new(Self { db: schema::connect(settings).await?, name, newer }))
    }
}

#[async_trait]
impl End for SqliteEnd {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn newer(&self) -> Option<Newer> {
        self.newer
    }

    async fn columns(&mut self, table: &'static Table) -> Result<Vec<Column>, StoreError> {
        let found: Vec<(String, String)> = sqlx::query_as("select name, type from pragma_table_info(?) order by name")
            .bind(table.name)
            .fetch_all(&mut self.db)
            .await?;
        Ok(found.into_iter().map(|(name, kind)| Column { name, kind }).collect())
    }

    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError> {
        let statement = format!("select count(*) from {}", table.name);
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut self.db).await?;
        Ok(count.unsigned_abs())
    }

    async fn seen_last(&mut self, within_ms: i64, now: Millis) -> Result<Option<Seen>, StoreError> {
        let found: Option<(String, String, String, i64, i64)> = sqlx::query_as(
            "select name, role, host, pid, ?1 - seen_at from processes
             where seen_at > ?1 - ?2
             order by seen_at desc limit 1",
        )
        .bind(now.0)
        .bind(within_ms)
        .fetch_optional(&mut self.db)
        .await?;
        Ok(found.map(|(name, role, host, pid, ago_ms)| Seen { name, role, host, pid, ago_ms }))
    }

    async fn side(&mut self) -> Result<Option<(Side, String)>, StoreError> {
        side_of_sqlite(&mut self.db).await
    }

    async fn take_side(&mut self, side: Side, other: &str) -> Result<(), StoreError> {
        let mut write = self.db.begin_with("begin immediate").await?;
        sqlx::raw_sql(MARK).execute(&mut *write).await?;
        sqlx::query("insert into moved (side, other) values (?, ?)")
            .bind(side.name())
            .bind(other)
            .execute(&mut *write)
            .await?;
        if side == Side::Target {
            sqlx::raw_sql("delete from queue").execute(&mut *write).await?;
        }
        if side == Side::Source {
            let error = format!("{FENCED}{other}").replace('\'', "''");
            for name in TABLES.iter().map(|table| table.name).chain([PROCESSES]) {
                for change in ["insert", "update", "delete"] {
                    let trigger = format!(
                        "create trigger fence_{change}_{name} before {change} on {name}
                         begin select raise(abort, '{error}'); end"
                    );
                    sqlx::raw_sql(AssertSqlSafe(trigger)).execute(&mut *write).await?;
                }
            }
        }
        write.commit().await?;
        Ok(())
    }

    async fn last_key(&mut self, table: &'static Table, columns: &[Column]) -> Result<Option<Vec<Value>>, StoreError> {
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let order: Vec<_> = table.key.iter().map(|key| format!("{key} desc")).collect();
        let statement =
            format!("select {} from {} order by {} limit 1", names.join(", "), table.name, order.join(", "));
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_optional(&mut self.db).await?;
        let values = row.map(|row| values(&row)).transpose()?;
        Ok(values.map(|values| table.key_of(columns, &values)))
    }

    async fn rows_after(
        &mut self,
        table: &'static Table,
        columns: &[Column],
        after: Option<&[Value]>,
        limit: i64,
    ) -> Result<Rows, StoreError> {
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let key = table.key.join(", ");
        let marks = vec!["?"; table.key.len()].join(", ");
        let behind = after.map_or_else(String::new, |_| format!("where ({key}) > ({marks})"));
        let statement = format!("select {} from {} {behind} order by {key} limit ?", names.join(", "), table.name);
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for value in after.unwrap_or_default() {
            query = bound(query, value);
        }
        let found = query.bind(limit).fetch_all(&mut self.db).await?;
        found.iter().map(values).collect()
    }

    async fn insert(&mut self, table: &'static Table, columns: &[Column], rows: Rows) -> Result<(), StoreError> {
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let marks = vec!["?"; columns.len()].join(", ");
        let statement = format!("insert into {} ({}) values ({marks})", table.name, names.join(", "));
        let mut write = self.db.begin_with("begin immediate").await?;
        for row in &rows {
            let mut query = sqlx::query(AssertSqlSafe(statement.clone()));
            for value in row {
                query = bound(query, value);
            }
            query.execute(&mut *write).await?;
        }
        write.commit().await?;
        Ok(())
    }

    async fn finish(&mut self) -> Result<(), StoreError> {
        // New ids continue after the highest one by default.
        sqlx::raw_sql(UNMARK).execute(&mut self.db).await?;
        Ok(())
    }

    async fn close(self: Box<Self>) {
        // Commits are on the disk, and the next process to open the file takes over its log.
        let _ = self.db.close().await;
    }
}

fn bound<'q>(
    query: Query<'q, sqlx::Sqlite, SqliteArguments>,
    value: &'q Value,
) -> Query<'q, sqlx::Sqlite, SqliteArguments> {
    match value {
        Value::Null => query.bind(None::<i64>),
        Value::Integer(integer) => query.bind(integer),
        Value::Text(text) => query.bind(text),
        Value::Bytes(bytes) => query.bind(bytes),
    }
}

fn values(row: &SqliteRow) -> Result<Vec<Value>, StoreError> {
    (0..row.len())
        .map(|at| {
            let value = row.try_get_raw(at)?;
            if value.is_null() {
                // The type of a null value is reported as the column's, and would be read as 0 or as an empty text.
                return Ok(Value::Null);
            }
            Ok(match value.type_info().name() {
                "INTEGER" | "BOOLEAN" => Value::Integer(row.try_get(at)?),
                "BLOB" => Value::Bytes(row.try_get(at)?),
                _ => Value::Text(row.try_get(at)?),
            })
        })
        .collect()
}
