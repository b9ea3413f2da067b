//! Converts the limits of the server, processes with the slices that they hold, and audit entries to messages of the
//! API.

use prost_types::{Duration, ListValue, NullValue, Struct, Value, value::Kind};
use serde_json::{Map, Value as Json};

use super::{stock_and_targets::millis, timestamp};
use crate::{
    proto::v1 as pb,
    rules::{
        access::{audit_entry::AuditEntry, principal::Role},
        jobs::{
            policy::Policy,
            process::{HeldSlice, Listed, Role as ProcessRole},
        },
    },
    service::settings::{Limits, ServerSettings},
    stock::planner::RefillPolicy,
};

pub(in crate::service) fn limits(server: &ServerSettings, policy: &Policy, refills: &RefillPolicy) -> pb::Limits {
    let limits = &server.limits;
    pb::Limits {
        max_tries: policy.tries_max,
        max_open_jobs: policy.open_jobs_max,
        max_puzzles: policy.growth.puzzles_max.unwrap_or(0),
        max_database_bytes: policy.growth.database_bytes_max.unwrap_or(0),
        max_targets: refills.targets_max,
        max_refills: refills.refills_max,
        max_connections: server.connections_max,
        max_connections_per_address: server.connections_per_address_max,
        max_streams: server.streams_max,
        max_handshakes: server.handshakes_max,
        handshake_timeout: Some(duration(server.handshake_timeout)),
        connection_age: Some(duration(server.connection_age)),
        connection_age_grace: Some(duration(server.connection_age_grace)),
        keepalive_timeout: Some(duration(server.keepalive_timeout)),
        ..of_calls(limits)
    }
}

fn of_calls(limits: &Limits) -> pb::Limits {
    pb::Limits {
        max_count: limits.count_max,
        max_page_size: limits.page_size_max,
        max_request_bytes: limits.request_bytes_max,
        max_daily_ahead_days: limits.daily_ahead_days,
        max_response_bytes: limits.response_bytes_max,
        max_text_bytes: limits.text_len_max,
        max_batch_requests: limits.batch_max,
        top_up_count: limits.top_up.count.min(limits.count_max),
        top_up_time: Some(millis(limits.top_up.work_ms_max)),
        default_page_size: limits.page_size_default,
        max_page_size_drawn: limits.page_size_shown_max,
        max_watchers: limits.watchers_max,
        max_waiting_calls: limits.waiters_max,
        default_wait: Some(duration(limits.wait_default)),
        max_wait: Some(duration(limits.wait_max)),
        max_exports: limits.exports_max,
        max_calls: limits.calls_max,
        compute_threads: limits.compute_threads,
        max_waiting_short: limits.short_waiting_max,
        max_waiting_long: limits.long_waiting_max,
        max_search_nodes: limits.search_nodes_max,
        max_rating_nodes: if limits.rating_nodes_max == u64::MAX { 0 } else { limits.rating_nodes_max },
        ..pb::Limits::default()
    }
}

fn duration(time: std::time::Duration) -> Duration {
    let seconds = i64::try_from(time.as_secs()).expect("below 2^63 s");
    Duration { seconds, nanos: i32::try_from(time.subsec_nanos()).expect("less than a second") }
}

pub(in crate::service) fn process(listed: Listed) -> pb::Process {
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

fn process_role(role: ProcessRole) -> pb::ProcessRole {
    match role {
        ProcessRole::Serve => pb::ProcessRole::Serve,
        ProcessRole::Work => pb::ProcessRole::Work,
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

pub(in crate::service) fn audit_entry(entry: AuditEntry) -> pb::AuditEntry {
    pb::AuditEntry {
        id: entry.id,
        create_time: Some(timestamp(entry.at)),
        principal: entry.principal,
        role: entry.role.map_or(pb::Role::Unspecified, role).into(),
        address: entry.address,
        method: entry.method,
        call_id: entry.call_id,
        subjects: entry.subjects,
        details: Some(object(entry.details)),
        denied: entry.is_denied,
        calls: entry.calls,
    }
}

fn role(role: Role) -> pb::Role {
    match role {
        Role::Reader => pb::Role::Reader,
        Role::Maker => pb::Role::Maker,
        Role::Ops => pb::Role::Ops,
        Role::Admin => pb::Role::Admin,
    }
}

/// A field without a value is left out.
fn object(fields: Map<String, Json>) -> Struct {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    Struct { fields: fields.map(|(name, json)| (name, value(json))).collect() }
}

fn value(json: Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(NullValue::NullValue.into()),
        Json::Bool(is) => Kind::BoolValue(is),
        // The numbers in entries are 32-bit counts and limits.
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        Json::String(text) => Kind::StringValue(text),
        Json::Array(values) => Kind::ListValue(ListValue { values: values.into_iter().map(value).collect() }),
        Json::Object(fields) => Kind::StructValue(object(fields)),
    };
    Value { kind: Some(kind) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_same_names_on_the_wire() {
        for one in Role::ALL {
            assert_eq!(role(one).as_str_name(), format!("ROLE_{}", one.name().to_ascii_uppercase()));
        }
    }
}
