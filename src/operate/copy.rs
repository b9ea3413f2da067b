//! `puzzled copy`: copies an SQLite database to PostgreSQL, and renames the file, so that nothing uses it any more.

use clap::Args;

use crate::{
    operate::{
        CommandError,
        database::{HaltArgs, parsed, runtime},
    },
    settings::Database,
};
use puzzled_base::clock::SystemClock;
use puzzled_cli::{Ended, output};
use puzzled_store::{copy, postgres::PostgresSettings, sqlite::SqliteSettings};

/// Copy an SQLite database to PostgreSQL, and rename the file
///
/// No process may have the file open. The file is renamed to NAME.moved first, and no command uses or creates NAME then, because
/// two databases would deliver the same puzzles. All rows are copied in one transaction and compared. If that fails, the file
/// gets its name back. If the command is killed, run it again with `--from sqlite:NAME.moved` and the same target. Exit code: 0
/// copied, 1 refused or failed.
#[derive(Debug, Args)]
pub(crate) struct CopyArgs {
    /// Database to copy, sqlite:PATH
    #[arg(long, value_name = "URL")]
    from: String,

    /// URL of an empty database on PostgreSQL
    #[arg(long, value_name = "URL")]
    to: String,

    #[command(flatten)]
    halt: HaltArgs,
}

pub(crate) fn run(args: &CopyArgs) -> Result<Ended, CommandError> {
    let file = match parsed(&args.from)? {
        Database::Sqlite(path) => SqliteSettings::of(path),
        Database::Postgres(url) => return Err(CommandError::NoFile(url.to_string(), "pg_dump")),
    };
    let url = match parsed(&args.to)? {
        Database::Postgres(url) => url,
        Database::Sqlite(path) => return Err(CommandError::NotPostgres(path)),
    };
    let fault_points = args.halt.fault_points()?;
    let settings = PostgresSettings::of(url.clone());
    let copied = runtime()?.block_on(copy::copy(&file, &settings, SystemClock::shared(), &*fault_points))?;
    let tables = copied.iter().fold(String::new(), |lines, (table, rows)| lines + &format!("{table}: {rows} rows\n"));
    Ok(output::print_result(&format!("{tables}{} is the file's name now; serve {url}\n", file.moved().display()))?)
}
