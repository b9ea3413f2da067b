//! The settings of a server as flags, environment variables and keys of a TOML file, and how they are merged.

use std::{net::SocketAddr, ops::RangeInclusive, path::Path, time::Duration};

use clap::{Args, value_parser};
use serde::Deserialize;

use super::{
    CliError,
    target::{self, TargetTable},
};
use crate::{
    config::{self, Config, Database},
    queue::policy::{Policy, Retention},
    telemetry::{self, LogFormat},
};

/// One source of settings; what it leaves open, the next one decides. The names of the fields are the file's keys.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    /// Address that the API listens on [default: 127.0.0.1:50051]
    #[arg(long, env = "PUZZLED_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,

    /// Database, sqlite:PATH or the URL of one on PostgreSQL; a file is made if it is not there [default:
    /// sqlite:puzzled.db]
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL")]
    pub database: Option<String>,

    /// Most connections to a PostgreSQL server, 2 to 1000; one more hears what other processes do [default: 10]
    #[arg(
        long, env = "PUZZLED_CONNECTIONS", value_name = "N", value_parser = value_parser!(u32).range(config::CONNECTIONS)
    )]
    pub connections: Option<u32>,

    /// Threads that make puzzles, 0 to 1024; 0 only answers calls [default: the number of cores]
    #[arg(long, env = "PUZZLED_WORKERS", value_name = "N", value_parser = value_parser!(u32).range(config::WORKERS))]
    pub workers: Option<u32>,

    /// Time after which a killed worker's slice is offered again, in milliseconds, 1000 to 3600000 [default: 15000]
    #[arg(long, env = "PUZZLED_LEASE_MS", value_name = "MS", value_parser = value_parser!(i64).range(config::LEASE_MS))]
    pub lease_ms: Option<i64>,

    /// Failed attempts at one slice with which its job fails, 1 to 100 [default: 8]
    #[arg(
        long, env = "PUZZLED_ATTEMPTS_MAX", value_name = "N", value_parser = value_parser!(u32).range(config::ATTEMPTS)
    )]
    pub attempts_max: Option<u32>,

    /// Rest after a first failed attempt, in milliseconds, 1 to 300000; doubles with each further one [default: 1000]
    #[arg(
        long, env = "PUZZLED_BACKOFF_MS", value_name = "MS", value_parser = value_parser!(i64).range(config::BACKOFF_MS)
    )]
    pub backoff_ms: Option<i64>,

    /// Most jobs queued or running at a time, 1 to 1000000 [default: 1000]
    #[arg(
        long, env = "PUZZLED_MAX_OPEN_JOBS", value_name = "N",
        value_parser = value_parser!(u32).range(config::OPEN_JOBS)
    )]
    pub max_open_jobs: Option<u32>,

    /// Most puzzles of one job, 1 to 10000000 [default: 100000]
    #[arg(long, env = "PUZZLED_MAX_COUNT", value_name = "N", value_parser = value_parser!(u32).range(config::COUNT))]
    pub max_count: Option<u32>,

    /// Most tries at one puzzle of a job before the job fails, 1 to 1000000 [default: 2000]
    #[arg(long, env = "PUZZLED_MAX_TRIES", value_name = "N", value_parser = value_parser!(u32).range(config::TRIES))]
    pub max_tries: Option<u32>,

    /// Most refills of stock targets queued or running at a time, 1 to 1000 [default: 4]
    #[arg(
        long, env = "PUZZLED_MAX_REFILLS", value_name = "N", value_parser = value_parser!(u32).range(config::REFILLS)
    )]
    pub max_refills: Option<u32>,

    /// Days from its end for which a job is kept, 0 to 36500; 0 keeps all, and puzzles always stay [default: 30]
    #[arg(
        long, env = "PUZZLED_RETENTION_JOBS_DAYS", value_name = "DAYS",
        value_parser = value_parser!(u32).range(config::RETENTION_DAYS)
    )]
    pub retention_jobs_days: Option<u32>,

    /// Days beyond its job for which the name of a request is known, 0 to 36500; 0 keeps all [default: 30]
    #[arg(
        long, env = "PUZZLED_RETENTION_REQUESTS_DAYS", value_name = "DAYS",
        value_parser = value_parser!(u32).range(config::RETENTION_DAYS)
    )]
    pub retention_requests_days: Option<u32>,

    /// Days for which a delivery is kept, 0 to 36500; 0 keeps all, and those of daily puzzles always stay [default: 0]
    #[arg(
        long, env = "PUZZLED_RETENTION_DELIVERIES_DAYS", value_name = "DAYS",
        value_parser = value_parser!(u32).range(config::RETENTION_DAYS)
    )]
    pub retention_deliveries_days: Option<u32>,

    /// Largest request message, in bytes, 1024 to 16777216 [default: 65536]
    #[arg(
        long, env = "PUZZLED_MAX_REQUEST_BYTES", value_name = "BYTES",
        value_parser = value_parser!(u32).range(config::REQUEST_BYTES)
    )]
    pub max_request_bytes: Option<u32>,

    /// Most calls at a time on one connection, 1 to 65535 [default: 200]
    #[arg(
        long, env = "PUZZLED_MAX_STREAMS", value_name = "N", value_parser = value_parser!(u32).range(config::STREAMS)
    )]
    pub max_streams: Option<u32>,

    /// Days from today (UTC) to the last one whose puzzle is handed out, 0 to 3650 [default: 7]
    #[arg(
        long, env = "PUZZLED_DAILY_AHEAD_DAYS", value_name = "N",
        value_parser = value_parser!(u32).range(config::DAILY_AHEAD_DAYS)
    )]
    pub daily_ahead_days: Option<u32>,

    /// Time that calls and slices get to end at shutdown, in seconds, 0 to 3600 [default: 10]
    #[arg(
        long, env = "PUZZLED_GRACE_SECONDS", value_name = "S",
        value_parser = value_parser!(u32).range(config::GRACE_SECONDS)
    )]
    pub grace_seconds: Option<u32>,

    /// What is logged: error, warn, info, debug, trace, or filters such as warn,puzzled=debug [default: info]
    #[arg(long, env = "PUZZLED_LOG", value_name = "FILTER")]
    pub log: Option<String>,

    /// How logs look [default: human]
    #[arg(long, env = "PUZZLED_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,

    /// Stock targets, tables of the file.
    #[arg(skip)]
    #[serde(default)]
    pub target: Vec<TargetTable>,
}

impl Settings {
    /// Reads the file of this name; without a name, nothing is set.
    ///
    /// # Errors
    /// [`CliError`] with the key, its value and the values allowed.
    pub(super) fn from_file(path: Option<&Path>) -> Result<Self, CliError> {
        let Some(path) = path else { return Ok(Self::default()) };
        let fault = |reason: String| CliError::ConfigFile { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
        let settings: Self = toml::from_str(&text).map_err(|error| fault(error.to_string()))?;
        settings.check().map_err(fault)?;
        Ok(settings)
    }

    /// Fills what is open here from the file, and the rest with the defaults.
    ///
    /// # Errors
    /// [`CliError`] if the database or the log filter cannot be read.
    pub(super) fn merge(self, file: Self) -> Result<Config, CliError> {
        let default = Config::default();
        let log = self.log.or(file.log).unwrap_or(default.log);
        let targets =
            file.target.iter().zip(1..).map(|(target, number)| target.wish(number)).collect::<Result<_, _>>()?;
        telemetry::filter(&log)?;
        Ok(Config {
            listen: self.listen.or(file.listen).unwrap_or(default.listen),
            database: match self.database.or(file.database) {
                Some(url) => database(&url)?,
                None => default.database,
            },
            connections: self.connections.or(file.connections).unwrap_or(default.connections),
            workers: self.workers.or(file.workers).unwrap_or(default.workers),
            policy: Policy {
                lease_ms: self.lease_ms.or(file.lease_ms).unwrap_or(default.policy.lease_ms),
                attempts_max: self.attempts_max.or(file.attempts_max).unwrap_or(default.policy.attempts_max),
                backoff_ms: self.backoff_ms.or(file.backoff_ms).unwrap_or(default.policy.backoff_ms),
                open_jobs_max: self.max_open_jobs.or(file.max_open_jobs).unwrap_or(default.policy.open_jobs_max),
                tries_max: self.max_tries.or(file.max_tries).unwrap_or(default.policy.tries_max),
            },
            count_max: self.max_count.or(file.max_count).unwrap_or(default.count_max),
            refills_max: self.max_refills.or(file.max_refills).unwrap_or(default.refills_max),
            retention: Retention {
                jobs_days: kept(self.retention_jobs_days, file.retention_jobs_days, default.retention.jobs_days),
                requests_days: kept(
                    self.retention_requests_days,
                    file.retention_requests_days,
                    default.retention.requests_days,
                ),
                deliveries_days: kept(
                    self.retention_deliveries_days,
                    file.retention_deliveries_days,
                    default.retention.deliveries_days,
                ),
            },
            targets,
            request_bytes_max: self.max_request_bytes.or(file.max_request_bytes).unwrap_or(default.request_bytes_max),
            streams_max: self.max_streams.or(file.max_streams).unwrap_or(default.streams_max),
            daily_ahead_days: self.daily_ahead_days.or(file.daily_ahead_days).unwrap_or(default.daily_ahead_days),
            grace: self
                .grace_seconds
                .or(file.grace_seconds)
                .map_or(default.grace, |seconds| Duration::from_secs(seconds.into())),
            log,
            log_format: self.log_format.or(file.log_format).unwrap_or(default.log_format),
            probe: default.probe,
        })
    }

    /// What flags and variables are checked for while they are read.
    fn check(&self) -> Result<(), String> {
        within("connections", self.connections, &config::CONNECTIONS)?;
        within("workers", self.workers, &config::WORKERS)?;
        within("lease_ms", self.lease_ms, &config::LEASE_MS)?;
        within("attempts_max", self.attempts_max, &config::ATTEMPTS)?;
        within("backoff_ms", self.backoff_ms, &config::BACKOFF_MS)?;
        within("max_open_jobs", self.max_open_jobs, &config::OPEN_JOBS)?;
        within("max_count", self.max_count, &config::COUNT)?;
        within("max_tries", self.max_tries, &config::TRIES)?;
        within("max_refills", self.max_refills, &config::REFILLS)?;
        within("retention_jobs_days", self.retention_jobs_days, &config::RETENTION_DAYS)?;
        within("retention_requests_days", self.retention_requests_days, &config::RETENTION_DAYS)?;
        within("retention_deliveries_days", self.retention_deliveries_days, &config::RETENTION_DAYS)?;
        within("max_request_bytes", self.max_request_bytes, &config::REQUEST_BYTES)?;
        within("max_streams", self.max_streams, &config::STREAMS)?;
        within("daily_ahead_days", self.daily_ahead_days, &config::DAILY_AHEAD_DAYS)?;
        within("grace_seconds", self.grace_seconds, &config::GRACE_SECONDS)
    }
}

/// Days for which something is kept: 0 means for ever.
fn kept(ours: Option<u32>, files: Option<u32>, default: Option<u32>) -> Option<u32> {
    ours.or(files).map_or(default, |days| (days > 0).then_some(days))
}

/// Reads a database URL.
///
/// # Errors
/// [`CliError::Database`], which does not repeat the URL.
pub(super) fn database(url: &str) -> Result<Database, CliError> {
    url.parse().map_err(CliError::Database)
}

fn within(key: &str, value: Option<impl Into<i64>>, allowed: &RangeInclusive<i64>) -> Result<(), String> {
    match value.map(Into::into) {
        Some(value) if !allowed.contains(&value) => {
            Err(format!("{key} is {value}, allowed are {} to {}", allowed.start(), allowed.end()))
        }
        _ => Ok(()),
    }
}

/// Merged settings as a configuration file that would set every one of them.
pub(super) fn as_toml(config: &Config) -> String {
    let quoted = |text: &dyn ToString| serde_json::Value::from(text.to_string()).to_string();
    let days = |kept: Option<u32>| kept.unwrap_or(0).to_string();
    let Policy { lease_ms, attempts_max, backoff_ms, open_jobs_max, tries_max } = &config.policy;
    let lines = [
        ("listen", quoted(&config.listen)),
        ("database", quoted(&config.database)),
        ("connections", config.connections.to_string()),
        ("workers", config.workers.to_string()),
        ("lease_ms", lease_ms.to_string()),
        ("attempts_max", attempts_max.to_string()),
        ("backoff_ms", backoff_ms.to_string()),
        ("max_open_jobs", open_jobs_max.to_string()),
        ("max_count", config.count_max.to_string()),
        ("max_tries", tries_max.to_string()),
        ("max_refills", config.refills_max.to_string()),
        ("retention_jobs_days", days(config.retention.jobs_days)),
        ("retention_requests_days", days(config.retention.requests_days)),
        ("retention_deliveries_days", days(config.retention.deliveries_days)),
        ("max_request_bytes", config.request_bytes_max.to_string()),
        ("max_streams", config.streams_max.to_string()),
        ("daily_ahead_days", config.daily_ahead_days.to_string()),
        ("grace_seconds", config.grace.as_secs().to_string()),
        ("log", quoted(&config.log)),
        ("log_format", quoted(&config.log_format.name())),
    ];
    let targets: String = config.targets.iter().map(target::as_toml).collect();
    lines.map(|(key, value)| format!("{key} = {value}\n")).concat() + &targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::target::{Schedule, Wish};
    use clap::Command;
    use puzzled_engine::{
        level::{Level, Tenths},
        spec::{Spec, Target},
        symmetry::Symmetry,
    };

    fn targets() -> Vec<Wish> {
        let schedule =
            Schedule { cron: "0 1 * * *".to_owned(), time_zone: "Europe/Berlin".to_owned(), window_minutes: 5 };
        let range = Target::Range { min: Tenths(21), max: Tenths(26) };
        let all = [(Target::Any, None), (Target::Level(Level::Hard), Some(schedule)), (range, None)];
        all.map(|(target, schedule)| Wish {
            spec: Spec {
                kind: "sudoku".to_owned(),
                variant: "9x9".to_owned(),
                symmetry: Symmetry::Full,
                target,
                clues: None,
                technique: None,
            },
            low_water: 3,
            target: 9,
            priority: 1,
            no_extras: schedule.is_some(),
            schedule,
        })
        .to_vec()
    }

    #[test]
    fn what_is_shown_as_toml_sets_the_same_again() {
        let shown = as_toml(&Config { workers: 7, log: "info,\"x\"=debug".to_owned(), ..Config::default() });
        let read: Settings = toml::from_str(&shown).unwrap();
        assert_eq!((read.workers, read.log.as_deref()), (Some(7), Some("info,\"x\"=debug")));
        let defaults = as_toml(&Config { targets: targets(), ..Config::default() });
        assert_eq!(defaults.matches("[[target]]").count(), 3);
        let merged = Settings::default().merge(toml::from_str(&defaults).unwrap()).unwrap();
        assert_eq!(as_toml(&merged), defaults);
    }

    #[test]
    fn the_help_of_each_setting_names_its_bounds_and_its_default() {
        let defaults = as_toml(&Config { workers: 0, ..Config::default() });
        let command = Settings::augment_args(Command::new("serve"));
        let bounds = [
            ("connections", config::CONNECTIONS),
            ("workers", config::WORKERS),
            ("lease_ms", config::LEASE_MS),
            ("attempts_max", config::ATTEMPTS),
            ("backoff_ms", config::BACKOFF_MS),
            ("max_open_jobs", config::OPEN_JOBS),
            ("max_count", config::COUNT),
            ("max_tries", config::TRIES),
            ("max_request_bytes", config::REQUEST_BYTES),
            ("max_refills", config::REFILLS),
            ("retention_jobs_days", config::RETENTION_DAYS),
            ("retention_requests_days", config::RETENTION_DAYS),
            ("retention_deliveries_days", config::RETENTION_DAYS),
            ("max_streams", config::STREAMS),
            ("daily_ahead_days", config::DAILY_AHEAD_DAYS),
            ("grace_seconds", config::GRACE_SECONDS),
        ];
        for line in defaults.lines() {
            let (key, default) = line.split_once(" = ").unwrap();
            let arg = command.get_arguments().find(|arg| arg.get_id() == key).unwrap();
            let help = arg.get_help().unwrap().to_string();
            let default = if key == "workers" { "the number of cores" } else { default.trim_matches('"') };
            assert!(help.ends_with(&format!("[default: {default}]")), "{key}: {help}");
            if let Some((_, allowed)) = bounds.iter().find(|(bounded, _)| *bounded == key) {
                let wanted = format!(", {} to {}", allowed.start(), allowed.end());
                assert!(help.contains(&wanted), "{key}: {help}");
                let outside: Settings = toml::from_str(&format!("{key} = {}", allowed.end() + 1)).unwrap();
                assert!(outside.check().unwrap_err().starts_with(key), "{key} is not bounded in a file");
            }
        }
        assert_eq!(defaults.lines().count(), command.get_arguments().count());
    }
}
