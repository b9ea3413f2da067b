//! The command line: parses arguments, runs a command, and maps its result to an exit code.
//!
//! The folders say what a command needs: those in `remote` connect to a running server through `client`, those in `operate`
//! run a server or open its database through `input::database`, and those in `offline` need neither. `export` in `operate` can
//! also call a server, and those in `print` work with and without one. `puzzled --help` groups commands by who needs them: an
//! operator also needs `health`, `queue`, `workers`, and `audit` of `remote`. The folders of `remote` are topics: jobs, puzzles,
//! the stock, and the service itself.

mod client;
mod input;
mod offline;
mod operate;
mod output;
mod print;
mod remote;
mod settings;
mod usage;
mod version;

use std::{
    ffi::{OsStr, OsString},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind};

use crate::{
    app::AppError,
    settings::{Config, DatabaseError},
    telemetry::{self, TelemetryError},
    tls::TlsError,
};
use input::settings_file::SettingsFile;
use offline::{bench, completions, generate, protos, rate, token};
use operate::{
    backup, check, copy, doctor, export, migrate,
    reload::{FileText, Source},
    rerate, serve,
};
use print::{picture, sheet};
use puzzled_base::message::{bounded, of_file, read_text};
use puzzled_store::{StoreError, copy::CopyError, sqlite::restore::RestoreError, targets::declaration::Clash};
use remote::{jobs, puzzles, service, stock};
use version::VERSION;

/// The puzzle daemon: generates uniquely solvable logic puzzles, rates them, and serves a stock of them by gRPC.
#[derive(Debug, Parser)]
#[command(name = "puzzled", version = VERSION.as_str(), max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(Box<serve::ServeArgs>),
    Work(serve::WorkArgs),
    Migrate(migrate::MigrateArgs),
    Copy(copy::CopyArgs),
    Generate(generate::GenerateArgs),
    Rate(rate::RateArgs),
    Bench(bench::BenchArgs),
    Rerate(rerate::RerateArgs),
    Enqueue(jobs::enqueue::EnqueueArgs),
    Get(puzzles::get::GetArgs),
    Daily(puzzles::daily::DailyArgs),
    List(puzzles::list::ListArgs),
    Solve(puzzles::solve::SolveArgs),
    Hint(puzzles::hint::HintArgs),
    Validate(puzzles::validate::ValidateArgs),
    Withdraw(puzzles::withdraw::WithdrawArgs),
    Release(puzzles::release::ReleaseArgs),
    Import(puzzles::import::ImportArgs),
    Stock(stock::show::StockArgs),
    Target(stock::target_command::TargetArgs),
    Series(stock::series_command::SeriesArgs),
    Token(token::TokenArgs),
    Refill(stock::refill::RefillArgs),
    Jobs(jobs::list::JobsArgs),
    Cancel(jobs::actions::CancelArgs),
    Retry(jobs::actions::RetryArgs),
    Queue(jobs::queue::QueueArgs),
    Workers(jobs::workers::WorkersArgs),
    Audit(service::audit::AuditArgs),
    Watch(jobs::watch::WatchArgs),
    Export(export::ExportArgs),
    Protos(protos::ProtosArgs),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
    Check(check::CheckArgs),
    Doctor(doctor::DoctorArgs),
    Health(service::health::HealthArgs),
    Info(service::info::InfoArgs),
    Find(puzzles::find::FindArgs),
    Picture(picture::PictureArgs),
    Sheet(Box<sheet::SheetArgs>),
    Completions(completions::CompletionsArgs),
}

/// The result of a command that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Everything is done: exit code 0.
    Done,
    /// Part of the work is done, and the output says what is missing: exit code 2.
    Partly,
}

/// The reason why a command failed: exit code 1.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line is wrong, or requests the help or the version, which is not a failure.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The configuration file cannot be read, or has a key or value that is not allowed.
    #[error("configuration file {}: {}", .0.display(), .1)]
    ConfigFile(PathBuf, String),
    /// A stock target of the configuration file is not allowed.
    #[error("configuration file: [[target]] {0}: {1}")]
    Target(usize, String),
    /// A daily series of the configuration file is not allowed.
    #[error("configuration file: [[series]] {0}: {1}")]
    Series(usize, String),
    /// The stock targets or the daily series of the configuration file cannot be declared together.
    #[error("configuration file: {0}")]
    Tables(#[source] Clash),
    /// The database URL is wrong.
    #[error("database: {0}")]
    Database(#[source] DatabaseError),
    /// The value of `--halt-at` cannot be parsed.
    #[error("--halt-at: {0}")]
    HaltAt(String),
    /// Logging could not be set up.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The runtime could not be started.
    #[error("the runtime could not be started: {0}")]
    Runtime(#[source] io::Error),
    /// The server failed.
    #[error(transparent)]
    App(#[from] AppError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The database could not be copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The kind refuses the spec.
    #[error("{0}")]
    Spec(String),
    /// The file with a secret cannot be used.
    #[error("{setting}: {}: {reason}", file.display())]
    Secret {
        /// The setting that names the file.
        setting: &'static str,
        /// The path as it was given.
        file: PathBuf,
        /// What is wrong with the file, and what is allowed. The text does not contain the secret.
        reason: String,
    },
    /// A file of TLS cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The operating system did not return random numbers for a seed or a token.
    #[error("the operating system gives no random numbers: {0}; set a seed with --seed")]
    Chance(#[source] rand::rngs::SysError),
    /// The command works only on a database in a file.
    #[error("{0} is not a file; use {1}")]
    NoFile(String, &'static str),
    /// The target of a copy is not on PostgreSQL.
    #[error("--to: {} is a file; name a database on PostgreSQL, or copy a file with `puzzled backup`", .0.display())]
    NotPostgres(PathBuf),
    /// The backup could not be restored.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The number of findings of `check`, or of errors of `doctor`.
    #[error("{0} findings")]
    Findings(u64),
    /// A file cannot be read or written.
    #[error("{}: {}", .0, of_file(.1))]
    Input(String, #[source] io::Error),
    /// A file that a command would create already exists.
    #[error("{0}: the file exists; {1}")]
    Exists(String, &'static str),
    /// An environment variable has a value that is not allowed.
    #[error("{name}: {value:?} is not allowed; {allowed}")]
    Variable {
        /// The name of the variable.
        name: String,
        /// The value, cut to 40 characters.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// The settings cannot be written as a configuration file.
    #[error("TOML: {0}")]
    Toml(#[source] toml::ser::Error),
    /// A result cannot be written as JSON, because a stored time is after the year 9999.
    #[error("JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Output(#[source] io::Error),
    /// The server does not answer, or refuses a call.
    #[error("{address}: {reason}")]
    Server {
        /// The address of the server.
        address: String,
        /// The message of the server, or why it cannot be reached.
        reason: String,
    },
}

/// The exit code of a process whose database was deleted or replaced. A service manager should not restart it: it would begin with an
/// empty database.
const DATABASE_REPLACED: u8 = 3;

/// Parses the command line and runs its command. Exit codes: 0 done, 1 refused or failed, 2 partly done, 3 database replaced.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    match parse(&args, None).and_then(execute) {
        Ok(ended) => {
            telemetry::end_log("");
            ExitCode::from(if ended == Ended::Partly { 2 } else { 0 })
        }
        Err(CliError::Usage(message)) => {
            // If the output is closed, the command has not failed.
            if message.use_stderr() && message.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = write!(io::stderr(), "{}", usage::bounded(&message));
                return ExitCode::FAILURE;
            }
            let _ = message.print();
            if message.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        // The reader has closed the output because it needs no more, as `head` does.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            telemetry::end_log(&format!("error: {}\n", bounded(error.to_string())));
            if matches!(error, CliError::App(AppError::Replaced(_))) {
                return ExitCode::from(DATABASE_REPLACED);
            }
            ExitCode::FAILURE
        }
    }
}

fn execute(cli: Cli) -> Result<Ended, CliError> {
    match cli.command {
        Command::Serve(args) => serve::serve(*args),
        Command::Work(args) => serve::work(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Copy(args) => copy::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Rate(args) => rate::run(args),
        Command::Bench(args) => bench::run(&args),
        Command::Rerate(args) => rerate::run(args),
        Command::Enqueue(args) => jobs::enqueue::run(&args),
        Command::Get(args) => puzzles::get::run(&args),
        Command::Daily(args) => puzzles::daily::run(&args),
        Command::List(args) => puzzles::list::run(&args),
        Command::Solve(args) => puzzles::solve::run(&args),
        Command::Hint(args) => puzzles::hint::run(&args),
        Command::Validate(args) => puzzles::validate::run(&args),
        Command::Withdraw(args) => puzzles::withdraw::run(&args),
        Command::Release(args) => puzzles::release::run(&args),
        Command::Import(args) => puzzles::import::run(&args),
        Command::Stock(args) => stock::show::run(&args),
        Command::Target(args) => stock::target_command::run(&args),
        Command::Series(args) => stock::series_command::run(&args),
        Command::Token(args) => token::run(&args),
        Command::Refill(args) => stock::refill::run(&args),
        Command::Jobs(args) => jobs::list::run(&args),
        Command::Cancel(args) => jobs::actions::cancel(&args),
        Command::Retry(args) => jobs::actions::retry(&args),
        Command::Queue(args) => jobs::queue::run(&args),
        Command::Workers(args) => jobs::workers::run(&args),
        Command::Audit(args) => service::audit::run(&args),
        Command::Watch(args) => jobs::watch::run(&args),
        Command::Export(args) => export::run(args),
        Command::Protos(args) => protos::run(&args),
        Command::Backup(args) => backup::backup(args),
        Command::Restore(args) => backup::restore(&args),
        Command::Check(args) => check::run(args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Health(args) => service::health::run(&args),
        Command::Info(args) => service::info::run(&args),
        Command::Find(args) => puzzles::find::run(args),
        Command::Picture(args) => picture::run(&args),
        Command::Sheet(args) => sheet::run(&args),
        Command::Completions(args) => completions::run(&args, &whole()),
    }
}

/// Parses the command line with the environment and the configuration file. If `text` is given, it replaces the content
/// of that file.
fn parse(args: &[OsString], text: Option<&str>) -> Result<Cli, CliError> {
    let mut command = whole();
    usage::check_variables(&command, args)?;
    let mut matches =
        command.clone().try_get_matches_from(args).map_err(|error| usage::explained(error, &command, args))?;
    let (mut targets, mut series, mut file_text) = (Vec::new(), Vec::new(), None);
    if let Some((name, path)) = matches.subcommand().and_then(|(name, of)| Some((name.to_owned(), file_of(of)?))) {
        let text = text.map_or_else(|| read(&path), |text| Ok(text.to_owned()))?;
        let file = SettingsFile::parse(&path, &text)?;
        command = command.mut_subcommand(name, |sub| file.as_defaults(sub));
        matches = command.try_get_matches_from_mut(args)?;
        (targets, series) = (file.target, file.series);
        file_text = Some(FileText { path, text });
    }
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let ignored = matches.subcommand().map_or_else(Vec::new, |(_, of)| settings::removed::set_in(of));
    let source = Source { args: args.to_vec(), file: file_text, ignored };
    match &mut cli.command {
        Command::Serve(serve) => {
            serve.settings.target = targets;
            serve.settings.series = series;
            serve.source = source;
        }
        Command::Work(work) => work.source = source,
        _ => {}
    }
    Ok(cli)
}

/// The program with all its commands.
fn whole() -> clap::Command {
    usage::grouped(adjusted(Cli::command()))
}

/// What the names of all variables begin with.
const PREFIX: &str = "PUZZLED_";

/// Returns the command with the same rules for the flags of all its subcommands, at any depth.
fn adjusted(command: clap::Command) -> clap::Command {
    let is_process = ["serve", "work"].contains(&command.get_name());
    let command = if is_process { settings::removed::accepted(command) } else { command };
    let flags = command.mut_args(|arg| {
        // A negative number is a value, which may be out of bounds, not an unknown flag.
        let arg = if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
        let is_usual = !is_process || settings::USUAL.contains(&arg.get_id().as_str());
        // The variable of a setting is its key in capitals, and the prefix.
        let bare = arg.get_env().and_then(OsStr::to_str).filter(|name| !name.starts_with(PREFIX));
        let variable = bare.map(|name| format!("{PREFIX}{name}"));
        let arg = if let Some(variable) = variable { arg.env(variable) } else { arg };
        // Help names the variables but not their values, which can be passwords.
        arg.hide_env_values(true).hide_short_help(!is_usual)
    });
    flags.mut_subcommands(adjusted)
}

impl Cli {
    /// The configuration of `serve` and `work`. For other commands, the defaults.
    ///
    /// # Errors
    /// [`CliError`] if the settings contradict each other.
    fn config(&self) -> Result<Config, CliError> {
        match &self.command {
            Command::Serve(serve) => serve.settings.config(),
            Command::Work(work) => work.settings.config(),
            _ => Ok(Config::default()),
        }
    }
}

fn read(path: &Path) -> Result<String, CliError> {
    read_text(path).map_err(|error| CliError::ConfigFile(path.to_owned(), error))
}

/// The path of the configuration file, if the command takes one and the path is set.
fn file_of(matches: &ArgMatches) -> Option<PathBuf> {
    matches.try_get_one("config").ok().flatten().cloned()
}
