//! `puzzled workers`: lists the processes that work on a server's database, with their workers. Other commands count the
//! workers of running processes.

use clap::Args;

use crate::{
    cli::{
        CliError, Ended,
        client::{PAGE_SIZE, Server, ServerArgs, server_clock},
        output::{
            self, json, numbers,
            tables::{self, Cells},
        },
    },
    proto::v1::{self as pb, server_service_client::ServerServiceClient},
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
    let processes = args.server.ask(async |server: Server| read(&server).await)?;
    output::print_result(&if args.json { json::messages(processes)? } else { as_table(&processes) })
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
    let now = numbers::timestamp(server_clock::now());
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

/// The age at which the entry of a process shows that it was killed: three renewals, one every 10 seconds.
const KILLED_AFTER_SECONDS: i64 = 30;

/// Returns all processes of the database, read page by page.
async fn read(server: &Server) -> Result<Vec<pb::Process>, CliError> {
    let mut client = ServerServiceClient::new(server.channel.clone());
    let request = pb::ListProcessesRequest { page_size: PAGE_SIZE.cast_signed(), ..Default::default() };
    server
        .pages(usize::MAX, async |page_token| {
            let page =
                client.list_processes(pb::ListProcessesRequest { page_token, ..request.clone() }).await?.into_inner();
            Ok((page.processes, page.next_page_token))
        })
        .await
}

/// Returns the number of worker threads of all running processes.
pub(in crate::cli::remote) async fn count(server: &Server) -> Result<u32, CliError> {
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
