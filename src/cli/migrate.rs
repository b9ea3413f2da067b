//! `puzzled migrate`: brings a database to this version's schema and ends.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Args;
use tokio::runtime;

use super::{
    CliError, Ended,
    settings::{Settings, database},
};
use crate::{
    config::{Config, Database},
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
    /// Configuration file, TOML; only its `database` matters here [default: none]
    #[arg(long, env = "PUZZLED_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Database, sqlite:PATH or the URL of one on PostgreSQL; a file is made if it is not there [default:
    /// sqlite:puzzled.db]
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL")]
    database: Option<String>,
}

pub(super) fn run(args: MigrateArgs) -> Result<Ended, CliError> {
    let file = Settings::from_file(args.config.as_deref())?;
    let database = match args.database.or(file.database) {
        Some(url) => database(&url)?,
        None => Config::default().database,
    };
    let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Runtime)?;
    let (name, ran) = runtime.block_on(async {
        Ok::<_, CliError>(match database {
            Database::Sqlite(path) => {
                (path.display().to_string(), sqlite::schema::migrate(&SqliteSettings::of(path)).await?)
            }
            Database::Postgres(url) => (url.to_string(), postgres::schema::migrate(&PostgresSettings::of(url)).await?),
        })
    })?;
    io::stdout().write_all(report(&name, &ran).as_bytes()).map_err(CliError::Output)?;
    Ok(Ended::Done)
}

fn report(name: &str, ran: &[String]) -> String {
    if ran.is_empty() {
        return format!("{name}: nothing to do, the schema is this version's\n");
    }
    ran.iter().fold(String::new(), |lines, migration| lines + name + ": ran migration " + migration + "\n")
}
