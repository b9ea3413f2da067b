//! Lists the processes of a server's database, and counts the workers of running processes, for several commands.

use crate::{
    cli::{CliError, client::Server},
    proto::v1::{self as pb, server_service_client::ServerServiceClient},
};

/// The age at which the entry of a process shows that it was killed: three renewals, one every 10 seconds.
const KILLED_AFTER_SECONDS: i64 = 30;

/// The number of processes per page.
const PAGE_SIZE: i32 = 200;

/// Returns all processes of the database, read page by page.
pub(in crate::cli) async fn read(server: &Server) -> Result<Vec<pb::Process>, CliError> {
    let mut client = ServerServiceClient::new(server.channel.clone());
    let mut request = pb::ListProcessesRequest { page_size: PAGE_SIZE, ..Default::default() };
    let mut processes = Vec::new();
    loop {
        let page = client.list_processes(request.clone()).await.map_err(|status| server.refused(&status))?.into_inner();
        processes.extend(page.processes);
        if page.next_page_token.is_empty() {
            return Ok(processes);
        }
        request.page_token = page.next_page_token;
    }
}

/// Returns the number of worker threads of all running processes.
pub(in crate::cli) async fn workers(server: &Server) -> Result<u32, CliError> {
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
