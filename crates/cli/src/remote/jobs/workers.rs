//! `puzzled workers`: lists the processes that work on a server's database, with their workers. Other commands count the
//! workers of running processes.

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs, list, server_clock},
    output::{
        self, json, numbers,
        tables::{self, Cells},
    },
};
use puzzled_api::v1::{self as pb, server_service_client::ServerServiceClient};

/// List the processes of a server's database with their workers
///
/// SEEN is the time since the process last renewed its entry. If SEEN is more than 20 seconds, the process was killed, hangs,
/// or cannot reach the database. Exit code: 0 listed, 1 refused or failed.
#[derive(Debug, Args)]
pub struct WorkersArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Print one JSON object per line, a `Process` with its slices
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &WorkersArgs) -> Result<Ended, CliError> {
    let processes = args.server.ask(async |server: Server| read(&server).await)?;
    output::print_result(&if args.json { json::messages(processes)? } else { as_table(&processes) })
}

fn as_table(processes: &[pb::Process]) -> String {
    let now = numbers::timestamp(server_clock::now());
    let seen = |process: &pb::Process| process.seen_time.as_ref().map(|at| numbers::between(at, &now));
    tables::list(
        processes,
        &[
            ("PROCESS", Cells::Wrapped, &|process| process.id.clone()),
            ("HOST", Cells::Wrapped, &|process| process.host.clone()),
            ("ROLE", Cells::Text, &|process| tables::word(process.role())),
            ("VERSION", Cells::Text, &|process| process.version.clone()),
            ("WORKERS", Cells::Numbers, &|process| numbers::count(process.workers)),
            ("SLICES", Cells::Numbers, &|process| numbers::count(process.held_slices)),
            ("SEEN", Cells::Numbers, &|process| seen(process).unwrap_or_default()),
        ],
    )
}

/// From this age on, the entry of a process shows that it was killed: three renewals are missing, one every 10 seconds.
const KILLED_AFTER_SECONDS: i64 = 30;

/// Returns all processes of the database, read page by page.
async fn read(server: &Server) -> Result<Vec<pb::Process>, CliError> {
    let request = pb::ListProcessesRequest::default();
    list!(server, ServerServiceClient.list_processes(request).processes, u32::MAX)
}

/// Returns the number of worker threads of all running processes.
pub(in crate::remote) async fn count(server: &Server) -> Result<u32, CliError> {
    Ok(running_workers(&read(server).await?))
}

/// Counts the workers, without those of killed processes. The entry of a killed process stays for a day, and is much
/// older than the newest entry. All times are from the database, so the clock of this machine does not matter.
fn running_workers(processes: &[pb::Process]) -> u32 {
    let seen = |process: &pb::Process| process.seen_time.as_ref().map_or(0, |at| at.seconds);
    let newest = processes.iter().map(seen).max().unwrap_or_default();
    processes
        .iter()
        .filter(|process| newest - seen(process) < KILLED_AFTER_SECONDS)
        .map(|process| process.workers)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost_types::Timestamp;

    #[test]
    fn workers_of_killed_processes_do_not_count() {
        let process = |workers, seconds| pb::Process {
            workers,
            seen_time: Some(Timestamp { seconds, nanos: 0 }),
            ..pb::Process::default()
        };
        assert_eq!(running_workers(&[process(4, 1_000), process(2, 1_029), process(1, 999)]), 6);
        assert_eq!(running_workers(&[]), 0);
    }
}
