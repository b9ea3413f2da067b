//! `puzzled copy`: moves all rows from one database to another, and fences the old one.

use clap::Args;
use tokio::runtime;

use super::{CliError, Ended, database::parsed, output};
use crate::{
    clock::SystemClock,
    config::Database,
    store::{
        copy::{self, Copied, Place, Terms},
        postgres::PostgresSettings,
        sqlite::SqliteSettings,
    },
};

/// Copy a database to a new one, on SQLite or PostgreSQL, and fence the old one
///
/// The old database becomes read-only at once, because two databases would deliver the same puzzles. End the processes of the
/// old database first. If a process used the old database within the last minute, the command fails and leaves no new file,
/// unless --fence-now is set. A killed process counts too. To resume an interrupted copy, repeat the command. The command
/// compares every row at the end. Then the new database can be served. Exit code: 0 copied, 1 refused or failed.
#[derive(Debug, Args)]
pub(super) struct CopyArgs {
    /// Database to move, sqlite:PATH or the URL of one on PostgreSQL
    #[arg(long, value_name = "URL")]
    from: String,

    /// New and empty database, sqlite:PATH or the URL of one on PostgreSQL
    #[arg(long, value_name = "URL")]
    to: String,

    /// Fence the old database even if a process uses the old database; that process then refuses calls and stops its workers
    #[arg(long)]
    fence_now: bool,
}

pub(super) fn run(args: &CopyArgs) -> Result<Ended, CliError> {
    let (from, to) = (parsed(&args.from)?, parsed(&args.to)?);
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let terms = Terms { fence_now: args.fence_now, now: SystemClock::shared().now() };
    let copied = runtime.block_on(copy::copy(&place(&from), &place(&to), terms))?;
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
