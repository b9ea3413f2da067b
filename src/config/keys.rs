//! Lists every setting with its key, its value, and whether a reload applies it. At a reload, settings that need a
//! restart keep their values. The structs are destructured completely, so a new setting compiles only once it is listed
//! here.

use std::fmt::Debug;

use super::Config;
use crate::{
    rules::jobs::{
        growth::Growth,
        policy::{Policy, Retention},
    },
    service::{Limits, ServerSettings},
    telemetry::traces::TraceSettings,
    tls::TlsFiles,
};

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its key in the configuration file.
    pub key: &'static str,
    /// Its value as text, for comparisons.
    pub value: String,
    /// When a change of it applies.
    pub taken: Taken,
}

/// When a change of a setting applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Only at the start: a change needs a restart.
    AtStart,
    /// At each reload.
    Live,
}

impl Config {
    /// Returns all settings.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let Self {
            listen,
            access,
            insecure,
            tls: TlsFiles { cert, key, client_ca, crl },
            ops_listen,
            host: _,
            database,
            database_password_file,
            database_connections,
            workers,
            policy,
            refills_max,
            targets_max,
            retention,
            declaration,
            series,
            server,
            log,
            log_format,
            traces: TraceSettings { collector, ratio },
            fault_points: _,
        } = self;
        let own = [
            at_start("listen", listen),
            at_start("access", access),
            at_start("insecure", insecure),
            // Their contents are read again at a reload.
            at_start("tls_cert", cert),
            at_start("tls_key", key),
            at_start("tls_client_ca", client_ca),
            at_start("tls_crl", crl),
            at_start("ops_listen", ops_listen),
            at_start("database", database),
            at_start("database_password_file", database_password_file),
            at_start("database_connections", database_connections),
            at_start("workers", workers),
            live("max_refills", refills_max),
            live("max_targets", targets_max),
            at_start("config_name", &declaration.name()),
            live("target", &declaration.wishes()),
            live("series", &series.wishes()),
            live("log", log),
            at_start("log_format", log_format),
            at_start("otlp_endpoint", collector),
            at_start("trace_ratio", ratio),
        ];
        own.into_iter().chain(of_queue(policy, retention)).chain(of_server(server)).collect()
    }

    /// Returns these settings, except that those which need a restart keep the values of `running`.
    #[must_use]
    pub fn kept_from(self, running: &Self) -> Self {
        let compute_threads = running.server.limits.compute_threads;
        let server = ServerSettings {
            limits: Limits { compute_threads, ..self.server.limits },
            reflection: running.server.reflection,
            cors_origins: running.server.cors_origins.clone(),
            streams_max: running.server.streams_max,
            connection_age: running.server.connection_age,
            keepalive: running.server.keepalive,
            keepalive_timeout: running.server.keepalive_timeout,
            ..self.server
        };
        Self {
            policy: Policy { lease_ms: running.policy.lease_ms, ..self.policy },
            refills_max: self.refills_max,
            targets_max: self.targets_max,
            retention: self.retention,
            declaration: self.declaration.under(running.declaration.name()),
            series: self.series.under(running.series.name()),
            server,
            log: self.log,
            ..running.clone()
        }
    }
}

fn of_queue(policy: &Policy, retention: &Retention) -> Vec<Setting> {
    let Policy { lease_ms, attempts_max, backoff_ms: _, open_jobs_max, tries_max, growth } = policy;
    let Growth { puzzles_max, database_bytes_max } = growth;
    let Retention { jobs_days, requests_days, deliveries_days, audit_days } = retention;
    vec![
        // A shorter lease would expire before its worker renews it.
        at_start("lease_ms", lease_ms),
        live("max_attempts", attempts_max),
        live("max_open_jobs", open_jobs_max),
        live("max_tries", tries_max),
        live("max_puzzles", puzzles_max),
        live("max_database_bytes", database_bytes_max),
        live("retention_jobs_days", jobs_days),
        live("retention_requests_days", requests_days),
        live("retention_deliveries_days", deliveries_days),
        live("retention_audit_days", audit_days),
    ]
}

fn of_server(server: &ServerSettings) -> Vec<Setting> {
    let ServerSettings {
        limits,
        reflection,
        cors_origins,
        hosts,
        logged_calls,
        connections_max,
        connections_per_address_max,
        handshakes_max,
        handshake_timeout,
        streams_max,
        connection_age,
        connection_age_grace,
        keepalive,
        keepalive_timeout,
        health_every: _,
        health_failures,
        drain_delay,
        shutdown_grace,
    } = server;
    let own = [
        at_start("reflection", reflection),
        at_start("cors_origins", cors_origins),
        live("hosts", hosts),
        live("log_calls", logged_calls),
        live("max_connections", connections_max),
        live("max_connections_per_address", connections_per_address_max),
        live("max_handshakes", handshakes_max),
        live("handshake_seconds", handshake_timeout),
        at_start("max_streams", streams_max),
        at_start("connection_age_seconds", connection_age),
        live("connection_age_grace_seconds", connection_age_grace),
        at_start("keepalive_seconds", keepalive),
        at_start("keepalive_timeout_seconds", keepalive_timeout),
        live("health_failures", health_failures),
        live("drain_delay_seconds", drain_delay),
        live("grace_seconds", shutdown_grace),
    ];
    own.into_iter().chain(of_calls(limits)).collect()
}

fn of_calls(limits: &Limits) -> Vec<Setting> {
    let Limits {
        count_max,
        batch_max,
        page_size_max,
        page_size_shown_max,
        page_size_default,
        text_len_max,
        request_bytes_max,
        response_bytes_max,
        watchers_max,
        waiters_max,
        wait_default,
        wait_max,
        exports_max,
        daily_ahead_days,
        calls_max,
        compute_threads,
        short_waiting_max,
        long_waiting_max,
        search_nodes_max,
        rating_nodes_max,
        top_up,
    } = limits;
    vec![
        live("max_count", count_max),
        live("max_batch_requests", batch_max),
        live("max_page_size", page_size_max),
        live("max_page_size_drawn", page_size_shown_max),
        live("default_page_size", page_size_default),
        live("max_text_bytes", text_len_max),
        live("max_request_bytes", request_bytes_max),
        live("max_response_bytes", response_bytes_max),
        live("max_watchers", watchers_max),
        live("max_waiting_calls", waiters_max),
        live("default_wait_seconds", wait_default),
        live("max_wait_seconds", wait_max),
        live("max_exports", exports_max),
        live("daily_ahead_days", daily_ahead_days),
        live("max_calls", calls_max),
        at_start("compute_threads", compute_threads),
        live("max_waiting_short", short_waiting_max),
        live("max_waiting_long", long_waiting_max),
        live("max_search_nodes", search_nodes_max),
        live("max_rating_nodes", rating_nodes_max),
        live("top_up_count", &top_up.count),
        live("top_up_seconds", &top_up.work_ms_max),
    ]
}

fn live(key: &'static str, value: &dyn Debug) -> Setting {
    Setting { key, value: format!("{value:?}"), taken: Taken::Live }
}

fn at_start(key: &'static str, value: &dyn Debug) -> Setting {
    Setting { taken: Taken::AtStart, ..live(key, value) }
}
