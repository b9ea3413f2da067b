//! `puzzled doctor`: checks the settings, the machine, and the database before a server starts, or while a server runs.

mod machine;
mod opened;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use tokio::runtime::Runtime;

use super::reload::USUAL_FILE;
use crate::{
    operate::{Command, CommandError, database::runtime},
    settings::{Config, Database},
};
use puzzled_base::message::bounded;
use puzzled_cli::CliError;
use puzzled_cli::{
    Ended,
    output::{self, tables},
};

/// The name of the check of the settings. If it fails, no other check can begin.
const SETTINGS: &str = "settings";

/// Check the settings, the machine, and the database of a server, without starting it
///
/// The command reads the configuration file and the environment as `serve` does, and changes nothing. It checks the settings,
/// the certificate, the access file, the limit of open files, the free disk space, the schema of the database, the privileges
/// of the database user, and the clock of a PostgreSQL server. Each check prints one line: ok, warning, or error, with what to
/// do. Exit code: 0 all ok, 2 warnings, 1 errors.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Configuration file, TOML [default: none]
    // Its name in clap is not `config`, because a file that cannot be read must be a finding here, not an error.
    #[arg(long = "config", env = "PUZZLED_CONFIG", value_name = "FILE")]
    file: Option<PathBuf>,

    /// Database, sqlite:PATH or the URL of one on PostgreSQL [default: that of the settings]
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL")]
    database: Option<String>,

    /// Format of the findings
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

pub(crate) fn run(args: &DoctorArgs) -> Result<Ended, CommandError> {
    let mut findings = match args.config() {
        Ok(config) => examined(&config, &runtime()?),
        Err(error) => vec![Finding::error(SETTINGS, one_line(&error))],
    };
    let is_ok = findings.iter().all(|finding| finding.severity != Severity::Error);
    if is_ok && args.file.is_none() && Path::new(USUAL_FILE).exists() {
        let unread = format!("{USUAL_FILE} in this folder was not read; pass it with --config");
        findings.push(Finding::warning(SETTINGS, unread));
    }
    for finding in &findings {
        output::print(&finding.shown(args.format)?)?;
    }
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => Ok(Ended::Done),
        (0, _) => Ok(Ended::Partly),
        (errors, _) => Err(CommandError::Findings(errors as u64)),
    }
}

impl DoctorArgs {
    /// The configuration that `serve` would start with.
    fn config(&self) -> Result<Config, CommandError> {
        let mut args = vec!["puzzled".into(), "serve".into()];
        if let Some(file) = &self.file {
            args.extend(["--config".into(), file.into()]);
        }
        if let Some(database) = &self.database {
            args.extend(["--database".into(), database.into()]);
        }
        match crate::operate::parse(&args, None)?.command {
            Command::Serve(serve) => serve.settings.config(),
            _ => Ok(Config::default()),
        }
    }
}

fn examined(config: &Config, runtime: &Runtime) -> Vec<Finding> {
    let (targets, workers) = (config.declaration.wishes().len(), config.settings.process.workers);
    let settings = match config.may_listen() {
        Ok(()) => {
            let values = format!("database {}, workers {workers}, declared stock targets {targets}", config.database);
            Finding::ok(SETTINGS, values)
        }
        Err(error) => Finding::error(SETTINGS, error.to_string()),
    };
    let certificate = runtime.block_on(machine::certificate(&config.settings.tls));
    let access = runtime.block_on(machine::access(config.settings.access.access.as_deref()));
    let mut findings = vec![settings, certificate, access, machine::open_files(config)];
    match &config.database {
        Database::Sqlite(path) => {
            findings.extend(runtime.block_on(opened::file(path)));
            findings.push(machine::free_disk(path));
        }
        Database::Postgres(url) => findings.extend(runtime.block_on(opened::on_server(url))),
    }
    findings
}

/// An error as one line, without the usage that follows a wrong flag.
fn one_line(error: &CommandError) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    bounded(first.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Lines for people.
    Text,
    /// One JSON object per line: `check`, `severity`, `message`.
    Json,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// Nothing to do.
    Ok,
    /// A server starts, but something may fail later.
    Warning,
    /// A server would not start, or its calls would fail.
    Error,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Finding {
    check: &'static str,
    severity: Severity,
    /// The state, and what to do if something is wrong. One line.
    message: String,
}

impl Finding {
    fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Ok, message: message.into() }
    }

    fn warning(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Warning, message: message.into() }
    }

    fn error(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Error, message: message.into() }
    }

    /// The finding as a line of text or of JSON.
    fn shown(&self, form: Form) -> Result<String, CommandError> {
        Ok(match form {
            Form::Text => format!("{:<7}  {}: {}\n", tables::word(self.severity), self.check, self.message),
            Form::Json => serde_json::to_string(self).map_err(CliError::Json)? + "\n",
        })
    }
}
