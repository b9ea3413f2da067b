//! `puzzled copy`: moves everything from one database to another.

use clap::Args;
use tokio::runtime;

use super::{CliError, Ended, database::parsed, output};
use crate::{
    config::Database,
    store::{
        copy::{self, Copied, Place},
        postgres::PostgresSettings,
        sqlite::SqliteSettings,
    },
};

/// Copies all jobs and puzzles to a new database, from SQLite to PostgreSQL or back, and fences the old one
///
/// The old database is read-only from the first moment on: two databases that both hand out puzzles would hand out the
/// same ones. End the servers that work on it before. An interrupted copy goes on when the command is given again; at its
/// end every row is compared, and then the new database can be served.
#[derive(Debug, Args)]
pub(super) struct CopyArgs {
    /// Database to move, sqlite:PATH or the URL of one on PostgreSQL
    #[arg(long, value_name = "URL")]
    from: String,

    /// Database to move it to, new and empty
    #[arg(long, value_name = "URL")]
    to: String,
}

pub(super) fn run(args: &CopyArgs) -> Result<Ended, CliError> {
    let (from, to) = (parsed(&args.from)?, parsed(&args.to)?);
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let copied = runtime.block_on(copy::copy(&place(&from), &place(&to)))?;
    output::print(&report(&from, &to, &copied))?;
    Ok(Ended::Done)
}

fn place(database: &Database) -> Place {
    match database {
        Database::Sqlite(path) => Place::Sqlite(SqliteSettings::of(path)),
        Database::Postgres(url) => Place::Postgres(Box::new(PostgresSettings::of(url.clone()))),
    }
}

fn report(from: &Database, to: &Database, copied: &Copied) -> String {
    let tables =
        copied.tables.iter().fold(String::new(), |lines, (table, rows)| lines + &format!("{table}: {rows} rows\n"));
    format!("{tables}canonical forms: {:016x} at both ends\n{from} is fenced; serve {to}\n", copied.forms)
}
