//! `puzzled restore`: replaces the database with a backup, and keeps the old database under another name.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;

use crate::{
    cli::{
        CliError, Ended,
        input::database::{DatabaseArgs, runtime},
        output,
    },
    config::Database,
    store::{
        fault_points::{FaultPoints, HaltAt, NoFaults},
        sqlite::restore,
    },
    system::clock::SystemClock,
};

/// Restore the database from a backup, and keep the old one
///
/// No running process may have the database open. The command copies BACKUP next to the database, checks the copy, and renames
/// it over the database. BACKUP does not change. The old database is kept as NAME.old-1, or with the next number that is free.
/// If the command fails or is interrupted, the database is the old one or the new one, and the command can be repeated. A
/// database on PostgreSQL is restored with `pg_restore`. Exit code: 0 the backup is in place, 1 failed.
#[derive(Debug, Args)]
pub(in crate::cli) struct RestoreArgs {
    /// File that `puzzled backup` wrote
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Halt for ever when the named step is reached for the n-th time
    #[arg(long, value_name = "POINT:N", hide = true)]
    halt_at: Option<String>,
}

pub(in crate::cli) fn run(args: &RestoreArgs) -> Result<Ended, CliError> {
    let path = match args.database.database()? {
        Database::Sqlite(path) => path,
        Database::Postgres(url) => return Err(CliError::NoFile { database: url.to_string(), tool: "pg_restore" }),
    };
    let fault_points = fault_points(args.halt_at.as_deref())?;
    let restored = restore::restore(&args.backup, &path, SystemClock::shared(), &*fault_points);
    let old = runtime()?.block_on(restored)?;
    let kept = old.map(|old| format!("the old database is {}\n", as_named(&path, old).display())).unwrap_or_default();
    output::print(&format!("{}: restored from {}\n{kept}", path.display(), args.backup.display()))?;
    Ok(Ended::Done)
}

/// Halts at the point that `--halt-at` names, or nowhere.
pub(in crate::cli) fn fault_points(halt_at: Option<&str>) -> Result<Arc<dyn FaultPoints>, CliError> {
    match halt_at {
        Some(point) => HaltAt::parse(point).map_err(CliError::HaltAt),
        None => Ok(Arc::new(NoFaults)),
    }
}

/// The old database's name in the way in which the database was named. Behind a symbolic link it stands elsewhere.
fn as_named(database: &Path, old: PathBuf) -> PathBuf {
    match old.file_name() {
        Some(name) if !database.is_symlink() => database.with_file_name(name),
        _ => old,
    }
}
