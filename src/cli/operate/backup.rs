//! `puzzled backup`: copies an SQLite database to a file while a server may use it.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    cli::{
        CliError, Ended,
        input::database::{DatabaseArgs, runtime},
    },
    store::{check::CheckStore as _, sqlite::SqliteSettings},
};

/// Back up the database to a file while a server may use it
///
/// The backup is a consistent, compact copy in one file. A backup can be served, checked, and exported like any other database.
/// The command writes FILE.partial, and gives it the name FILE once it is complete and on disk. The command overwrites no file.
/// Use `pg_dump` for a database on PostgreSQL. Exit code: 0 backed up, 1 failed.
#[derive(Debug, Args)]
pub(in crate::cli) struct BackupArgs {
    /// File to write; it must not exist
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(in crate::cli) fn run(args: BackupArgs) -> Result<Ended, CliError> {
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
        runtime.block_on(store.copy_to(&partial)).map_err(CliError::Store).and_then(|()| place(&partial, &file));
    runtime.block_on(store.close_read());
    let removed = fs::remove_file(&partial);
    copied?;
    removed.map_err(|error| fault(&partial, error))?;
    writeln!(io::stdout(), "{}: written", file.display()).map_err(CliError::Output)?;
    Ok(Ended::Done)
}

fn must_not_be_there(file: &Path) -> Result<(), CliError> {
    match file.symlink_metadata() {
        Ok(_) => Err(exists(file)),
        Err(_) => Ok(()),
    }
}

/// Syncs the complete copy to the disk, and gives it its name. Unlike a rename, a hard link never replaces another file.
fn place(partial: &Path, file: &Path) -> Result<(), CliError> {
    File::open(partial).and_then(|copy| copy.sync_all()).map_err(|error| fault(partial, error))?;
    fs::hard_link(partial, file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(file),
        _ => fault(file, error),
    })?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| fault(folder, error))
}

fn exists(file: &Path) -> CliError {
    let is_partial = file.extension().is_some_and(|end| end == "partial");
    let remedy =
        if is_partial { "if no other backup is running, delete it" } else { "delete it or choose another name" };
    CliError::Exists { name: file.display().to_string(), remedy }
}

fn fault(file: &Path, source: io::Error) -> CliError {
    CliError::Input { name: file.display().to_string(), source }
}
