//! Collects the settings of `serve` and `work`, converts them to a [`Config`], and writes them as a configuration file.
//! The file of each group defines its settings: flag, variable, bounds, and help; [`Config`] has the defaults.

mod calls;
mod limits;
mod process;
mod rare;
pub(in crate::cli) mod removed;
mod server;

use std::sync::LazyLock;

use clap::Args;
use serde::Serialize;

use super::{
    CliError,
    input::{database::DatabaseArgs, host, series_table::SeriesTable, target_table::TargetTable},
};
use crate::{
    config::Config,
    rules::{jobs::policy::Policy, targets::declaration::Declaration},
    service::{Limits, ServerSettings},
    telemetry,
};

pub(super) static DEFAULT: LazyLock<Config> = LazyLock::new(Config::default);

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

/// Settings of every process that makes puzzles. The names of the fields are the file's keys.
#[derive(Debug, Args, Serialize)]
pub(super) struct WorkerSettings {
    #[command(flatten, next_help_heading = "Database")]
    #[serde(flatten)]
    database: DatabaseArgs,

    #[command(flatten, next_help_heading = "Database")]
    #[serde(flatten)]
    pool: process::PoolArgs,

    #[command(flatten, next_help_heading = "Workers")]
    #[serde(flatten)]
    workers: process::WorkerArgs,

    #[command(flatten, next_help_heading = "Health and shutdown")]
    #[serde(flatten)]
    end: process::EndArgs,

    #[command(flatten, next_help_heading = "Logs")]
    #[serde(flatten)]
    logs: process::LogArgs,

    #[command(flatten, next_help_heading = "Observability")]
    #[serde(flatten)]
    observe: process::ObserveArgs,

    #[command(flatten, next_help_heading = "Retention")]
    #[serde(flatten)]
    retention: limits::RetentionArgs,
}

/// Settings of a process that serves the API.
#[derive(Debug, Args, Serialize)]
pub(super) struct ServeSettings {
    #[command(flatten)]
    #[serde(flatten)]
    worker: WorkerSettings,

    #[command(flatten, next_help_heading = "Health and shutdown")]
    #[serde(flatten)]
    drain: process::DrainArgs,

    #[command(flatten, next_help_heading = "Logs")]
    #[serde(flatten)]
    call_log: process::CallLogArgs,

    #[command(flatten, next_help_heading = "Server")]
    #[serde(flatten)]
    server: server::ServerArgs,

    #[command(flatten, next_help_heading = "Access")]
    #[serde(flatten)]
    access: server::AccessArgs,

    #[command(flatten, next_help_heading = "TLS")]
    #[serde(flatten)]
    tls: server::TlsArgs,

    #[command(flatten, next_help_heading = "Queue")]
    #[serde(flatten)]
    queue: limits::QueueArgs,

    #[command(flatten, next_help_heading = "Stock")]
    #[serde(flatten)]
    stock: limits::StockArgs,

    #[command(flatten, next_help_heading = "Connections")]
    #[serde(flatten)]
    connections: server::ConnectionArgs,

    #[command(flatten, next_help_heading = "Calls")]
    #[serde(flatten)]
    calls: calls::CallArgs,

    #[command(flatten, next_help_heading = "Rarely changed")]
    #[serde(flatten)]
    rare: rare::RareArgs,

    /// Stock targets, which only the file has.
    #[arg(skip)]
    pub(super) target: Vec<TargetTable>,

    /// Daily series, which only the file has.
    #[arg(skip)]
    pub(super) series: Vec<SeriesTable>,
}

impl WorkerSettings {
    /// Builds the configuration from the settings.
    ///
    /// # Errors
    /// [`CliError`] if the database or the log filter cannot be read.
    pub(super) fn config(&self) -> Result<Config, CliError> {
        telemetry::filter(&self.logs.log)?;
        Ok(Config {
            host: host::name().unwrap_or_else(|| DEFAULT.host.clone()),
            database: self.database.database()?,
            database_password_file: self.database.database_password_file.clone(),
            database_connections: self.pool.database_connections,
            workers: self.workers.workers,
            policy: self.workers.policy(),
            retention: self.retention.retention(),
            server: self.end.applied_to(ServerSettings::default()),
            log: self.logs.log.clone(),
            log_format: self.logs.log_format,
            ops_listen: self.observe.ops_listen,
            traces: self.observe.traces(),
            ..Config::default()
        })
    }
}

impl ServeSettings {
    /// Builds the configuration from the settings.
    ///
    /// # Errors
    /// [`CliError`] if the database, the log filter, a stock target, or a series cannot be read.
    pub(super) fn config(&self) -> Result<Config, CliError> {
        let shared = self.worker.config()?;
        let name = || self.server.config_name.clone();
        let targets = self.target.iter().zip(1..).map(|(target, number)| target.wish(number));
        let targets = targets.collect::<Result<Vec<_>, _>>()?;
        let with_open_symmetry = self.target.iter().zip(&targets).filter(|(table, _)| table.leaves_symmetry_open());
        let open_symmetries: Vec<_> = with_open_symmetry.map(|(_, wish)| wish.spec.clone()).collect();
        let declaration = Declaration::new(name(), targets).map_err(CliError::Tables)?;
        let series = self.series.iter().zip(1..).map(|(series, number)| series.wish(number));
        let series = series.collect::<Result<_, _>>()?;
        Ok(Config {
            listen: self.server.listen,
            access: self.access.access.clone(),
            insecure: self.access.insecure,
            tls: self.tls.files(),
            policy: Policy { growth: self.stock.growth(), ..self.queue.applied_to(&shared.policy) },
            refills_max: self.stock.max_refills,
            targets_max: self.rare.max_targets,
            declaration: declaration.with_open_symmetries(open_symmetries),
            series: Declaration::new(name(), series).map_err(CliError::Tables)?,
            server: self.server_settings(shared.server),
            ..shared
        })
    }

    fn server_settings(&self, shared: ServerSettings) -> ServerSettings {
        let settings = self.connections.applied_to(self.call_log.applied_to(self.drain.applied_to(shared)));
        let settings = self.calls.applied_to(self.rare.applied_to(settings));
        let limits = Limits { count_max: self.queue.max_count, ..settings.limits };
        let (cors_origins, hosts) = (self.server.cors_origins(), self.server.hosts());
        ServerSettings { limits, reflection: self.server.reflection, cors_origins, hosts, ..settings }
    }

    /// Returns a configuration file that sets every setting to its current value, without a password.
    ///
    /// # Errors
    /// [`CliError::Toml`], which no value causes.
    pub(super) fn into_toml(mut self, config: &Config) -> Result<String, CliError> {
        self.worker.database.database = config.database.to_string();
        self.connections.max_connections_per_address = Some(config.server.connections_per_address_max);
        self.target = config.declaration.wishes().iter().map(TargetTable::from).collect();
        self.series = config.series.wishes().iter().map(SeriesTable::from).collect();
        toml::to_string(&self).map_err(CliError::Toml)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Arg, Command, FromArgMatches as _, builder::Resettable};

    use super::*;
    use crate::config::{Setting, Taken};

    fn command() -> Command {
        ServeSettings::augment_args(Command::new("serve")).mut_args(|arg| arg.env(Resettable::Reset))
    }

    /// The configuration of a server with these flags. By default, the limit on connections per address follows from
    /// another setting.
    fn config(flags: &[String]) -> Config {
        let own = ["serve".to_owned(), "--max-connections-per-address=512".to_owned()];
        let own = if flags.iter().any(|flag| flag.contains("per-address")) { &own[..1] } else { &own };
        let matches = command().get_matches_from(own.iter().chain(flags));
        ServeSettings::from_arg_matches(&matches).unwrap().config().unwrap()
    }

    fn keys(args: &Command) -> BTreeSet<String> {
        args.get_arguments().map(|arg| arg.get_id().to_string()).filter(|id| id != "config").collect()
    }

    /// A flag with another value than the default.
    fn changed(arg: &Arg) -> String {
        let key = arg.get_id().as_str();
        let value = match key {
            "listen" | "ops_listen" => "127.0.0.1:7",
            "database" => "sqlite:other.db",
            "config_name" => "other",
            "reflection" => "false",
            "cors_origins" => "https://example.org",
            "hosts" => "puzzles.example",
            "insecure" => "true",
            "log" => "warn",
            "log_format" => "json",
            "otlp_endpoint" => "http://127.0.0.1:7",
            "trace_ratio" => "0.5",
            "log_calls" => "all",
            "lease_ms" | "max_request_bytes" | "max_search_nodes" => "5000",
            "max_response_bytes" => "70000",
            "max_text_bytes" => "83",
            _ => "17",
        };
        format!("--{}={value}", key.replace('_', "-"))
    }

    fn differing(one: &[Setting], other: &[Setting]) -> Vec<&'static str> {
        one.iter().zip(other).filter(|(one, other)| one.value != other.value).map(|(one, _)| one.key).collect()
    }

    #[test]
    fn each_field_of_the_settings_has_a_flag_that_changes_it_alone() {
        let usual = config(&[]).settings();
        let walked: BTreeSet<_> = usual.iter().map(|setting| setting.key.to_owned()).collect();
        let mut flags = keys(&command());
        // Stock targets and daily series are tables of the file.
        flags.extend(["target", "series"].map(str::to_owned));
        assert_eq!(walked, flags);
        for arg in command().get_arguments().filter(|arg| arg.get_id() != "config") {
            let flag = changed(arg);
            assert_eq!(
                differing(&usual, &config(std::slice::from_ref(&flag)).settings()),
                [arg.get_id().as_str()],
                "{flag}"
            );
        }
    }

    #[test]
    fn reload_takes_what_needs_no_restart_as_the_help_says() {
        let command = command();
        let args: Vec<_> = command.get_arguments().filter(|arg| arg.get_id() != "config").collect();
        let (running, read) = (config(&[]), config(&args.iter().map(|arg| changed(arg)).collect::<Vec<_>>()));
        let (old, new) = (running.settings(), read.settings());
        let kept = read.kept_from(&running).settings();
        for setting in old.iter().filter(|setting| !["target", "series"].contains(&setting.key)) {
            let at = |settings: &[Setting]| settings.iter().find(|one| one.key == setting.key).unwrap().value.clone();
            let is_immutable = setting.taken == Taken::AtStart;
            assert_eq!(at(&kept), if is_immutable { at(&old) } else { at(&new) }, "{}", setting.key);
            let help = command.get_arguments().find(|arg| arg.get_id() == setting.key).unwrap().get_help().unwrap();
            // All commands share the help of the database.
            let says_so = setting.key == "database" || help.to_string().contains("needs a restart");
            assert_eq!(says_so, is_immutable, "{}", setting.key);
        }
    }
}
