//! A PostgreSQL database as the source or target of a copy: reads and inserts rows, marks its role, and fences a
//! source.

use async_trait::async_trait;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, Row as _,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::{
    TABLES,
    ends::{Column, End, Rows, Seen, Value},
    tables::{PROCESSES, QUEUE, Table},
};
use crate::{
    clock::Millis,
    store::{
        StoreError,
        moved::{FENCED, MARK, Side, UNMARK, side_of_postgres},
        postgres::{PostgresSettings, locks::hold_copy, schema},
        schema::Newer,
    },
};

#[derive(Debug)]
pub(super) struct PostgresEnd {
    db: PgConnection,
    name: String,
    newer: Option<Newer>,
}

impl PostgresEnd {
    /// Opens a database that has the schema.
    pub(super) async fn open_source(settings: &PostgresSettings, name: String) -> Result<Box<dyn End>, StoreError> {
        let mut db = connect(settings).await?;
        let newer = schema::is_readable(settings, &mut db).await?;
        Ok(Box::new(Self { db, name, newer }))
    }

    /// Opens a database, and creates the schema if it has none.
    pub(super) async fn open_target(settings: &PostgresSettings, name: String) -> Result<Box<dyn End>, StoreError> {
        let newer = schema::migrate(settings).await?.newer;
        let mut db = connect(settings).await?;
        hold_copy(&mut db).await?;
        Ok(Box::new(Self { db, name, newer }))
    }
}

/// Connects without the time limits of the store, because a count of a large table may be slow.
async fn connect(settings: &PostgresSettings) -> Result<PgConnection, StoreError> {
    Ok(settings.url.options().connect().await?)
}

/// A trigger function that each table of a fenced database calls before a change, and that refuses the change.
fn fence() -> String {
    format!(
        "create function fence() returns trigger language plpgsql as $$
         begin
             raise exception '%', '{FENCED}' || (select other from moved);
         end
         $$"
    )
}

#[async_trait]
impl End for PostgresEnd {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn newer(&self) -> Option<Newer> {
        self.newer
    }

    async fn columns(&mut self, table: &'static Table) -> Result<Vec<Column>, StoreError> {
        let found: Vec<(String, String)> = sqlx::query_as(
            "select attname::text, format_type(atttypid, null)
             from pg_attribute
             where attrelid = $1::regclass and attnum > 0 and not attisdropped
             order by attname collate \"C\"",
        )
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

    async fn seen_last(&mut self, within_ms: i64, _now: Millis) -> Result<Option<Seen>, StoreError> {
        let found: Option<(String, String, String, i64, i64)> = sqlx::query_as(
            "with clock as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)
             select name, role, host, pid, now - seen_at
             from processes cross join clock
             where seen_at > now - $1
             order by seen_at desc limit 1",
        )
        .bind(within_ms)
        .fetch_optional(&mut self.db)
        .await?;
        Ok(found.map(|(name, role, host, pid, ago_ms)| Seen { name, role, host, pid, ago_ms }))
    }

    async fn side(&mut self) -> Result<Option<(Side, String)>, StoreError> {
        side_of_postgres(&mut self.db).await
    }

    async fn take_side(&mut self, side: Side, other: &str) -> Result<(), StoreError> {
        let mut write = self.db.begin().await?;
        sqlx::raw_sql(MARK).execute(&mut *write).await?;
        sqlx::query("insert into moved (side, other) values ($1, $2)")
            .bind(side.name())
            .bind(other)
            .execute(&mut *write)
            .await?;
        if side == Side::Target {
            sqlx::raw_sql("delete from queue").execute(&mut *write).await?;
        }
        if side == Side::Source {
            sqlx::raw_sql(AssertSqlSafe(fence())).execute(&mut *write).await?;
            for name in TABLES.iter().map(|table| table.name).chain([PROCESSES]) {
                let trigger = format!(
                    "create trigger fence before insert or update or delete or truncate on {name}
                     for each statement execute function fence()"
                );
                // Waits for writes in progress, so that their commits are copied too.
                sqlx::raw_sql(AssertSqlSafe(trigger)).execute(&mut *write).await?;
            }
        }
        write.commit().await?;
        Ok(())
    }

    async fn last_key(&mut self, table: &'static Table, columns: &[Column]) -> Result<Option<Vec<Value>>, StoreError> {
        let order: Vec<_> = table.key.iter().map(|key| format!("{} desc", sortable(key, columns))).collect();
        let statement =
            format!("select {} from {} order by {} limit 1", selected(columns), table.name, order.join(", "));
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_optional(&mut self.db).await?;
        let values = row.map(|row| values(&row, columns)).transpose()?;
        Ok(values.map(|values| table.key_of(columns, &values)))
    }

    async fn rows_after(
        &mut self,
        table: &'static Table,
        columns: &[Column],
        after: Option<&[Value]>,
        limit: i64,
    ) -> Result<Rows, StoreError> {
        let key: Vec<_> = table.key.iter().map(|key| sortable(key, columns)).collect();
        let key = key.join(", ");
        let marks: Vec<_> = (2..2 + table.key.len()).map(|mark| format!("${mark}")).collect();
        let behind = after.map_or_else(String::new, |_| format!("where ({key}) > ({})", marks.join(", ")));
        let statement = format!("select {} from {} {behind} order by {key} limit $1", selected(columns), table.name);
        let mut query = sqlx::query(AssertSqlSafe(statement)).bind(limit);
        for value in after.unwrap_or_default() {
            query = match value {
                Value::Null => query.bind(None::<i64>),
                Value::Integer(integer) => query.bind(integer),
                Value::Text(text) => query.bind(text),
                Value::Bytes(bytes) => query.bind(bytes),
            };
        }
        let found = query.fetch_all(&mut self.db).await?;
        found.iter().map(|row| values(row, columns)).collect()
    }

    async fn insert(&mut self, table: &'static Table, columns: &[Column], rows: Rows) -> Result<(), StoreError> {
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let arrays: Vec<_> =
            columns.iter().zip(1..).map(|(column, mark)| format!("${mark}::{}[]", wire(column))).collect();
        let casts: Vec<_> = columns.iter().map(cast_back).collect();
        let (names, arrays, casts) = (names.join(", "), arrays.join(", "), casts.join(", "));
        let name = table.name;
        let statement =
            format!("insert into {name} ({names}) select {casts} from unnest({arrays}) as copied ({names})");
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (at, column) in columns.iter().enumerate() {
            query = bound(query, column, rows.iter().map(|row| &row[at]));
        }
        query.execute(&mut self.db).await?;
        Ok(())
    }

    async fn finish(&mut self) -> Result<(), StoreError> {
        let mut write = self.db.begin().await?;
        // The id of the queue's row is fixed.
        for table in TABLES.iter().filter(|table| table.key == ["id"] && table.name != QUEUE) {
            let name = table.name;
            let statement = format!(
                "select setval(pg_get_serial_sequence('{name}', 'id'), (select max(id) from {name}))
                 where exists (select from {name})"
            );
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *write).await?;
        }
        sqlx::raw_sql(
            "select setval('turns', (select max(turn) from jobs)) where exists (select from jobs where turn > 0)",
        )
        .execute(&mut *write)
        .await?;
        sqlx::raw_sql(UNMARK).execute(&mut *write).await?;
        write.commit().await?;
        Ok(())
    }

    async fn close(self: Box<Self>) {
        // Everything is committed, and if the connection was lost, the server ends it.
        let _ = self.db.close().await;
    }
}

/// The type in which a column's values are transferred.
fn wire(column: &Column) -> &'static str {
    match column.kind.as_str() {
        "bigint" | "integer" | "smallint" | "boolean" => "bigint",
        "bytea" => "bytea",
        _ => "text",
    }
}

fn selected(columns: &[Column]) -> String {
    let cast = |column: &Column| format!("{}{}::{}", column.name, by_way_of(column), wire(column));
    columns.iter().map(cast).collect::<Vec<_>>().join(", ")
}

/// Casts a transferred value back to the column's type.
fn cast_back(column: &Column) -> String {
    format!("{}{}::{}", column.name, by_way_of(column), column.kind)
}

/// Booleans are transferred as 1 and 0, as SQLite stores them. PostgreSQL casts them only to and from `integer`.
fn by_way_of(column: &Column) -> &'static str {
    if column.kind == "boolean" { "::integer" } else { "" }
}

/// A key in the order of both databases: text is compared by its bytes.
fn sortable(key: &str, columns: &[Column]) -> String {
    let is_text = columns.iter().any(|column| column.name == key && wire(column) == "text");
    if is_text { format!("{key} collate \"C\"") } else { key.to_owned() }
}

fn values(row: &PgRow, columns: &[Column]) -> Result<Vec<Value>, StoreError> {
    let value = |(at, column): (usize, &Column)| {
        Ok(match wire(column) {
            "bigint" => row.try_get::<Option<i64>, _>(at)?.map(Value::Integer),
            "bytea" => row.try_get::<Option<Vec<u8>>, _>(at)?.map(Value::Bytes),
            _ => row.try_get::<Option<String>, _>(at)?.map(Value::Text),
        }
        .unwrap_or(Value::Null))
    };
    columns.iter().enumerate().map(value).collect()
}

/// Binds a column of rows as one array. Values of another type than the column's are left out, and the row count
/// shows that.
fn bound<'q, 'v>(
    query: Query<'q, sqlx::Postgres, PgArguments>,
    column: &Column,
    values: impl Iterator<Item = &'v Value>,
) -> Query<'q, sqlx::Postgres, PgArguments> {
    match wire(column) {
        "bigint" => query.bind(values.map(Value::integer).collect::<Vec<_>>()),
        "bytea" => query.bind(values.map(Value::bytes).collect::<Vec<_>>()),
        _ => query.bind(values.map(Value::text).collect::<Vec<_>>()),
    }
}

impl Value {
    fn integer(&self) -> Option<i64> {
        if let Self::Integer(integer) = self { Some(*integer) } else { None }
    }

    fn text(&self) -> Option<String> {
        if let Self::Text(text) = self { Some(text.clone()) } else { None }
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        if let Self::Bytes(bytes) = self { Some(bytes.clone()) } else { None }
    }
}
