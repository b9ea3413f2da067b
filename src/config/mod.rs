//! The settings of a process with their defaults and limits, after flags, environment, and file have been merged. Also
//! parses the location of the database, and writes the line that the process logs at its start.

mod exposed;
mod keys;

use std::{fmt, net::SocketAddr, ops::RangeInclusive, path::PathBuf, str::FromStr, sync::Arc};

use crate::{
    rules::{
        jobs::policy::{Policy, Retention},
        series::daily_series::SeriesWish,
        targets::declaration::Declaration,
    },
    service::ServerSettings,
    stock::planner::RefillPolicy,
    store::{
        fault_points::{FaultPoints, NoFaults},
        postgres::PostgresUrl,
    },
    telemetry::{LogFormat, traces::TraceSettings},
    tls::TlsFiles,
};

pub use exposed::Exposed;
pub use keys::{Setting, Taken};

/// Allowed numbers of puzzles in one job.
pub const COUNT: RangeInclusive<i64> = 1..=10_000_000;
/// Allowed numbers of tries at one puzzle.
pub const TRIES: RangeInclusive<i64> = 1..=1_000_000;

/// The settings of one server process.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address that the API listens on.
    pub listen: SocketAddr,
    /// The file of principals and tokens. `None`: every caller is anonymous and may call everything.
    pub access: Option<PathBuf>,
    /// Whether the server may listen beyond this machine without an access file or without TLS.
    pub insecure: bool,
    /// The files of the listener's TLS.
    pub tls: TlsFiles,
    /// The address of the ops port, which serves probes and metrics. `None`: no ops port.
    pub ops_listen: Option<SocketAddr>,
    /// Name of the host that this process runs on, for the list of processes. Default: `unknown`.
    pub host: String,
    /// The database of jobs and puzzles.
    pub database: Database,
    /// The file from which the password in `database` was read, if any.
    pub database_password_file: Option<PathBuf>,
    /// The maximum number of connections to a PostgreSQL server, not counting the listener's.
    pub database_connections: u32,
    /// Worker threads; a process with 0 only answers calls.
    pub workers: u32,
    /// Leases, retries, and limits of the queue, and limits on the growth of the stock.
    pub policy: Policy,
    /// The maximum number of open refills.
    pub refills_max: u32,
    /// The maximum number of stock targets.
    pub targets_max: u32,
    /// How long jobs, names of requests, and deliveries are kept.
    pub retention: Retention,
    /// The stock targets that the configuration declares, and its name.
    pub declaration: Declaration,
    /// The daily series that the configuration declares, with the same name.
    pub series: Declaration<SeriesWish>,
    /// Limits on requests and connections, and how the server shuts down. Its grace time applies to slices too.
    pub server: ServerSettings,
    /// The log filter: a level, or filters such as `info,puzzled::worker=debug`.
    pub log: String,
    /// The format of the log.
    pub log_format: LogFormat,
    /// The collector of spans, and the share of traces that it gets.
    pub traces: TraceSettings,
    /// What happens at the fault points of every write. Outside tests, writes continue there.
    pub fault_points: Arc<dyn FaultPoints>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 50_051)),
            access: None,
            insecure: false,
            tls: TlsFiles::default(),
            ops_listen: None,
            host: "unknown".to_owned(),
            database: Database::Sqlite(PathBuf::from("puzzled.db")),
            database_password_file: None,
            database_connections: 10,
            workers: cores(),
            policy: Policy::default(),
            refills_max: 4,
            targets_max: 1_000,
            retention: Retention::default(),
            declaration: Declaration::default(),
            series: Declaration::default(),
            server: ServerSettings::default(),
            log: "info".to_owned(),
            log_format: LogFormat::Human,
            traces: TraceSettings::default(),
            fault_points: Arc::new(NoFaults),
        }
    }
}

impl Config {
    /// The limits of the planner.
    #[must_use]
    pub fn refills(&self) -> RefillPolicy {
        RefillPolicy {
            targets_max: self.targets_max,
            refills_max: self.refills_max,
            open_jobs_max: self.policy.open_jobs_max,
            count_max: self.server.limits.count_max,
            tries_max: self.policy.tries_max,
            workers: self.workers,
            days_ahead: self.server.limits.daily_ahead_days,
        }
    }

    /// The line that is logged once the server listens on `at`, which includes the port that the system chose for
    /// port 0. `is_new` says whether the start created the database.
    #[must_use]
    pub fn listens(&self, at: SocketAddr, is_new: bool) -> String {
        let (version, database) = (env!("CARGO_PKG_VERSION"), self.database.described(is_new));
        format!("puzzled {version} listens on {at}, database {database}, {}", self.so_many_workers())
    }

    /// The line that is logged once a worker process runs. `is_new` says whether the start created the database.
    #[must_use]
    pub fn works(&self, is_new: bool) -> String {
        let (version, database) = (env!("CARGO_PKG_VERSION"), self.database.described(is_new));
        format!("puzzled {version} works on database {database}, {}", self.so_many_workers())
    }

    fn so_many_workers(&self) -> String {
        match self.workers {
            0 => "no workers".to_owned(),
            1 => "1 worker".to_owned(),
            several => format!("{several} workers"),
        }
    }
}

/// The number of hardware threads of this machine, at least 1.
///
/// # Panics
/// If there are 2^32 or more.
#[must_use]
pub fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).expect("below 2^32 cores"))
}

/// The location of a database. It is displayed without its password.
#[derive(Debug, Clone)]
pub enum Database {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A database on a PostgreSQL server.
    Postgres(PostgresUrl),
}

impl Database {
    /// Whether opening it creates it: a file that does not exist yet. A PostgreSQL database is never created.
    #[must_use]
    pub fn is_new(&self) -> bool {
        match self {
            Self::Sqlite(path) => !path.exists(),
            Self::Postgres(_) => false,
        }
    }

    /// The absolute path or the URL without its password, and whether the start created it.
    fn described(&self, is_new: bool) -> String {
        match self {
            Self::Sqlite(path) => {
                let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                format!("{} ({})", absolute.display(), if is_new { "created" } else { "opened" })
            }
            Self::Postgres(url) => url.to_string(),
        }
    }
}

/// Why a text is not the location of a database. The errors repeat only a text that cannot contain a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The text is a path without a scheme.
    #[error("{0:?} names no kind of database; use sqlite:{0}, or postgres://USER@HOST/NAME")]
    NoScheme(String),
    /// The text has the form of another type of database, or no known form.
    #[error("unknown kind of database; use sqlite:PATH or postgres://USER@HOST/NAME")]
    Unknown,
    /// The text is an invalid URL of a PostgreSQL database.
    #[error("not a URL of a PostgreSQL database; use postgres://USER:PASSWORD@HOST:PORT/NAME")]
    Postgres,
    /// The text names an SQLite database that connections could not share.
    #[error("no file is named; use sqlite:PATH")]
    NoFile,
    /// The text has options after the file's name.
    #[error("options after `?` are not allowed; use sqlite:PATH")]
    Options,
}

impl DatabaseError {
    /// The error for a text without a known scheme. A path has no `:` and no `@`, which a URL with a password has.
    fn of_unknown(text: &str) -> Self {
        if text.is_empty() || text.contains([':', '@']) { Self::Unknown } else { Self::NoScheme(text.to_owned()) }
    }
}

impl FromStr for Database {
    type Err = DatabaseError;

    fn from_str(text: &str) -> Result<Self, DatabaseError> {
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return text.parse().map(Self::Postgres).map_err(|_| DatabaseError::Postgres);
        }
        let path = text.strip_prefix("sqlite:").ok_or_else(|| DatabaseError::of_unknown(text))?;
        let path = path.strip_prefix("//").unwrap_or(path);
        match path {
            "" | ":memory:" => Err(DatabaseError::NoFile),
            _ if path.contains('?') => Err(DatabaseError::Options),
            _ => Ok(Self::Sqlite(PathBuf::from(path))),
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => url.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_text_is_parsed_or_refused_with_a_reason() {
        let cases = [
            ("sqlite:puzzled.db", Ok("sqlite:puzzled.db")),
            ("sqlite:/var/lib/puzzled/stock.db", Ok("sqlite:/var/lib/puzzled/stock.db")),
            ("sqlite://puzzled.db", Ok("sqlite:puzzled.db")),
            ("sqlite:///var/stock.db", Ok("sqlite:/var/stock.db")),
            ("sqlite:", Err(DatabaseError::NoFile)),
            ("sqlite::memory:", Err(DatabaseError::NoFile)),
            ("sqlite:puzzled.db?mode=rwc", Err(DatabaseError::Options)),
            ("postgres://puzzled:secret@db/stock", Ok("postgres://puzzled@db:5432/stock")),
            ("postgresql://puzzled@db:6000/stock?sslmode=require", Ok("postgres://puzzled@db:6000/stock")),
            ("postgres://puzzled:secret@db:many/stock", Err(DatabaseError::Postgres)),
            ("mysql://db", Err(DatabaseError::Unknown)),
            ("puzzled:secret@db/stock", Err(DatabaseError::Unknown)),
            ("puzzled.db", Err(DatabaseError::NoScheme("puzzled.db".to_owned()))),
            ("/var/lib/stock.db", Err(DatabaseError::NoScheme("/var/lib/stock.db".to_owned()))),
            ("", Err(DatabaseError::Unknown)),
        ];
        for (text, expected) in cases {
            let read = text.parse::<Database>().map(|database| database.to_string());
            assert_eq!(read, expected.map(str::to_owned), "{text:?}");
        }
    }

    #[test]
    fn start_line_of_a_server_names_address_absolute_path_and_workers() {
        let at = SocketAddr::from(([127, 0, 0, 1], 50_051));
        let database = Database::Sqlite(PathBuf::from("/var/lib/puzzled.db"));
        for (workers, is_new, end) in
            [(0, true, "(created), no workers"), (1, false, "(opened), 1 worker"), (2, false, "(opened), 2 workers")]
        {
            let config = Config { workers, database: database.clone(), ..Config::default() };
            let version = env!("CARGO_PKG_VERSION");
            let expected = format!("puzzled {version} listens on 127.0.0.1:50051, database /var/lib/puzzled.db {end}");
            assert_eq!(config.listens(at, is_new), expected);
        }
        let folder = std::env::current_dir().unwrap();
        let expected = format!("database {} (created), ", folder.join("puzzled.db").display());
        assert!(Config::default().listens(at, true).contains(&expected));
    }

    #[test]
    fn start_line_of_a_worker_process_names_its_database_without_password() {
        let database = "postgres://puzzled:secret@db/stock".parse().unwrap();
        let config = Config { workers: 2, database, ..Config::default() };
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!("puzzled {version} works on database postgres://puzzled@db:5432/stock, 2 workers");
        assert_eq!(config.works(false), expected);
    }
}
