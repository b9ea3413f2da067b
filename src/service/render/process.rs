//! Converts processes, and the slices that they hold, to messages of the API.

use super::timestamp;
use crate::{
    proto::v1 as pb,
    rules::jobs::process::{HeldSlice, Listed, Role},
};

pub(in crate::service) fn process(listed: Listed) -> pb::Process {
    let Listed { process, started_at, seen_at, slices, held, .. } = listed;
    pb::Process {
        id: process.name,
        host: process.host,
        process_id: process.pid,
        role: role(process.role).into(),
        version: process.version,
        workers: process.workers,
        start_time: Some(timestamp(started_at)),
        seen_time: Some(timestamp(seen_at)),
        slices: slices.into_iter().map(slice).collect(),
        held_slices: held,
    }
}

fn role(role: Role) -> pb::ProcessRole {
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
