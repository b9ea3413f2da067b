//! What the configuration decides about the service: bounds on requests, and how connections are kept.

use std::time::Duration;

/// Bounds on what one request may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Most puzzles of one job. Default: 100,000.
    pub count_max: u32,
    /// Most entries on a page. Default: 200.
    pub page_size_max: u32,
    /// Most puzzles on a page where they come with drawings or regions, each of which doubles the largest puzzles at most.
    /// Default: 100.
    pub page_size_shown_max: u32,
    /// Entries on a page where the request does not say. Default: 50.
    pub page_size_default: u32,
    /// Most bytes of a puzzle text. Default: 8,192.
    pub text_len_max: u32,
    /// Most bytes of a request message. Default: 65,536.
    pub request_bytes_max: u32,
    /// Most bytes of a response message. Default: 4 MiB, which clients take unasked; a page of 200 puzzles of the
    /// largest kind, Kakuro of 30x30 cells with their solutions, is smaller, and so is one of 100 with drawings and regions.
    pub response_bytes_max: u32,
    /// Most open `WatchJob` and `WatchStock` streams. Default: 256. Each reads what it watches twice a second.
    pub watchers_max: u32,
    /// Most `GetPuzzle` and `GetDailyPuzzle` calls that wait for a puzzle. Default: 256. Each reads the counts and the open jobs
    /// twice a second.
    pub waiters_max: u32,
    /// Most open `ExportPuzzles` streams. Default: 16. Each reads as fast as its caller does.
    pub exports_max: u32,
    /// Days from today (UTC) up to which `GetDailyPuzzle` answers. Default: 7.
    pub daily_ahead_days: u32,
    /// Days back from today (UTC) to the first one that `GetDailyPuzzle` gives a puzzle. Default: 31.
    pub daily_past_days: u32,
    /// Most calls being answered at a time, over all connections; health checks do not count. Default: 1,024.
    pub calls_max: u32,
    /// Threads that solve, rate and validate texts of callers. Default: 2.
    pub solve_threads: u32,
    /// Texts that may wait for one of these threads. Default: 64.
    pub solve_waiting_max: u32,
    /// Most nodes of one rating of such a text, beside the bound of its kind. Default: that bound alone.
    pub rating_nodes_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            count_max: 100_000,
            page_size_max: 200,
            page_size_shown_max: 100,
            page_size_default: 50,
            text_len_max: 8_192,
            request_bytes_max: 65_536,
            response_bytes_max: 4 << 20,
            watchers_max: 256,
            waiters_max: 256,
            exports_max: 16,
            daily_ahead_days: 7,
            daily_past_days: 31,
            calls_max: 1_024,
            solve_threads: 2,
            solve_waiting_max: 64,
            rating_nodes_max: u64::MAX,
        }
    }
}

/// How the server keeps its connections, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Bounds on requests.
    pub limits: Limits,
    /// Whether reflection is served, v1 and v1alpha. Default: yes.
    pub reflection: bool,
    /// Most connections; further ones wait in the kernel's queue. Default: 1,024.
    pub connections_max: u32,
    /// Most calls at a time on one connection. Default: 200.
    pub streams_max: u32,
    /// Age at which a client is asked to connect anew, so that replicas share the load. Default: 30 min.
    pub connection_age: Duration,
    /// Time that calls have to finish after that, before the connection is cut. Default: 5 min.
    pub connection_age_grace: Duration,
    /// Time between two pings of an idle connection. Default: 30 s.
    pub keepalive: Duration,
    /// Time in which a ping must be answered. Default: 20 s.
    pub keepalive_timeout: Duration,
    /// Time between two pings of the database, by which health is told. Default: 1 s.
    pub health_every: Duration,
    /// Time that calls have to finish at shutdown, before connections are cut. Default: 10 s.
    pub shutdown_grace: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            reflection: true,
            connections_max: 1_024,
            streams_max: 200,
            connection_age: Duration::from_mins(30),
            connection_age_grace: Duration::from_mins(5),
            keepalive: Duration::from_secs(30),
            keepalive_timeout: Duration::from_secs(20),
            health_every: Duration::from_secs(1),
            shutdown_grace: Duration::from_secs(10),
        }
    }
}
