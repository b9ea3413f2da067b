//! `puzzled migrate`: migrates a database to this version's schema.

use clap::Args;
use tokio::runtime;

use crate::{
    operate::CommandError,
    settings::{Database, DatabaseSettings},
};
use puzzled_cli::CliError;
use puzzled_cli::{Ended, output};
use puzzled_store::{
    postgres::{self, PostgresSettings},
    schema::{Migrated, Newer},
    sqlite::{self, SqliteSettings},
};

/// Migrate the database to the schema of this version
///
/// `serve` and `work` do the same when they start. On PostgreSQL, a migration that waits for a lock for a second is rolled back
/// and tried again after ten seconds. After ten minutes the command fails. A newer
/// schema that allows this version is left as it is. Exit code: 0 the schema can be used, 1 it cannot.
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    #[command(flatten)]
    database: DatabaseSettings,
}

pub(crate) fn run(args: &MigrateArgs) -> Result<Ended, CommandError> {
    let database = args.database.database()?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let (name, migrated) = runtime.block_on(async {
        Ok::<_, CommandError>(match database {
            Database::Sqlite(path) => {
                (path.display().to_string(), sqlite::schema::migrate(&SqliteSettings::of(path)).await?)
            }
            Database::Postgres(url) => (url.to_string(), postgres::schema::migrate(&PostgresSettings::of(url)).await?),
        })
    })?;
    Ok(output::print_result(&report(&name, &migrated))?)
}

fn report(name: &str, migrated: &Migrated) -> String {
    match migrated.newer {
        Some(Newer { version, known }) => {
            format!("{name}: nothing to do, schema {version} is newer than this version's {known} and allows it\n")
        }
        None if migrated.ran.is_empty() => format!("{name}: nothing to do, the schema is this version's\n"),
        None => {
            let ran = migrated.ran.iter();
            ran.fold(String::new(), |lines, migration| lines + name + ": ran migration " + migration + "\n")
        }
    }
}
