//! `puzzled import`: sends the puzzles of a file to a running server, or the deliveries of a file.

mod deliveries;
mod puzzles;

use std::path::PathBuf;

use clap::Args;

use crate::{
    CliError, Ended,
    client::ServerArgs,
    input::spec::{self, Kind},
};

/// Import the puzzles of a file into the stock of a running server
///
/// The file has JSON lines, such as those of `export --format json`, or the texts that `rate` reads. The server proves and
/// rates each puzzle, and stores those that are new. The command prints the refused lines on standard error, and ends with
/// a table of the results. A repeat of the command with the same file resumes.
///
/// With `--deliveries`, the file has JSON lines with an `audience` and a `repeatHash`, as `export --deliveries` writes them.
/// The server then delivers no repeat of these puzzles to the audience. Instead of the hash, a line may have the `id` of a
/// stored puzzle, or a `kind`, a `text`, and optionally a `variant`. Lines of the same audience are sent together if they
/// follow each other.
///
/// Exit code: 0 all stored or recorded, now or earlier, 1 failed, 2 some refused.
#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// File to read; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Import deliveries to audiences instead of puzzles
    #[arg(long, conflicts_with_all = ["import_id", "source", "kind", "variant", "dry_run", "json"])]
    deliveries: bool,

    /// Name of the import; name and line identify a record [default: the name of the file]
    #[arg(long, value_name = "NAME")]
    import_id: Option<String>,

    /// Where the puzzles come from, for people to read, at most 500 characters
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,

    /// Kind of puzzle, for lines that do not name one [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9, for lines that do not name one [default: the variant of the text]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Say what would be stored, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object for each call, an `ImportPuzzlesResponse`, instead of the table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ImportArgs) -> Result<Ended, CliError> {
    if args.deliveries { deliveries::import(&args.server, &args.file) } else { puzzles::import(args) }
}
