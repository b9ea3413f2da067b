//! What a process is configured by: its settings, the stock targets and daily series of its file, and its database. Also
//! parses the location of the database, and writes the line that the process logs at its start.

use std::{fmt, net::SocketAddr, path::PathBuf, str::FromStr, sync::Arc};

use super::{Changes, Settings};
use puzzled_store::{
    fault_points::{FaultPoints, NoFaults},
    postgres::PostgresUrl,
    series::daily_series::SeriesWish,
    targets::declaration::Declaration,
};

/// The configuration of one process.
#[derive(Debug, Clone)]
pub struct Config {
    /// The settings, after flags, environment, and file have been merged.
    pub settings: Settings,
    /// Name of the host that this process runs on, for the list of processes. Default: `unknown`.
    pub host: String,
    /// The database of jobs and puzzles, with its password.
    pub database: Database,
    /// The stock targets that the configuration declares, and its name.
    pub declaration: Declaration,
    /// The daily series that the configuration declares, with the same name.
    pub series: Declaration<SeriesWish>,
    /// What happens at the fault points of every write. Outside tests, writes continue there.
    pub fault_points: Arc<dyn FaultPoints>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            host: "unknown".to_owned(),
            database: Database::Sqlite(PathBuf::from("puzzled.db")),
            declaration: Declaration::default(),
            series: Declaration::default(),
            fault_points: Arc::new(NoFaults),
        }
    }
}

impl Config {
    /// Takes over a new configuration, except settings that need a restart.
    pub fn take(&mut self, new: Self) -> Changes {
        let mut changes = self.settings.take(new.settings);
        if self.declaration.wishes() != new.declaration.wishes() {
            changes.taken.push("target");
        }
        if self.series.wishes() != new.series.wishes() {
            changes.taken.push("series");
        }
        self.declaration = new.declaration.under(self.declaration.name());
        self.series = new.series.under(self.series.name());
        changes
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
        match self.settings.process.workers {
            0 => "no workers".to_owned(),
            1 => "1 worker".to_owned(),
            several => format!("{several} workers"),
        }
    }
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

    /// The absolute path of an SQLite file, and whether the start created it; or the URL of a PostgreSQL database without its password.
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
            let mut config = Config { database: database.clone(), ..Config::default() };
            config.settings.process.workers = workers;
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
        let mut config = Config { database, ..Config::default() };
        config.settings.process.workers = 2;
        let version = env!("CARGO_PKG_VERSION");
        let expected = format!("puzzled {version} works on database postgres://puzzled@db:5432/stock, 2 workers");
        assert_eq!(config.works(false), expected);
    }
}
