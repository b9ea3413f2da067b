//! `puzzled import`: sends the lines of a file to a running server.

mod deliveries;

use std::path::PathBuf;

use clap::Args;

use crate::cli::{CliError, Ended, client::ServerArgs};

/// Import what each audience has had, so that a server delivers no repeat of it
///
/// Reads JSON lines with an `audience` and a `repeatHash`, as `export --deliveries` writes them. Instead of the hash, a line may
/// have the `id` of a stored puzzle, or a `kind`, a `text`, and optionally a `variant`, as in `RecordedPuzzle` of the API. Lines of
/// the same audience are sent together if they follow each other. A repeat of the command resumes: the server counts deliveries
/// that it knows. Exit code: 0 imported, 1 refused or failed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ImportArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Import deliveries
    #[arg(long, required = true)]
    deliveries: bool,

    /// File to read; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(in crate::cli) fn run(args: &ImportArgs) -> Result<Ended, CliError> {
    deliveries::import(&args.server, &args.file)
}
