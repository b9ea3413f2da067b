//! Converts the limits of the server, processes with the slices that they hold, and audit entries to messages of the
//! API.

use prost_types::{Duration, ListValue, NullValue, Struct, Value, value::Kind};
use serde_json::{Map, Value as Json};

use super::{stock_and_targets::millis, timestamp};
use crate::settings::{Limits, Settings};
use puzzled_api::v1 as pb;
use puzzled_store::{
    access::{audit_entry::AuditEntry, principal::Role},
    jobs::process::{HeldSlice, Listed, Role as ProcessRole},
};

pub(crate) fn limits(settings: &Settings) -> pb::Limits {
    let Settings { queue, stock, connections, .. } = settings;
    pb::Limits {
        max_count: queue.max_count,
        max_tries: queue.max_tries,
        max_open_jobs: queue.max_open_jobs,
        max_puzzles: stock.max_puzzles,
        max_database_bytes: stock.max_database_bytes,
        max_refills: stock.max_refills,
        max_connections: connections.max_connections,
        max_connections_per_address: connections.max_per_address(),
        max_handshakes: connections.max_handshakes,
        handshake_timeout: Some(duration(connections.handshake_seconds)),
        connection_age: Some(duration(connections.connection_age_seconds)),
        connection_age_grace: Some(duration(connections.connection_age_grace_seconds)),
        keepalive_timeout: Some(duration(connections.keepalive_timeout_seconds)),
        top_up_count: settings.limits.top_up_count.min(queue.max_count),
        ..of_calls(&settings.limits)
    }
}

fn of_calls(limits: &Limits) -> pb::Limits {
    pb::Limits {
        max_targets: limits.max_targets,
        max_streams: limits.max_streams,
        max_page_size: limits.max_page_size,
        max_request_bytes: limits.max_request_bytes,
        max_daily_ahead_days: limits.daily_ahead_days,
        max_response_bytes: limits.max_response_bytes,
        max_text_bytes: limits.max_text_bytes,
        max_batch_requests: limits.max_batch_requests,
        top_up_time: Some(millis(limits.top_up().work_ms_max)),
        default_page_size: limits.default_page_size,
        max_page_size_drawn: limits.max_page_size_drawn,
        max_watchers: limits.max_watchers,
        max_waiting_calls: limits.max_waiting_calls,
        default_wait: Some(duration(limits.default_wait_seconds)),
        max_wait: Some(duration(limits.max_wait_seconds)),
        max_exports: limits.max_exports,
        max_calls: limits.max_calls,
        compute_threads: limits.compute_threads,
        max_waiting_short: limits.max_waiting_short,
        max_waiting_long: limits.max_waiting_long,
        max_search_nodes: limits.max_search_nodes,
        max_rating_nodes: limits.max_rating_nodes,
        ..pb::Limits::default()
    }
}

fn duration(time: std::time::Duration) -> Duration {
    let seconds = i64::try_from(time.as_secs()).expect("below 2^63 s");
    Duration { seconds, nanos: i32::try_from(time.subsec_nanos()).expect("less than a second") }
}

pub(crate) fn process(listed: Listed) -> pb::Process {
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

pub(crate) fn audit_entry(entry: AuditEntry) -> pb::AuditEntry {
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
