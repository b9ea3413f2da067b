//! The target of a copy: one transaction on a PostgreSQL database, during which no other session can change a row.

use futures_util::{Stream, StreamExt as _};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, Row as _,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use crate::{
    StoreError,
    copy::{CopyError, QUEUE, Row, TABLES, Table, Value, in_place, must_be_known},
    postgres::{PostgresSettings, schema},
    sql::statements::copy,
};

/// A column with the name of its type.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    kind: String,
}

#[derive(Debug)]
pub(super) struct Target {
    db: PgConnection,
    name: String,
}

impl Target {
    /// Begins the transaction. Creates the schema if the database has none.
    pub(super) async fn begin(settings: &PostgresSettings) -> Result<Self, CopyError> {
        let name = settings.url.to_string();
        let failed = in_place(name.clone());
        must_be_known(&name, schema::migrate(settings).await.map_err(&failed)?.newer)?;
        // Without the time limits of the store, because a comparison may take long.
        let db = settings.url.options().connect().await.map_err(in_place(name.clone()))?;
        let mut target = Self { db, name };
        let tables: Vec<_> = TABLES.iter().map(|table| table.name).collect();
        // Other sessions can read meanwhile. A second copy waits here, and then finds the rows of the first.
        target.run(format!("begin; lock table {} in exclusive mode", tables.join(", "))).await?;
        Ok(target)
    }

    /// Its name in messages, without a password.
    pub(super) fn name(&self) -> String {
        self.name.clone()
    }

    /// Whether it has no rows, besides the one that a new database has.
    pub(super) async fn is_empty(&mut self) -> Result<bool, CopyError> {
        let tables = TABLES.iter().filter(|table| table.name != QUEUE);
        let tests: Vec<_> = tables.map(|table| format!("exists (select from {})", table.name)).collect();
        let statement = format!("select {}", tests.join(" or "));
        let has_rows: Result<bool, _> = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut self.db).await;
        Ok(!has_rows.map_err(in_place(self.name()))?)
    }

    /// Returns the table's columns.
    pub(super) async fn columns(&mut self, table: &Table) -> Result<Vec<Column>, CopyError> {
        let found: Result<Vec<(String, String)>, _> =
            sqlx::query_as(copy::COLUMNS).bind(table.name).fetch_all(&mut self.db).await;
        Ok(found.map_err(in_place(self.name()))?.into_iter().map(|(name, kind)| Column { name, kind }).collect())
    }

    /// Returns the rows of a table in the order of its key.
    pub(super) fn rows<'a>(
        &'a mut self,
        table: &Table,
        columns: &'a [Column],
    ) -> impl Stream<Item = Result<Row, CopyError>> + Unpin + 'a {
        let failed = in_place(self.name());
        let selected: Vec<_> = columns.iter().map(Column::sent).collect();
        let key: Vec<_> = table.key.iter().map(|key| sortable(key, columns)).collect();
        let statement = format!("select {} from {} order by {}", selected.join(", "), table.name, key.join(", "));
        let rows = sqlx::query(AssertSqlSafe(statement)).fetch(&mut self.db);
        rows.map(move |row| row.and_then(|row| values(&row, columns)).map_err(&failed))
    }

    pub(super) async fn insert(&mut self, table: &Table, columns: &[Column], rows: Vec<Row>) -> Result<(), CopyError> {
        if table.name == QUEUE {
            self.run(format!("delete from {QUEUE}")).await?;
        }
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let arrays: Vec<_> =
            columns.iter().zip(1..).map(|(column, mark)| format!("${mark}::{}[]", column.wire())).collect();
        let casts: Vec<_> = columns.iter().map(Column::cast_back).collect();
        let (name, names, casts) = (table.name, names.join(", "), casts.join(", "));
        let statement = format!(
            "insert into {name} ({names}) select {casts} from unnest({}) as copied ({names})",
            arrays.join(", ")
        );
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (at, column) in columns.iter().enumerate() {
            query = bound(query, column, rows.iter().map(|row| &row[at]));
        }
        query.execute(&mut self.db).await.map_err(in_place(self.name()))?;
        Ok(())
    }

    /// Lets new IDs and turns continue after the highest ones. A rollback does not reset them, which does no harm.
    pub(super) async fn set_sequences(&mut self) -> Result<(), CopyError> {
        // The id of the queue's row is fixed.
        for table in TABLES.iter().filter(|table| table.key == ["id"] && table.name != QUEUE) {
            let name = table.name;
            self.run(format!(
                "select setval(pg_get_serial_sequence('{name}', 'id'), (select max(id) from {name}))
                 where exists (select from {name})"
            ))
            .await?;
        }
        self.run(copy::CONTINUE_TURNS.to_owned()).await
    }

    /// Commits all rows. After an error, they may or may not be there.
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        sqlx::raw_sql("commit").execute(&mut self.db).await?;
        // The rows are committed. If the connection is lost, the server ends it.
        let _ = self.db.close().await;
        Ok(())
    }

    /// Closes the connection without a commit.
    pub(super) async fn close(self) {
        let _ = self.db.close().await;
    }

    async fn run(&mut self, statement: String) -> Result<(), CopyError> {
        let ran = sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut self.db).await;
        ran.map(|_| ()).map_err(in_place(self.name()))
    }
}

impl Column {
    /// The type in which the values are transferred.
    fn wire(&self) -> &'static str {
        match self.kind.as_str() {
            "bigint" | "integer" | "smallint" | "boolean" => "bigint",
            "bytea" => "bytea",
            _ => "text",
        }
    }

    /// Booleans are transferred as 1 and 0, as SQLite stores them. PostgreSQL casts them only to and from `integer`.
    fn by_way_of(&self) -> &'static str {
        if self.kind == "boolean" { "::integer" } else { "" }
    }

    /// The column as it is transferred.
    fn sent(&self) -> String {
        format!("{}{}::{}", self.name, self.by_way_of(), self.wire())
    }

    /// Casts a transferred value back to the column's type.
    fn cast_back(&self) -> String {
        format!("{}{}::{}", self.name, self.by_way_of(), self.kind)
    }
}

/// A key in the order of SQLite, which compares text by its bytes.
fn sortable(key: &str, columns: &[Column]) -> String {
    let is_text = columns.iter().any(|column| column.name == key && column.wire() == "text");
    if is_text { format!("{key} collate \"C\"") } else { key.to_owned() }
}

fn values(row: &PgRow, columns: &[Column]) -> Result<Row, sqlx::Error> {
    let value = |(at, column): (usize, &Column)| {
        let value = match column.wire() {
            "bigint" => row.try_get::<Option<i64>, _>(at)?.map(Value::Integer),
            "bytea" => row.try_get::<Option<Vec<u8>>, _>(at)?.map(Value::Bytes),
            _ => row.try_get::<Option<String>, _>(at)?.map(Value::Text),
        };
        Ok(value.unwrap_or(Value::Null))
    };
    columns.iter().enumerate().map(value).collect()
}

/// Binds a column of rows as one array. A value of another type than the column's becomes null, and the comparison finds
/// it.
fn bound<'q, 'v>(
    query: Query<'q, sqlx::Postgres, PgArguments>,
    column: &Column,
    values: impl Iterator<Item = &'v Value>,
) -> Query<'q, sqlx::Postgres, PgArguments> {
    match column.wire() {
        "bigint" => query.bind(values.map(Value::integer).collect::<Vec<_>>()),
        "bytea" => query.bind(values.map(Value::bytes).collect::<Vec<_>>()),
        _ => query.bind(values.map(Value::text).collect::<Vec<_>>()),
    }
}

impl Value {
    fn integer(&self) -> Option<i64> {
        if let Self::Integer(integer) = self { Some(*integer) } else { None }
    }

    fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    fn bytes(&self) -> Option<&[u8]> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }
}
