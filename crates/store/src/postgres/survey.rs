//! Reads for `puzzled doctor` the clock of a PostgreSQL server, whether the server is a standby, and which privileges our user lacks. It
//! changes nothing.

use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use crate::{
    StoreError,
    copy::{PROCESSES, TABLES},
    postgres::PostgresSettings,
    sql::statements::server,
};
use puzzled_base::clock::Millis;

/// The state of a server and of our user on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// The server's clock.
    pub now: Millis,
    /// The user of the connection.
    pub user: String,
    /// Whether the server is a standby and so refuses every write.
    pub is_standby: bool,
    /// Whether `default_transaction_read_only` refuses every write.
    pub is_read_only: bool,
    /// The privileges on existing tables that the user lacks, such as `UPDATE on jobs`.
    pub missing: Vec<String>,
    /// Whether the user may create tables, as migrations do.
    pub can_create: bool,
}

/// Reads the state of a server.
///
/// # Errors
/// [`StoreError`] if the server cannot be reached, or refuses the connection.
pub async fn survey(settings: &PostgresSettings) -> Result<Survey, StoreError> {
    let mut db = settings.options().connect().await?;
    let surveyed = ask(&mut db).await;
    db.close().await?;
    surveyed
}

async fn ask(db: &mut PgConnection) -> Result<Survey, StoreError> {
    let (now, user, is_standby, is_read_only, can_create): (i64, String, bool, bool, bool) =
        sqlx::query_as(server::SURVEY).fetch_one(&mut *db).await?;
    let tables: Vec<_> = TABLES.iter().map(|table| table.name).chain([PROCESSES]).collect();
    let missing = sqlx::query_scalar(server::MISSING_PRIVILEGES).bind(tables).fetch_all(db).await?;
    Ok(Survey { now: Millis(now), user, is_standby, is_read_only, missing, can_create })
}
