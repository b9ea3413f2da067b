//! The settings of the service and their defaults: the limits on requests, and the handling of connections and of the
//! shutdown. Also holds the current settings, which a reload replaces.

use std::{sync::Arc, time::Duration};

use super::layers::call_log::LoggedCalls;
use crate::{base::live::Live, rules::targets::top_up::TopUp};

/// Limits on requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of puzzles in one job. Default: 100,000.
    pub count_max: u32,
    /// The job that `enqueue_if_short` queues. Default: 20 puzzles, 10 s of work.
    pub top_up: TopUp,
    /// The maximum number of requests in one `BatchGenerate` or `BatchGetPuzzles`. Default: 100.
    pub batch_max: u32,
    /// The maximum number of entries on a page. Default: 200.
    pub page_size_max: u32,
    /// The maximum number of puzzles on a page with drawings or regions. Each of the two at most doubles the size of
    /// the largest puzzles. Default: 100.
    pub page_size_shown_max: u32,
    /// The number of entries on a page if the request names none. Default: 50.
    pub page_size_default: u32,
    /// The maximum size of a puzzle text, in bytes. Default: 8,192.
    pub text_len_max: u32,
    /// The maximum size of a request message, in bytes. Default: 1 MiB, more than any request within the limits of its
    /// fields, except an import of 500 large texts.
    pub request_bytes_max: u32,
    /// The maximum size of a response message, in bytes. Default: 4 MiB, the default limit of clients. A page of 200 of
    /// the largest puzzles with their solutions is smaller, and so is one of 100 with drawings and regions.
    pub response_bytes_max: u32,
    /// The maximum number of open `WatchJob` and `WatchStock` streams. Default: 256. Each reads the job or the stock
    /// twice a second.
    pub watchers_max: u32,
    /// The maximum number of `GetPuzzle` and `GetDailyPuzzle` calls that wait for a puzzle. Default: 256. Each reads
    /// the counts and the open jobs twice a second.
    pub waiters_max: u32,
    /// The time that such a call waits if it has no deadline. Default: 1 min.
    pub wait_default: Duration,
    /// The maximum time that such a call waits, whatever its deadline. Default: 10 min.
    pub wait_max: Duration,
    /// The maximum number of open `ExportPuzzles` streams. Default: 16. Each reads as fast as its caller does.
    pub exports_max: u32,
    /// The number of days after the current one of a series that get their puzzle in advance. Default: 7.
    pub daily_ahead_days: u32,
    /// The maximum number of concurrent calls on all connections; health checks do not count. Default: 1,024.
    pub calls_max: u32,
    /// Threads that solve, rate, and validate texts of callers, and scramble puzzles. Default: 3. Fixed at the start.
    pub compute_threads: u32,
    /// The maximum number of calls with short work that wait for one of these threads. Default: 64.
    pub short_waiting_max: u32,
    /// The maximum number of calls with long work that wait for one of these threads. Default: 64.
    pub long_waiting_max: u32,
    /// The maximum number of nodes in each search over a caller's text. Default: 1,000,000. Proofs for published Sudoku
    /// stay under a hundredth of this limit; a longer search fails with `OUT_OF_BUDGET` after some seconds.
    pub search_nodes_max: u64,
    /// The maximum number of nodes in one rating of such a text. The limit of its kind applies too. Default: only that
    /// limit.
    pub rating_nodes_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            count_max: 100_000,
            top_up: TopUp::default(),
            batch_max: 100,
            page_size_max: 200,
            page_size_shown_max: 100,
            page_size_default: 50,
            text_len_max: 8_192,
            request_bytes_max: 1 << 20,
            response_bytes_max: 4 << 20,
            watchers_max: 256,
            waiters_max: 256,
            wait_default: Duration::from_mins(1),
            wait_max: Duration::from_mins(10),
            exports_max: 16,
            daily_ahead_days: 7,
            calls_max: 1_024,
            compute_threads: 3,
            short_waiting_max: 64,
            long_waiting_max: 64,
            search_nodes_max: 1_000_000,
            rating_nodes_max: u64::MAX,
        }
    }
}

/// The limits on requests, the handling of connections, and the shutdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Limits on requests.
    pub limits: Limits,
    /// Whether reflection is served, v1 and v1alpha. Default: yes. Fixed at the start.
    pub reflection: bool,
    /// Origins such as `https://example.org` whose pages may call the API from a browser. Default: none. Fixed at the start.
    pub cors_origins: Vec<String>,
    /// The names under which plain requests reach a server without an access file, in lower case, without port and
    /// trailing dot. `.example.com` stands for all names below. Default: none; addresses and `localhost` are always allowed.
    pub hosts: Vec<String>,
    /// Which calls have a line in the log. Default: those that fail or take longer than a second.
    pub logged_calls: LoggedCalls,
    /// The maximum number of connections; further ones are closed at once. Default: 1,024.
    pub connections_max: u32,
    /// The maximum number of connections from one address; further ones are closed at once. 0 means no limit, for
    /// servers behind a proxy. Default: 512, half of all.
    pub connections_per_address_max: u32,
    /// The maximum number of sockets that have not yet finished the handshake. One more closes the oldest of them.
    /// Default: 512.
    pub handshakes_max: u32,
    /// Time that a handshake may take. Default: 10 s.
    pub handshake_timeout: Duration,
    /// The maximum number of concurrent calls on one connection. Default: 200. Fixed at the start.
    pub streams_max: u32,
    /// The age of a connection at which its client is asked to reconnect, so that replicas share the load. Default: 30
    /// min. Fixed at the start.
    pub connection_age: Duration,
    /// The time that calls have to finish after that, before the connection is closed. Default: 5 min.
    pub connection_age_grace: Duration,
    /// Time between two pings of an idle connection. Default: 30 s. Fixed at the start.
    pub keepalive: Duration,
    /// Time in which a ping must be answered. Default: 20 s. Fixed at the start.
    pub keepalive_timeout: Duration,
    /// Time between two pings of the database, which set the health. Default: 1 s.
    pub health_every: Duration,
    /// The number of consecutive failed pings after which health is `NOT_SERVING`. Default: 3.
    pub health_failures: u32,
    /// The time from the signal, at which health becomes `NOT_SERVING`, to the drain. Until then, the server answers
    /// calls as before. Default: 0.
    pub drain_delay: Duration,
    /// The time that calls have to finish at shutdown, before connections are closed. Default: 10 s.
    pub shutdown_grace: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            reflection: true,
            cors_origins: Vec::new(),
            hosts: Vec::new(),
            logged_calls: LoggedCalls::Slow,
            connections_max: 1_024,
            connections_per_address_max: 512,
            handshakes_max: 512,
            handshake_timeout: Duration::from_secs(10),
            streams_max: 200,
            connection_age: Duration::from_mins(30),
            connection_age_grace: Duration::from_mins(5),
            keepalive: Duration::from_secs(30),
            keepalive_timeout: Duration::from_secs(20),
            health_every: Duration::from_secs(1),
            health_failures: 3,
            drain_delay: Duration::ZERO,
            shutdown_grace: Duration::from_secs(10),
        }
    }
}

/// The settings of a running server, which a reload replaces. Settings that are "fixed at the start" keep their first value.
#[derive(Debug)]
pub struct CurrentSettings {
    server: Live<ServerSettings>,
    limits: Live<Limits>,
}

impl CurrentSettings {
    /// The settings that a server starts with.
    #[must_use]
    pub fn new(settings: ServerSettings) -> Arc<Self> {
        Arc::new(Self { limits: Live::new(settings.limits.clone()), server: Live::new(settings) })
    }

    /// Replaces the settings. A call in progress keeps those with which it began.
    pub fn set(&self, settings: ServerSettings) {
        self.limits.set(settings.limits.clone());
        self.server.set(settings);
    }

    /// The current settings.
    #[must_use]
    pub fn server(&self) -> Arc<ServerSettings> {
        self.server.get()
    }

    /// The current limits on requests.
    #[must_use]
    pub fn limits(&self) -> Arc<Limits> {
        self.limits.get()
    }
}
