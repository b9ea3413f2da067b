//! The processes of a server's database, for commands that count or list their workers.

use super::{CliError, client::Server};
use crate::proto::v1::{self as pb, server_service_client::ServerServiceClient};

/// Processes of one page.
const PAGE_SIZE: i32 = 200;

/// All processes of the database. Each page but the last is full, so this ends.
pub(super) async fn read(server: &Server) -> Result<Vec<pb::Process>, CliError> {
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

/// The worker threads of all running processes.
pub(super) async fn workers(server: &Server) -> Result<u32, CliError> {
    Ok(read(server).await?.iter().map(|process| process.workers).sum())
}
