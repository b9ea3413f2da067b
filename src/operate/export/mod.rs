//! `puzzled export`: prints the stored puzzles of a database or of a running server as one file, filtered by kind, rating, job,
//! and more. Also prints what each audience has had.

mod from_database;
mod from_server;
mod source;

use clap::Args;

use crate::operate::CommandError;
use puzzled_base::ids::JobId;
use puzzled_cli::{
    Ended,
    input::{criteria_flags::FilterArgs, spec},
    output::puzzle_file::FileArgs,
};
use puzzled_engine::registry;
use source::{Source, SourceArgs};

/// Export puzzles in the order of their IDs
///
/// The puzzles come from a database, or with --address from a running server. Withdrawn puzzles are omitted. A server may use the
/// database meanwhile: puzzles that are stored during the export come last. If the connection to a server breaks, the command
/// resumes after the last puzzle, and gives up after a minute without an answer. Only --solutions needs the right to solutions.
///
/// As text, an empty line separates puzzles of several lines. A format that only some kinds have needs --kind. If only one variant
/// has the format, only its puzzles are exported. Exit code: 0 exported, 1 failed.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    wanted: WantedArgs,

    /// Export what each audience has had instead of puzzles: one JSON object per line, with audience, repeat hash, and time, for
    /// `import --deliveries`; only from a database
    #[arg(long, conflicts_with_all = ["FilterArgs", "job", "import_id", "format", "solutions", "address"])]
    deliveries: bool,

    #[command(flatten)]
    source: SourceArgs,
}

/// The wanted puzzles, and the file to write.
#[derive(Debug, Args)]
struct WantedArgs {
    #[command(flatten)]
    filter: FilterArgs,

    /// Only puzzles of this job, such as job-3 [default: all jobs]
    #[arg(long, value_name = "JOB", value_parser = spec::job)]
    job: Option<JobId>,

    /// Only puzzles of this import [default: all]
    #[arg(long = "import", value_name = "NAME", conflicts_with = "job")]
    import_id: Option<String>,

    #[command(flatten)]
    file: FileArgs,
}

pub(crate) fn run(ExportArgs { mut wanted, deliveries, source }: ExportArgs) -> Result<Ended, CommandError> {
    let kind = wanted.filter.criteria()?.kind.as_deref().and_then(registry::kind);
    wanted.file.check(kind, wanted.filter.variant.as_deref().unwrap_or_default())?;
    if let Some(kind) = kind.filter(|_| wanted.filter.variant.is_none()) {
        wanted.filter.variant = wanted.file.only_variant(kind);
    }
    match source.one()? {
        Source::Database(database) if deliveries => from_database::export_deliveries(database)?,
        Source::Database(database) => from_database::export(database, &wanted)?,
        Source::Server(server) => from_server::export(&server, &wanted)?,
    }
    Ok(Ended::Done)
}
