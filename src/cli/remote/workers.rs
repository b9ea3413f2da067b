//! `puzzled workers`: lists the processes that work on a server's database, with their workers.

use clap::Args;

use super::processes;
use crate::{
    cli::{
        CliError, Ended,
        client::{Server, ServerArgs},
        output::{
            self, json, numbers,
            tables::{self, Cells},
        },
    },
    proto::v1 as pb,
    system::clock::SystemClock,
};

/// List the processes of a server's database with their workers
///
/// SEEN is the time since the process last renewed its entry. If SEEN is more than 20 seconds, the process was killed, hangs,
/// or cannot reach the database. Exit code: 0 listed, 1 refused or failed.
#[derive(Debug, Args)]
pub(in crate::cli) struct WorkersArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Print one JSON object per line, a `Process` with its slices
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &WorkersArgs) -> Result<Ended, CliError> {
    let processes = args.server.ask(async |server: Server| processes::read(&server).await)?;
    output::print(&if args.json {
        processes.into_iter().map(|process| Ok(json::message(process)? + "\n")).collect::<Result<String, CliError>>()?
    } else {
        as_table(&processes)
    })?;
    Ok(Ended::Done)
}

fn as_table(processes: &[pb::Process]) -> String {
    let columns = [
        ("PROCESS", Cells::Wrapped),
        ("HOST", Cells::Wrapped),
        ("ROLE", Cells::Text),
        ("VERSION", Cells::Text),
        ("WORKERS", Cells::Numbers),
        ("SLICES", Cells::Numbers),
        ("SEEN", Cells::Numbers),
    ];
    let now = numbers::timestamp(SystemClock::shared().now());
    let rows = processes.iter().map(|process| {
        vec![
            process.id.clone(),
            process.host.clone(),
            tables::word(process.role()),
            process.version.clone(),
            numbers::count(process.workers),
            numbers::count(process.held_slices),
            process.seen_time.as_ref().map(|at| numbers::between(at, &now)).unwrap_or_default(),
        ]
    });
    tables::table(&columns, rows)
}
