//! Converts the limits of the server to the message that `GetServerInfo` returns.

use prost_types::Duration;

use crate::{
    proto::v1 as pb,
    rules::jobs::policy::Policy,
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
        max_daily_past_days: limits.daily_past_days,
        max_response_bytes: limits.response_bytes_max,
        max_text_bytes: limits.text_len_max,
        max_batch_requests: limits.batch_max,
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
