//! Reads the settings of `serve` and `work` into a [`Config`], and writes them as a configuration file.

mod criteria_keys;
pub(super) mod removed;
mod series_table;
pub(super) mod settings_file;
mod target_table;

use clap::Args;
use serde::Serialize;

use super::{CommandError, host};
use crate::{
    settings::{Config, DatabaseSettings, ProcessSettings, RetentionSettings, Settings},
    telemetry,
};
use puzzled_store::targets::declaration::Declaration;
use series_table::SeriesTable;
use target_table::TargetTable;

/// The flags of `serve` and `work` that people set: `-h` shows these, `--help` all.
pub(super) const USUAL: [&str; 16] = [
    "config",
    "database",
    "database_password_file",
    "listen",
    "workers",
    "access",
    "insecure",
    "tls_cert",
    "tls_key",
    "cors_origins",
    "hosts",
    "ops_listen",
    "otlp_endpoint",
    "log",
    "log_format",
    "show_config",
];

/// The settings of a process that only makes puzzles.
#[derive(Debug, Clone, Args)]
pub(super) struct WorkSettings {
    #[command(flatten, next_help_heading = "Database")]
    database: DatabaseSettings,

    #[command(flatten)]
    process: ProcessSettings,

    #[command(flatten, next_help_heading = "Retention")]
    retention: RetentionSettings,
}

/// The settings of a process that serves the API, and the tables of its file.
#[derive(Debug, Args, Serialize)]
pub(super) struct ServeSettings {
    #[command(flatten)]
    #[serde(flatten)]
    settings: Settings,

    /// Stock targets, which only the file has.
    #[arg(skip)]
    pub(super) target: Vec<TargetTable>,

    /// Daily series, which only the file has.
    #[arg(skip)]
    pub(super) series: Vec<SeriesTable>,
}

impl WorkSettings {
    /// Builds the configuration from the settings.
    ///
    /// # Errors
    /// [`CommandError`] if the database or the log filter cannot be read.
    pub(super) fn config(&self) -> Result<Config, CommandError> {
        let Self { database, process, retention } = self.clone();
        let mut settings = Settings { database, process, retention, ..Settings::default() };
        // A shared configuration file may have `workers = 0` for a server.
        if settings.process.workers == 0 {
            settings.process.workers = ProcessSettings::default().workers;
        }
        config(settings)
    }
}

impl ServeSettings {
    /// Builds the configuration from the settings.
    ///
    /// # Errors
    /// [`CommandError`] if the database, the log filter, a stock target, or a series cannot be read.
    pub(super) fn config(&self) -> Result<Config, CommandError> {
        let mut settings = self.settings.clone();
        // The limit per address follows from the limit on all connections. It is filled in here, so that a reload reports
        // both if they change, and `--show-config` shows both.
        settings.connections.max_connections_per_address = Some(settings.connections.max_per_address());
        let shared = config(settings)?;
        let name = || shared.settings.server.config_name.clone();
        let targets = self.target.iter().zip(1..).map(|(target, number)| target.wish(number));
        let targets = targets.collect::<Result<Vec<_>, _>>()?;
        let with_open_symmetry = self.target.iter().zip(&targets).filter(|(table, _)| table.leaves_symmetry_open());
        let open_symmetries: Vec<_> = with_open_symmetry.map(|(_, wish)| wish.spec.clone()).collect();
        let declaration = Declaration::new(name(), targets).map_err(CommandError::Tables)?;
        let series = self.series.iter().zip(1..).map(|(series, number)| series.wish(number));
        let series = series.collect::<Result<_, _>>()?;
        Ok(Config {
            declaration: declaration.with_open_symmetries(open_symmetries),
            series: Declaration::new(name(), series).map_err(CommandError::Tables)?,
            ..shared
        })
    }

    /// Returns a configuration file that sets every setting to its current value, without a password.
    ///
    /// # Errors
    /// [`CommandError::Toml`], which no value causes.
    pub(super) fn into_toml(mut self, config: &Config) -> Result<String, CommandError> {
        self.settings.clone_from(&config.settings);
        self.target = config.declaration.wishes().iter().map(TargetTable::from).collect();
        self.series = config.series.wishes().iter().map(SeriesTable::from).collect();
        toml::to_string(&self).map_err(CommandError::Toml)
    }
}

/// The configuration with these settings, without stock targets and daily series.
fn config(mut settings: Settings) -> Result<Config, CommandError> {
    telemetry::filter(&settings.process.log)?;
    let database = settings.database.database()?;
    // All parts of the process hold the settings, so these have no password.
    settings.database.database = database.to_string();
    let usual = Config::default();
    Ok(Config { settings, database, host: host::name().unwrap_or(usual.host), ..usual })
}
