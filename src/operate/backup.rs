//! `puzzled backup` and `restore`: copy an SQLite database to a file while a server may use it, and replace the database with
//! such a copy.

use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    operate::{
        CommandError,
        database::{HaltArgs, runtime},
    },
    settings::{Database, DatabaseSettings},
};
use puzzled_base::clock::SystemClock;
use puzzled_cli::CliError;
use puzzled_cli::{Ended, output};
use puzzled_store::{
    check_store::CheckStore as _,
    sqlite::{SqliteSettings, restore},
};

/// Back up the database to a file while a server may use it
///
/// The backup is a consistent, compact copy in one file. A backup can be served, checked, and exported like any other database.
/// The command writes FILE.partial, and gives it the name FILE once it is complete and on disk. The command overwrites no file.
/// Use `pg_dump` for a database on PostgreSQL. Exit code: 0 backed up, 1 failed.
#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// File to write; it must not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: DatabaseSettings,
}

pub(crate) fn backup(args: BackupArgs) -> Result<Ended, CommandError> {
    let BackupArgs { file, database } = args;
    let mut partial = file.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    must_not_be_there(&file)?;
    SqliteSettings::of(&file).must_not_be_moved()?;
    // A partial file belongs to a killed backup or to a running one. Only a person can tell which.
    must_not_be_there(&partial)?;
    let runtime = runtime()?;
    let store = database.open_file(&runtime)?;
    let copied =
        runtime.block_on(store.copy_to(&partial)).map_err(CommandError::Store).and_then(|()| place(&partial, &file));
    runtime.block_on(store.close_read());
    let removed = fs::remove_file(&partial);
    copied?;
    removed.map_err(|error| fault(&partial, error))?;
    Ok(output::print_result(&format!("{}: written\n", file.display()))?)
}

fn must_not_be_there(file: &Path) -> Result<(), CommandError> {
    match file.symlink_metadata() {
        Ok(_) => Err(exists(file).into()),
        Err(_) => Ok(()),
    }
}

/// Syncs the complete copy to the disk, and gives it its name. Unlike a rename, a hard link never replaces another file.
fn place(partial: &Path, file: &Path) -> Result<(), CommandError> {
    File::open(partial).and_then(|copy| copy.sync_all()).map_err(|error| fault(partial, error))?;
    fs::hard_link(partial, file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(file),
        _ => fault(file, error),
    })?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| fault(folder, error))?)
}

fn exists(file: &Path) -> CliError {
    let is_partial = file.extension().is_some_and(|end| end == "partial");
    let remedy =
        if is_partial { "if no other backup is running, delete it" } else { "delete it or choose another name" };
    CliError::Exists(file.display().to_string(), remedy)
}

fn fault(file: &Path, source: io::Error) -> CliError {
    CliError::Input(file.display().to_string(), source)
}

/// Restore the database from a backup, and keep the old one
///
/// No running process may have the database open. The command copies BACKUP next to the database, checks the copy, and renames
/// it over the database. BACKUP does not change. The old database is kept as NAME.old-1, or with the next number that is free.
/// If the command fails or is interrupted, the database is the old one or the new one, and the command can be repeated. A
/// database on PostgreSQL is restored with `pg_restore`. Exit code: 0 the backup is in place, 1 failed.
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// File that `puzzled backup` wrote
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,

    #[command(flatten)]
    database: DatabaseSettings,

    #[command(flatten)]
    halt: HaltArgs,
}

pub(crate) fn restore(args: &RestoreArgs) -> Result<Ended, CommandError> {
    let path = match args.database.database()? {
        Database::Sqlite(path) => path,
        Database::Postgres(url) => return Err(CommandError::NoFile(url.to_string(), "pg_restore")),
    };
    let fault_points = args.halt.fault_points()?;
    let restored = restore::restore(&args.backup, &path, SystemClock::shared(), &*fault_points);
    let old = runtime()?.block_on(restored)?;
    let kept = old.map(|old| format!("the old database is {}\n", as_named(&path, old).display())).unwrap_or_default();
    Ok(output::print_result(&format!("{}: restored from {}\n{kept}", path.display(), args.backup.display()))?)
}

/// The path of the old database, in the folder that the user named. If the user named a symbolic link, the path stays
/// as it is.
fn as_named(database: &Path, old: PathBuf) -> PathBuf {
    match old.file_name() {
        Some(name) if !database.is_symlink() => database.with_file_name(name),
        _ => old,
    }
}
