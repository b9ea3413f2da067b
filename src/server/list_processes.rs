//! `ListProcesses`: lists the processes of the database, with the slices that they hold.

use crate::{
    calls::{Asked, Reply, Service},
    wire::Parser,
};
use puzzled_api::{v1 as pb, words::timestamp};
use puzzled_store::jobs::process::{HeldSlice, Listed, Role};

impl Service {
    pub(crate) async fn list_processes(
        &self,
        request: &Asked<pb::ListProcessesRequest>,
    ) -> Reply<pb::ListProcessesResponse> {
        let pb::ListProcessesRequest { page_size, page_token } = request.get_ref();
        let (mut parser, all) = (Parser::default(), pb::ListProcessesRequest::default());
        let page = parser.page("processes", all, (*page_size, page_token), &self.settings().limits);
        parser.done()?;
        let listed = self.queue.store().processes(page.after, page.reads()).await?;
        let (listed, next_page_token) = page.cut(listed, |process| process.id);
        let processes = listed.into_iter().map(process_message).collect();
        Ok(pb::ListProcessesResponse { processes, next_page_token })
    }
}

fn process_message(listed: Listed) -> pb::Process {
    let Listed { process, started_at, seen_at, slices, held, .. } = listed;
    pb::Process {
        id: process.name,
        host: process.host,
        process_id: process.pid,
        role: process_role(process.role).into(),
        version: process.version,
        workers: process.workers,
        start_time: Some(timestamp(started_at)),
        seen_time: Some(timestamp(seen_at)),
        slices: slices.into_iter().map(slice).collect(),
        held_slices: held,
    }
}

fn process_role(role: Role) -> pb::ProcessRole {
    match role {
        Role::Serve => pb::ProcessRole::Serve,
        Role::Work => pb::ProcessRole::Work,
    }
}

fn slice(held: HeldSlice) -> pb::HeldSlice {
    pb::HeldSlice {
        slice: held.slice_id,
        job_id: held.job_id.to_string(),
        first_index: held.first_index,
        end_index: held.end_index,
        worker: held.worker,
        lease_expire_time: Some(timestamp(held.lease_expires_at)),
    }
}
