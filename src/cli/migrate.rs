//! `puzzled migrate`: brings a database to this version's schema and ends.

use clap::Args;
use tokio::runtime;

use super::{CliError, Ended, database::DatabaseArgs, output};
use crate::{
    config::Database,
    store::{
        postgres::{self, PostgresSettings},
        sqlite::{self, SqliteSettings},
    },
};

/// Brings the database to the schema of this version, and says what it did
///
/// `serve` does the same when it starts.
#[derive(Debug, Args)]
pub(super) struct MigrateArgs {
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn run(args: &MigrateArgs) -> Result<Ended, CliError> {
    let database = args.database.database()?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let (name, ran) = runtime.block_on(async {
        Ok::<_, CliError>(match database {
            Database::Sqlite(path) => {
                (path.display().to_string(), sqlite::schema::migrate(&SqliteSettings::of(path)).await?)
            }
            Database::Postgres(url) => (url.to_string(), postgres::schema::migrate(&PostgresSettings::of(url)).await?),
        })
    })?;
    output::print(&report(&name, &ran))?;
    Ok(Ended::Done)
}

fn report(name: &str, ran: &[String]) -> String {
    if ran.is_empty() {
        return format!("{name}: nothing to do, the schema is this version's\n");
    }
    ran.iter().fold(String::new(), |lines, migration| lines + name + ": ran migration " + migration + "\n")
}
